import type { CatalogCounts, CatalogPlace } from '../../domain/catalog.ts';
import type { PictureLinks } from '../../domain/picture.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ImportSources, Uploads } from '../../ports/imports.ts';
import type { LearningService } from '../../ports/learning-service.ts';
import type { LtiPlatforms } from '../../ports/lti-platforms.ts';
import type { Oidc } from '../../ports/oidc.ts';
import type { SlackWorkspaces } from '../../ports/slack-workspaces.ts';
import type { NonceRepository, StoreDescription } from '../../ports/store/store.ts';
import type { AdminLinks } from '../../services/admins/admin-links.ts';
import type { AdminSessions } from '../../services/admins/admin-sessions.ts';
import type { Admins } from '../../services/admins/admins.ts';
import type { ApiKeys } from '../../services/api-keys.ts';
import type { Assistants } from '../../services/assistants/assistants.ts';
import type { Audit } from '../../services/audit.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { Imports } from '../../services/imports/imports.ts';
import type { UploadedImports } from '../../services/imports/uploaded-imports.ts';
import type { Insight } from '../../services/insight/insight.ts';
import type { DeadLinks } from '../../services/link-checks/dead-links.ts';
import type { LinkChecks } from '../../services/link-checks/link-checks.ts';
import type { LtiRegistrations } from '../../services/lti-registrations/lti-registrations.ts';
import type { ObjectLayers } from '../../services/objects/object-layers.ts';
import type { Objects } from '../../services/objects/objects.ts';
import type { ReadPageAt } from '../../services/objects/page-reader.ts';
import type { People } from '../../services/people/people.ts';
import type { Scores } from '../../services/scores.ts';
import type { Selections } from '../../services/selections.ts';
import type { SlackCredentials } from '../../services/slack-credentials/slack-credentials.ts';
import type { SlackInstallations } from '../../services/slack-installations/slack-installations.ts';
import type { TenantLinks } from '../../services/tenant-links.ts';
import type { Tenants } from '../../services/tenants/tenants.ts';
import type { TenantUpstreams } from '../../services/upstreams/upstreams.ts';
import type { Usage } from '../../services/usage.ts';

export interface AdminFaceDeps {
  readonly admins: Admins;
  readonly links: AdminLinks;
  readonly sessions: AdminSessions;
  /** Null where no provider is configured. */
  readonly oidc: Oidc | null;
  /** Keeps what belongs to a sign-in that is under way. */
  readonly nonces: NonceRepository;
  readonly tenants: Tenants;
  readonly upstreams: TenantUpstreams;
  /** Whether the upstreams that owners enter may be in private networks (ALLOW_PRIVATE_UPSTREAM). */
  readonly opensPrivateToOwners: boolean;
  /** Searching as a tenant's people would, uncounted. */
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
  readonly assistants: Assistants;
  readonly people: People;
  readonly selections: Selections;
  readonly audit: Audit;
  readonly usage: Usage;
  readonly insight: Insight;
  readonly imports: Imports;
  readonly objects: Objects;
  /** What is changed of a tenant's objects. */
  layerOf: ObjectLayers['layerOf'];
  readonly readObjectPage: ReadPageAt;
  readonly importSources: ImportSources;
  /** Where files of the import form are kept until they are read. */
  readonly uploads: Uploads;
  readonly uploadedImports: UploadedImports;
  readonly linkChecks: LinkChecks;
  readonly deadLinks: DeadLinks;
  /** Told of what went wrong in passing. */
  onProblem(error: unknown): void;
  /** Our own engine, for the catalogue page. */
  readonly local: LearningService;
  readonly system: System;
  readonly pictures: PictureLinks;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
}

/** What the system and catalogue pages say about the host. */
export interface System {
  readonly version: string;
  readonly startedAt: Date;
  /** Absolute path. */
  readonly dataDir: string;
  /** Of the key in use now. */
  secretKeyId(): string;
  readonly sizes: Readonly<
    Record<'objects' | 'providers' | 'concepts' | 'labels' | 'postings' | 'indexBytes', number>
  >;
  readonly catalogCounts: CatalogCounts;
  /** Null where learning objects are kept in this host. */
  describeCatalog(): CatalogPlace | null;
  /** Errors: STORE_UNAVAILABLE. */
  describeStore(): Promise<StoreDescription>;
}
