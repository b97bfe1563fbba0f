import { describeRecord, field, type OpenRecords, type RecordOf } from './record.ts';
export const secretRecords = describeRecord('secrets', {
  fields: {
    tenantId: field.ofTenant,
    /** Unique in the tenant: `upstream-api-key`, `marketplace-key`, `lti-key:<registration id>`,
     *  `slack-bot-token:<installation id>:<milliseconds>`, `slack-app`. */
    name: field.text(),
    /** The only origin to send it to: `https://api.example.org`; for a signing key, its `kid`. */
    boundTo: field.text(),
    /** Written by `services/host/secrets.ts`, with the id of the sealing key. */
    sealed: field.text(),
    /** The last four characters, to tell keys apart; null for secrets too short to show any. */
    lastFour: field.nullable(field.text()),
    updatedAt: field.instant,
  },
  impersonal: 'tenantId name boundTo sealed lastFour updatedAt',
  key: ['tenantId', 'name'],
  hasShortRows: true,
});

/** A sealed secret, which can only be read with a SECRET_KEY. */
export type SecretRecord = RecordOf<typeof secretRecords>;
export type SecretRepository = ReturnType<typeof createSecretRepository>;

export function createSecretRepository(open: OpenRecords) {
  const records = open(secretRecords);
  return {
    putSecret: (record: SecretRecord) => records.put([record]),
    findSecret: (tenantId: string, name: string) => records.get({ tenantId, name }),
    /** Lists secrets after `after` in the order of tenant and name, at most `limit` (to 1,000). */
    listSecrets: (after: Pick<SecretRecord, 'tenantId' | 'name'> | null, limit: number) =>
      records.find({ after, limit }),
    /** Replaces the sealed text. Returns false when it was changed meanwhile. */
    resealSecret: async ({ tenantId, name, sealed }: SecretRecord, resealed: string) =>
      (await records.changeIf({ tenantId, name, sealed }, { sealed: resealed })) === 1,
    removeSecret: async (tenantId: string, name: string) => (await records.remove({ tenantId, name })) === 1,
  };
}
