import type Database from 'libsql';
import { foldText } from '../../../../domain/text.ts';
import type { ApiKeyListRequest, ApiKeyRecord, ApiKeyRepository } from '../../../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from '../columns.ts';
import { listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const apiKeys = defineTable<ApiKeyRecord>('api_keys', {
  columns: {
    id: text(),
    tenantId: text(),
    name: text(),
    keyHash: text(),
    scopes: json(),
    perSecond: integer,
    perDay: integer,
    createdAt: instant,
    expiresAt: nullable(instant),
    revokedAt: nullable(instant),
    lastUsedAt: nullable(instant),
  },
  derived: { name_folded: ({ name }) => foldText(name) },
});

const sortColumns = { createdAt: 'created_at', name: 'name_folded', lastUsedAt: 'last_used_at' } as const;

export function createApiKeyRepository(database: Database.Database): ApiKeyRepository {
  const insert = database.prepare(apiKeys.insert);
  const byId = database.prepare(apiKeys.select('WHERE id = ?'));
  const byHash = database.prepare(apiKeys.select('WHERE key_hash = ?'));
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const noteUse = database.prepare(
    'UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)',
  );
  return {
    async addApiKey(record) {
      insert.run(apiKeys.toValues(record));
    },
    findApiKey: async (id) => apiKeys.toRecordOrNull(byId.get(id)),
    findApiKeyByHash: async (keyHash) => apiKeys.toRecordOrNull(byHash.get(keyHash)),
    listApiKeys: async (request) => listApiKeys(database, request),
    revokeApiKey: async (id, revokedAt) => revoke.run(revokedAt.getTime(), id).changes === 1,
    async noteApiKeyUse(id, usedAt) {
      noteUse.run({ id, at: usedAt.getTime() });
    },
  };
}

function listApiKeys(database: Database.Database, request: ApiKeyListRequest) {
  return listPage(database, apiKeys, {
    conditions: [...matchListScope(request.scope), ...matchListText('name_folded', request.search)],
    order: orderListBy(sortColumns[request.sort], request.descending),
    page: request,
  });
}
