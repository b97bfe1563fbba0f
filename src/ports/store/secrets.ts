import { describeRecord, instant, nullable, type OpenRecords, ofTenant, type RecordOf, text } from './record.ts';
export const secretRecords = describeRecord('secrets', {
  fields: {
    tenantId: ofTenant,
    /** Unique in the tenant: `upstream-api-key`, `marketplace-key`, `lti-key:<registration id>`,
     *  `slack-bot-token:<installation id>:<milliseconds>`, `slack-app`. */
    name: text(),
    /** The only origin to send it to: `https://api.example.org`; of a signing key, its `kid`. */
    boundTo: text(),
    /** Written by `services/host/secrets.ts`, with the id of the sealing key. */
    sealed: text(),
    /** The last four characters, to tell keys apart; null for secrets too short to show any. */
    lastFour: nullable(text()),
    updatedAt: instant,
  },
  key: ['tenantId', 'name'],
  hasShortRows: true,
});

/** A sealed secret, unreadable without a SECRET_KEY. All secrets of the store are here. */
export type SecretRecord = RecordOf<typeof secretRecords>;

export interface SecretRepository {
  /** Adds it, or replaces the one of the same tenant and name. */
  putSecret(record: SecretRecord): Promise<void>;
  findSecret(tenantId: string, name: string): Promise<SecretRecord | null>;
  /** In the order of tenant and name, those after `after`, at most `limit` (1 to 1,000). */
  listSecrets(after: Pick<SecretRecord, 'tenantId' | 'name'> | null, limit: number): Promise<readonly SecretRecord[]>;
  /** Puts `resealed` where exactly `record.sealed` stands; false when it was changed meanwhile. */
  resealSecret(record: SecretRecord, resealed: string): Promise<boolean>;
  /** False when there was none. */
  removeSecret(tenantId: string, name: string): Promise<boolean>;
}

export function createSecretRepository(open: OpenRecords): SecretRepository {
  const records = open(secretRecords);
  return {
    putSecret: (record) => records.put([record]),
    findSecret: (tenantId, name) => records.get({ tenantId, name }),
    listSecrets: (after, limit) => records.find({ after, limit }),
    resealSecret: async ({ tenantId, name, sealed }, resealed) =>
      (await records.changeIf({ tenantId, name, sealed }, { sealed: resealed })) === 1,
    removeSecret: async (tenantId, name) => (await records.remove({ tenantId, name })) === 1,
  };
}
