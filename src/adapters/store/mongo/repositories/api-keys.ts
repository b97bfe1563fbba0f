import type { Connection } from 'mongoose';
import { foldText } from '../../../../domain/text.ts';
import type { ApiKeyRecord, ApiKeyRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { flag, instant, integer, text, texts } from '../fields.ts';
import { listOrderIndexes, listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';

const sorts = {
  createdAt: ['createdAt'],
  name: ['derived.name'],
  lastUsedAt: ['derived.unused', 'lastUsedAt'],
} as const;

export const apiKeys = defineCollection<ApiKeyRecord>('apiKeys', {
  fields: {
    tenantId: text,
    name: text,
    keyHash: text,
    scopes: texts,
    perSecond: integer,
    perDay: integer,
    createdAt: instant,
    expiresAt: instant,
    revokedAt: instant,
    lastUsedAt: instant,
  },
  derived: {
    name: { field: text, of: ({ name }) => foldText(name) },
    unused: { field: flag, of: ({ lastUsedAt }) => lastUsedAt === null },
  },
  indexes: [{ key: { keyHash: 1 }, unique: true }, { key: { tenantId: 1 } }, ...listOrderIndexes(sorts)],
});

export function createApiKeyRepository(connection: Connection): ApiKeyRepository {
  const model = openCollection(connection, apiKeys);
  return {
    async addApiKey(record) {
      await model.insertOne(apiKeys.toDocument(record));
    },
    findApiKey: async (id) =>
      apiKeys.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    findApiKeyByHash: async (keyHash) =>
      apiKeys.toRecordOrNull(await model.findOne({ keyHash }).lean<Document | null>()),
    listApiKeys: (request) =>
      listPage(model, apiKeys, {
        conditions: [...matchListScope(request.scope), ...matchListText('derived.name', request.search)],
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    revokeApiKey: async (id, revokedAt) =>
      (await model.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt } })).matchedCount === 1,
    async noteApiKeyUse(id, usedAt) {
      await model.updateOne(
        { _id: id, $or: [{ 'derived.unused': true }, { lastUsedAt: { $lt: usedAt } }] },
        { $set: { lastUsedAt: usedAt, 'derived.unused': false } },
      );
    },
  };
}
