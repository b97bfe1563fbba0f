import type { Connection } from 'mongoose';
import type { SecretRecord, SecretRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { instant, text } from '../fields.ts';

/** Tenant ids contain neither a blank nor anything sorted before it, so keys sort by tenant, then name. */
const keyOf = ({ tenantId, name }: Pick<SecretRecord, 'tenantId' | 'name'>) => `${tenantId} ${name}`;

export const secrets = defineCollection<SecretRecord>('secrets', {
  fields: { tenantId: text, name: text, boundTo: text, sealed: text, lastFour: text, updatedAt: instant },
  key: keyOf,
  indexes: [{ key: { tenantId: 1 } }],
});

export function createSecretRepository(connection: Connection): SecretRepository {
  const model = openCollection(connection, secrets);
  return {
    async putSecret(record) {
      await model.replaceOne({ _id: keyOf(record) }, secrets.toDocument(record), { upsert: true });
    },
    findSecret: async (tenantId, name) =>
      secrets.toRecordOrNull(await model.findOne({ _id: keyOf({ tenantId, name }) }).lean<Document | null>()),
    async listSecrets(after, limit) {
      const later = after === null ? {} : { _id: { $gt: keyOf(after) } };
      return (await model.find(later).sort({ _id: 1 }).limit(limit).lean<Document[]>()).map(secrets.toRecord);
    },
    async resealSecret(record, resealed) {
      const standing = { _id: keyOf(record), sealed: record.sealed };
      return (await model.updateOne(standing, { $set: { sealed: resealed } })).matchedCount === 1;
    },
    removeSecret: async (tenantId, name) =>
      (await model.deleteOne({ _id: keyOf({ tenantId, name }) })).deletedCount === 1,
  };
}
