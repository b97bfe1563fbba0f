/** What a store keeps for long, in an order in which it can be copied. Rate windows, nonces, shared answers and searches that wait
 *  for more people live for minutes to days, and shared files can be made again: they stay behind. */
export const storeCollections = [
  'tenants',
  'secrets',
  'apiKeys',
  'feedback',
  'audit',
  'admins',
  'adminLinks',
  'adminSessions',
  'usage',
  'shelf',
  'ltiRegistrations',
  'ltiDeployments',
  'placements',
  'ltiLinks',
  'activity',
  'scores',
  'slackInstallations',
  'people',
  'imports',
  'importEntries',
  'linkChecks',
  'linkMends',
  'objectChanges',
  'insight',
  'assistantClients',
  'assistantGrants',
] as const;
export type StoreCollection = (typeof storeCollections)[number];

/** A record of a collection as its repository gives it, under the key that it is ordered and found by: its id; of a secret
 *  `tenantId name`, of a usage count `tenantId day metric`, of an object on a shelf `tenantId person address`, of a deployment
 *  `registrationId deploymentId`, of what was searched for `tenantId day kind name`, of an activity `tenantId linkId userId`, of a person `tenantId person`, of a change of an object `tenantId address`, of an entry of an import `dataset kind key part importNumber` (the kind as
 *  its place in the list of kinds, the number with nine digits), with one blank
 *  between and the blanks within all parts but the last escaped (see `domain/record-key.ts`). */
export interface TransferRecord {
  readonly key: string;
  /** Plain JSON values and `Date`s. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** Reading and writing everything, for copying from one store into another. */
export interface StoreTransfer {
  /** In the order of the keys (as UTF-8 bytes), those after `after`, at most `limit` (1 to 1,000). */
  readRecords(
    collection: StoreCollection,
    after: string | null,
    limit: number,
  ): Promise<readonly TransferRecord[]>;
  /** Adds the records or replaces those with the same keys. */
  writeRecords(collection: StoreCollection, records: readonly TransferRecord[]): Promise<void>;
}
