import { activityRecords, createActivityRepository } from './activity.ts';
import * as admins from './admins.ts';
import { apiKeyRecords, createApiKeyRepository } from './api-keys.ts';
import { assistantClientRecords, assistantGrantRecords, createAssistantRepository } from './assistants.ts';
import { auditRecords, createAuditRepository } from './audit.ts';
import type { OpenQueue } from './deliveries.ts';
import { createFeedbackRepository, feedbackRecords } from './feedback.ts';
import { createHarvestRepository, harvestRecords } from './harvest.ts';
import { createImportRepository, type ImportEntries, importEntryRecords, importRecords } from './imports.ts';
import { createInsightRepository, insightRecords, type ListTopInsight, pendingSearchRecords } from './insight.ts';
import * as links from './link-checks.ts';
import { createLtiRegistrationRepository, ltiDeploymentRecords, ltiRegistrationRecords } from './lti-registrations.ts';
import { createObjectLayerRepository, objectChangeRecords } from './object-layers.ts';
import { createPeopleRepository, personRecords } from './people.ts';
import { type AnyDescription, createPersonalRecordRepository } from './personal/personal-records.ts';
import { createPlacementRepository, ltiLinkRecords, placementRecords } from './placements.ts';
import { createPlanRepository, planRecords } from './plans.ts';
import type { OpenRecords } from './record.ts';
import { createScoreRepository, scoreRecords } from './scores.ts';
import { createSecretRepository, secretRecords } from './secrets.ts';
import { createShelfRepository, type ShelfRepository, shelfRecords } from './shelf.ts';
import type { RateCounterRepository } from './short-lived.ts';
import * as shortLivedParts from './short-lived.ts';
import { createSlackInstallationRepository, slackInstallationRecords } from './slack-installations.ts';
import { createTenantRepository, type TenantRepository, tenantRecords } from './tenants.ts';
import { createUsageRepository, type UsageRepository, usageRecords } from './usage.ts';

export * from './activity.ts';
export * from './admins.ts';
export * from './api-keys.ts';
export * from './assistants.ts';
export * from './audit.ts';
export * from './deliveries.ts';
export * from './feedback.ts';
export * from './harvest.ts';
export * from './imports.ts';
export * from './insight.ts';
export * from './link-checks.ts';
export * from './lti-registrations.ts';
export * from './object-layers.ts';
export * from './people.ts';
export * from './personal/personal-records.ts';
export * from './placements.ts';
export * from './plans.ts';
export * from './record.ts';
export * from './scores.ts';
export * from './secrets.ts';
export * from './shelf.ts';
export * from './short-lived.ts';
export * from './slack-installations.ts';
export * from './tenants.ts';
export * from './usage.ts';

const eraseStoreTypes = <N extends string>(descriptions: Readonly<Record<N, { readonly name: string }>>) =>
  descriptions as unknown as Readonly<Record<N, AnyDescription>>;

/** Records by their names in copies. Each comes after the collections that it refers to. */
export const longLivedRecords = eraseStoreTypes({
  tenants: tenantRecords,
  secrets: secretRecords,
  apiKeys: apiKeyRecords,
  feedback: feedbackRecords,
  audit: auditRecords,
  admins: admins.adminRecords,
  adminLinks: admins.adminLinkRecords,
  adminSessions: admins.adminSessionRecords,
  usage: usageRecords,
  shelf: shelfRecords,
  ltiRegistrations: ltiRegistrationRecords,
  ltiDeployments: ltiDeploymentRecords,
  placements: placementRecords,
  ltiLinks: ltiLinkRecords,
  activity: activityRecords,
  scores: scoreRecords,
  slackInstallations: slackInstallationRecords,
  people: personRecords,
  imports: importRecords,
  importEntries: importEntryRecords,
  linkChecks: links.linkCheckRecords,
  linkMends: links.linkMendRecords,
  objectChanges: objectChangeRecords,
  insight: insightRecords,
  assistantClients: assistantClientRecords,
  assistantGrants: assistantGrantRecords,
  harvest: harvestRecords,
  plans: planRecords,
});

/** Records that are not copied: they live for minutes to days, or can be created again (files). */
const shortLived = eraseStoreTypes({
  rateWindows: shortLivedParts.rateWindowRecords,
  nonces: shortLivedParts.nonceRecords,
  answers: shortLivedParts.answerRecords,
  insightWaiting: pendingSearchRecords,
  files: shortLivedParts.fileRecords,
  fileParts: shortLivedParts.filePartRecords,
});
export type ShortLivedCollection = keyof typeof shortLived;
export const shortLivedRecords: readonly AnyDescription[] = Object.values(shortLived);
export type StoreCollection = keyof typeof longLivedRecords;
export const storeCollections = Object.keys(longLivedRecords) as readonly StoreCollection[];
export const storeRecords = [...Object.values(longLivedRecords), ...shortLivedRecords];
/** Version of the schema, which every change of a description raises. */
export const SCHEMA_VERSION = 22;

/** Each store implements these; everything else follows from the descriptions. */
export interface StoreParts {
  /** Wraps a repository so that its calls reject with STORE_UNAVAILABLE if the store fails. */
  readonly explain: <T extends object>(repository: T) => T;
  readonly open: OpenRecords;
  readonly openQueue: OpenQueue;
  readonly removeTenant: TenantRepository['removeTenant'];
  readonly addUsage: UsageRepository['addUsage'];
  readonly addToShelf: ShelfRepository['addToShelf'];
  readonly listTopInsight: ListTopInsight;
  readonly rateCounters: RateCounterRepository;
  readonly importEntries: ImportEntries;
}

type Repositories = Readonly<ReturnType<typeof assembleRepositories>>;

export function createRepositories(parts: StoreParts): Repositories {
  const explained = Object.entries(assembleRepositories(parts)).map(([name, repository]) => [
    name,
    parts.explain(repository as object),
  ]);
  return Object.fromEntries(explained) as Repositories;
}

function assembleRepositories({ open, openQueue, ...parts }: StoreParts) {
  return {
    tenants: createTenantRepository(open, parts.removeTenant),
    secrets: createSecretRepository(open),
    apiKeys: createApiKeyRepository(open),
    feedback: createFeedbackRepository(open, openQueue),
    audit: createAuditRepository(open),
    admins: admins.createAdminRepository(open),
    adminLinks: admins.createAdminLinkRepository(open),
    adminSessions: admins.createAdminSessionRepository(open),
    usage: createUsageRepository(open, parts.addUsage),
    insight: createInsightRepository(open, parts.listTopInsight),
    rateCounters: parts.rateCounters,
    nonces: shortLivedParts.createNonceRepository(open),
    answers: shortLivedParts.createAnswerRepository(open),
    shelf: createShelfRepository(open, parts.addToShelf),
    ltiRegistrations: createLtiRegistrationRepository(open),
    placements: createPlacementRepository(open),
    activity: createActivityRepository(open),
    scores: createScoreRepository(open, openQueue),
    slackInstallations: createSlackInstallationRepository(open),
    people: createPeopleRepository(open),
    imports: createImportRepository(open, parts.importEntries),
    linkChecks: links.createLinkCheckRepository(open),
    linkMends: links.createLinkMendRepository(open),
    objectLayers: createObjectLayerRepository(open),
    assistants: createAssistantRepository(open),
    files: shortLivedParts.createFileRepository(open),
    harvest: createHarvestRepository(open),
    plans: createPlanRepository(open),
    personal: createPersonalRecordRepository(open, storeRecords),
  };
}

/** Names and addresses sort as `foldText` writes them, ids as they are. Expiry is checked on
 *  reading, by the caller's clock; a record has expired at `expiresAt` itself. Every claim is one
 *  atomic step, also between hosts. Every call may reject with STORE_UNAVAILABLE, and does after
 *  `close`, which may be repeated. */
export interface Store extends Repositories {
  readonly transfer: StoreTransfer;
  describe(): Promise<StoreDescription>;
  /** Rejects with STORE_UNAVAILABLE when the store does not answer. */
  check(): Promise<void>;
  /** Removes what expired over an hour ago, and the bytes of removed records from files beside the
   *  store. Where a reader prevents it, the next call does. */
  dropRemains(now: Date): Promise<void>;
  close(): Promise<void>;
}

export interface SchemaState {
  /** 0 for an empty store. */
  readonly applied: number;
  readonly current: number;
  readonly isTooNew: boolean;
}

export interface StoreDescription {
  readonly kind: 'sqlite' | 'mongo';
  /** The file, or the servers and the database; never a password. */
  readonly location: string;
  /** Version of the library or the server. */
  readonly version: string;
  readonly schemaVersion: number;
  /** Null if the store does not report it. */
  readonly bytes: number | null;
}

/** A record in a copy. `domain/record-key.ts` joins its key, which gives the order. In the key of
 *  an import entry, the kind is its index and the number has nine digits. */
export interface TransferRecord {
  readonly key: string;
  /** JSON values and `Date`s. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface StoreTransfer {
  /** Reads records after `after` in the order of keys (UTF-8 bytes), at most `limit` (to 1,000). */
  readRecords(collection: StoreCollection, after: string | null, limit: number): Promise<readonly TransferRecord[]>;
  /** Adds records, or replaces them by key. */
  writeRecords(collection: StoreCollection, records: readonly TransferRecord[]): Promise<void>;
}
