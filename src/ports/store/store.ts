import type { ActivityRepository } from './activity.ts';
import type { AdminLinkRepository, AdminRepository, AdminSessionRepository } from './admins.ts';
import type { ApiKeyRepository } from './api-keys.ts';
import type { AssistantRepository } from './assistants.ts';
import type { AuditRepository } from './audit.ts';
import type { FeedbackRepository } from './feedback.ts';
import type { FileRepository } from './files.ts';
import type { ImportRepository } from './imports.ts';
import type { InsightRepository } from './insight.ts';
import type { LinkCheckRepository } from './link-checks.ts';
import type { LinkMendRepository } from './link-mends.ts';
import type { LtiRegistrationRepository } from './lti-registrations.ts';
import type { ObjectLayerRepository } from './object-layers.ts';
import type { PeopleRepository } from './people.ts';
import type { PlacementRepository } from './placements.ts';
import type { ScoreRepository } from './scores.ts';
import type { SecretRepository } from './secrets.ts';
import type { ShelfRepository } from './shelf.ts';
import type { AnswerRepository, NonceRepository, RateCounterRepository } from './short-lived.ts';
import type { SlackInstallationRepository } from './slack-installations.ts';
import type { TenantRepository } from './tenants.ts';
import type { StoreTransfer } from './transfer.ts';
import type { UsageRepository } from './usage.ts';

export * from './activity.ts';
export * from './admins.ts';
export * from './api-keys.ts';
export * from './assistants.ts';
export * from './audit.ts';
export * from './feedback.ts';
export * from './files.ts';
export * from './imports.ts';
export * from './insight.ts';
export * from './link-checks.ts';
export * from './link-mends.ts';
export * from './lti-registrations.ts';
export * from './object-layers.ts';
export * from './page.ts';
export * from './people.ts';
export * from './placements.ts';
export * from './scores.ts';
export * from './secrets.ts';
export * from './shelf.ts';
export * from './short-lived.ts';
export * from './slack-installations.ts';
export * from './tenants.ts';
export * from './transfer.ts';
export * from './usage.ts';

/** Everything kept between requests. Lists say their order; names and addresses sort as `foldText` writes them, ids as they are.
 *  Expiry is checked on reading, by the clock of the caller; a record has expired at `expiresAt` itself. Every claim is one
 *  atomic step, also between hosts. Every call may reject with STORE_UNAVAILABLE; once the store is closed it does, and closing
 *  it again does nothing. */
export interface Store {
  readonly tenants: TenantRepository;
  readonly secrets: SecretRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly feedback: FeedbackRepository;
  readonly audit: AuditRepository;
  readonly admins: AdminRepository;
  readonly adminLinks: AdminLinkRepository;
  readonly adminSessions: AdminSessionRepository;
  readonly usage: UsageRepository;
  readonly insight: InsightRepository;
  readonly rateCounters: RateCounterRepository;
  readonly nonces: NonceRepository;
  readonly answers: AnswerRepository;
  readonly shelf: ShelfRepository;
  readonly ltiRegistrations: LtiRegistrationRepository;
  readonly placements: PlacementRepository;
  readonly activity: ActivityRepository;
  readonly scores: ScoreRepository;
  readonly slackInstallations: SlackInstallationRepository;
  readonly people: PeopleRepository;
  readonly imports: ImportRepository;
  readonly linkChecks: LinkCheckRepository;
  readonly linkMends: LinkMendRepository;
  readonly objectLayers: ObjectLayerRepository;
  readonly assistants: AssistantRepository;
  readonly files: FileRepository;
  readonly transfer: StoreTransfer;
  describe(): Promise<StoreDescription>;
  /** Rejects with STORE_UNAVAILABLE when the store cannot answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** How far a store is brought up to date. */
export interface SchemaState {
  /** Changes of the schema that the store has; 0 where nothing is stored yet. */
  readonly applied: number;
  /** Those that this program knows. */
  readonly known: number;
  /** Whether this program would do harm to it, as it does not know all of them. */
  readonly isTooNew: boolean;
}

/** For the system page. */
export interface StoreDescription {
  readonly kind: 'sqlite' | 'mongo';
  /** The file, or the servers and the database; never a password. */
  readonly location: string;
  /** Of the library or the server. */
  readonly version: string;
  /** Number of migrations applied. */
  readonly migrations: number;
  /** Of all records; null where the store does not say. */
  readonly bytes: number | null;
}
