import type { Services } from '#compose/services';
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
import type { UploadedImports } from '#services/catalogue/imports/uploaded-imports';
import type { ReadPageAt } from '#services/catalogue/objects/page-reader';
import type { Backups } from '#services/host/backups';
import type { KeptDays } from '#services/people/retention';
import type { Languages } from '../words/i18n.ts';

export interface AdminFaceDeps
  extends Pick<Services, 'admins' | 'secondFactors' | 'tenants' | 'upstreams' | 'trialOf' | 'apiKeys' | 'assistants'>,
    Pick<Services, 'ltiRegistrations' | 'ltiRegistrationLinks' | 'ltiScores' | 'feedback' | 'people' | 'selections'>,
    Pick<Services, 'slackInstallations' | 'slackCredentials' | 'slackInstallLinks' | 'audit' | 'usage' | 'insight'>,
    Pick<Services, 'personData' | 'imports' | 'objects' | 'linkChecks' | 'deadLinks'> {
  readonly links: Services['adminLinks'];
  readonly sessions: Services['adminSessions'];
  /** Null if no provider is configured. */
  readonly oidc: Oidc | null;
  /** Stores the state of unfinished sign-ins. */
  readonly nonces: NonceRepository;
  /** Whether owners may enter upstreams in private networks (ALLOW_PRIVATE_UPSTREAM). */
  readonly opensPrivateToOwners: boolean;
  readonly platforms: LtiPlatforms;
  readonly slackWorkspaces: SlackWorkspaces;
  /** Whether the host asks Slack for requests (SLACK_APP_TOKEN), instead of being called by it. */
  readonly slackSocketMode: boolean;
  readonly slackUnfurlsLinks: boolean;
  /** Gives the changes to a tenant's objects. */
  layerOf: Services['layers']['layerOf'];
  readonly concepts: Pick<ConceptCatalog, 'deriveSkills' | 'findConcept'>;
  /** Whether objects and skills have public pages. */
  readonly publishes: Readonly<Record<'objects' | 'skills', boolean>>;
  readonly readObjectPage: ReadPageAt;
  readonly importSources: ImportSources;
  readonly uploads: Uploads;
  readonly uploadedImports: UploadedImports;
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
  /** Id of the key in use. */
  secretKeyId(): string;
  readonly sizes: Readonly<Record<'objects' | 'providers' | 'concepts' | 'labels' | 'postings' | 'indexBytes', number>>;
  readonly catalogCounts: CatalogCounts;
  /** Null if this host stores the learning objects. */
  describeCatalog(): CatalogPlace | null;
  describeStore(): Promise<StoreDescription>;
  readonly keptDays: KeptDays;
  /** Null without scheduled backups. */
  readonly backups: Backups | null;
}

export interface AdminDeps extends AdminFaceDeps {
  readonly languages: Languages;
  readonly limitHealthChecks: ReturnType<typeof limitConcurrency>;
}
