import type { ActivityRepository } from './store/activity.ts';
import type { AdminLinkRepository, AdminRepository, AdminSessionRepository } from './store/admins.ts';
import type { ApiKeyRepository } from './store/api-keys.ts';
import type { AuditRepository } from './store/audit.ts';
import type { FeedbackRepository } from './store/feedback.ts';
import type { ImportRepository } from './store/imports.ts';
import type { LinkCheckRepository } from './store/link-checks.ts';
import type { LtiRegistrationRepository } from './store/lti-registrations.ts';
import type { PeopleRepository } from './store/people.ts';
import type { PlacementRepository } from './store/placements.ts';
import type { ScoreRepository } from './store/scores.ts';
import type { SecretRepository } from './store/secrets.ts';
import type { ShelfRepository } from './store/shelf.ts';
import type { AnswerRepository, NonceRepository, RateCounterRepository } from './store/short-lived.ts';
import type { SlackInstallationRepository } from './store/slack-installations.ts';
import type { TenantRepository } from './store/tenants.ts';
import type { StoreTransfer } from './store/transfer.ts';
import type { UsageRepository } from './store/usage.ts';

export * from './store/activity.ts';
export * from './store/admins.ts';
export * from './store/api-keys.ts';
export * from './store/audit.ts';
export * from './store/feedback.ts';
export * from './store/imports.ts';
export * from './store/link-checks.ts';
export * from './store/lti-registrations.ts';
export * from './store/page.ts';
export * from './store/people.ts';
export * from './store/placements.ts';
export * from './store/scores.ts';
export * from './store/secrets.ts';
export * from './store/shelf.ts';
export * from './store/short-lived.ts';
export * from './store/slack-installations.ts';
export * from './store/tenants.ts';
export * from './store/transfer.ts';
export * from './store/usage.ts';

/** Everything kept between requests. Lists say their order; names and addresses sort as `foldText` writes them, ids as
 *  they are. Whatever expires is judged on reading, by the clock of the caller, and is over at `expiresAt` itself. Every
 *  claim is one atomic step, also between hosts. Every call may reject with STORE_UNAVAILABLE; once the store is closed
 *  it does, and closing it again does nothing. */
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
  readonly transfer: StoreTransfer;
  describe(): Promise<StoreDescription>;
  /** Rejects with STORE_UNAVAILABLE when the store cannot answer. */
  check(): Promise<void>;
  close(): Promise<void>;
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
