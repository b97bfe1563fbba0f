import type { limitConcurrency } from '#domain/async/limit-concurrency';
import type { CatalogCounts, CatalogPlace } from '#domain/catalog';
import type { PictureLinks } from '#domain/picture';
import type { Clock } from '#ports/clock';
import type { ImportSources, Uploads } from '#ports/imports';
import type { LearningService } from '#ports/learning-service';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { ConceptCatalog } from '#ports/object-catalog';
import type { Oidc } from '#ports/oidc';
import type { SlackWorkspaces } from '#ports/slack-workspaces';
import type { NonceRepository, StoreDescription } from '#ports/store/store';
import type { Imports } from '#services/catalogue/imports/imports';
import type { UploadedImports } from '#services/catalogue/imports/uploaded-imports';
import type { DeadLinks } from '#services/catalogue/link-checks/dead-links';
import type { LinkChecks } from '#services/catalogue/link-checks/link-checks';
import type { ObjectLayers } from '#services/catalogue/objects/object-layers';
import type { Objects } from '#services/catalogue/objects/objects';
import type { ReadPageAt } from '#services/catalogue/objects/page-reader';
import type { Scores } from '#services/courses/completions/scores';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { Insight } from '#services/host/insight';
import type { Usage } from '#services/host/usage';
import type { FeedbackService } from '#services/people/feedback/feedback';
import type { People } from '#services/people/people';
import type { PersonDataService } from '#services/people/person-data/person-data';
import type { KeptDays } from '#services/people/retention';
import type { Selections } from '#services/people/selections';
import type { SlackCredentials } from '#services/people/slack/slack-credentials';
import type { SlackInstallations } from '#services/people/slack/slack-installations';
import type { Discovery } from '#services/searching/discovery';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { AdminLinks } from '#services/tenants/admins/admin-links';
import type { AdminSessions } from '#services/tenants/admins/admin-sessions';
import type { Admins } from '#services/tenants/admins/admins';
import type { SecondFactors } from '#services/tenants/admins/second-factor';
import type { ApiKeys } from '#services/tenants/api-keys';
import type { Assistants } from '#services/tenants/assistants/assistants';
import type { Audit } from '#services/tenants/audit';
import type { TenantLinks } from '#services/tenants/tenant-links';
import type { Tenants } from '#services/tenants/tenants';
import type { Languages } from '../words/i18n.ts';

export interface AdminFaceDeps {
  readonly admins: Admins;
  readonly links: AdminLinks;
  readonly sessions: AdminSessions;
  readonly secondFactors: SecondFactors;
  /** Null where no provider is configured. */
  readonly oidc: Oidc | null;
  /** Stores the state of unfinished sign-ins. */
  readonly nonces: NonceRepository;
  readonly tenants: Tenants;
  readonly upstreams: TenantUpstreams;
  /** Whether owners may enter upstreams in private networks (ALLOW_PRIVATE_UPSTREAM). */
  readonly opensPrivateToOwners: boolean;
  /** Searches like those of a tenant's people, which are not counted. */
  trialOf(tenantId: string): Discovery;
  readonly apiKeys: ApiKeys;
  readonly feedback: FeedbackService;
  readonly ltiRegistrations: LtiRegistrations;
  readonly ltiRegistrationLinks: TenantLinks;
  readonly platforms: LtiPlatforms;
  readonly ltiScores: Scores;
  readonly slackInstallations: SlackInstallations;
  readonly slackCredentials: SlackCredentials;
  readonly slackInstallLinks: TenantLinks;
  readonly slackWorkspaces: SlackWorkspaces;
  /** Whether the host asks Slack for requests (SLACK_APP_TOKEN), instead of being called by it. */
  readonly slackSocketMode: boolean;
  readonly slackUnfurlsLinks: boolean;
  readonly assistants: Assistants;
  readonly people: People;
  readonly personData: PersonDataService;
  readonly selections: Selections;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly insight: Insight;
  readonly imports: Imports;
  readonly objects: Objects;
  /** The changes to a tenant's objects. */
  layerOf: ObjectLayers['layerOf'];
  readonly concepts: Pick<ConceptCatalog, 'deriveSkills' | 'findConcept'>;
  /** What has public pages. */
  readonly publishes: Readonly<Record<'objects' | 'skills', boolean>>;
  readonly readObjectPage: ReadPageAt;
  readonly importSources: ImportSources;
  readonly uploads: Uploads;
  readonly uploadedImports: UploadedImports;
  readonly linkChecks: LinkChecks;
  readonly deadLinks: DeadLinks;
  onProblem(error: unknown): void;
  readonly local: LearningService;
  readonly system: System;
  readonly pictures: PictureLinks;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Facts about the host for the system and catalogue pages. */
export interface System {
  readonly version: string;
  readonly startedAt: Date;
  /** Absolute path. */
  readonly dataDir: string;
  /** Of the key in use now. */
  secretKeyId(): string;
  readonly sizes: Readonly<Record<'objects' | 'providers' | 'concepts' | 'labels' | 'postings' | 'indexBytes', number>>;
  readonly catalogCounts: CatalogCounts;
  /** Null if this host stores the learning objects. */
  describeCatalog(): CatalogPlace | null;
  describeStore(): Promise<StoreDescription>;
  readonly keptDays: KeptDays;
}

export interface AdminDeps extends AdminFaceDeps {
  readonly languages: Languages;
  readonly limitHealthChecks: ReturnType<typeof limitConcurrency>;
}
