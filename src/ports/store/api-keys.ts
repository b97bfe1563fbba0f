import type { TenantScope } from '#domain/admin';
import type { ApiKeyScope } from '#domain/tenant';
import { foldText } from '#domain/text';
import { describeRecord, field, is, type OpenRecords, type PageRequest, type RecordOf, sortBy } from './record.ts';

export const apiKeyRecords = describeRecord('apiKeys', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    name: field.text(),
    /** SHA-256 of the key, hexadecimal; the key itself is never kept. */
    keyHash: field.text(),
    scopes: field.texts<ApiKeyScope>(),
    /** Requests. */
    perSecond: field.integer,
    perDay: field.integer,
    createdAt: field.instant,
    expiresAt: field.nullable(field.instant),
    revokedAt: field.nullable(field.instant),
    /** To the minute; null when it was never used. */
    lastUsedAt: field.nullable(field.instant),
  },
  derived: { name: { of: ({ name }) => foldText(name) } },
  unique: [['keyHash']],
  sorts: { createdAt: 'createdAt', name: 'derived.name', lastUsedAt: 'lastUsedAt' },
});

export type ApiKeyRecord = RecordOf<typeof apiKeyRecords>;

export interface ApiKeyListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name, in any case; empty finds all. */
  readonly search: string;
  /** Keys never used come last, whichever way. */
  readonly sort: 'createdAt' | 'name' | 'lastUsedAt';
  readonly descending: boolean;
}

export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>;

export function createApiKeyRepository(open: OpenRecords) {
  const records = open(apiKeyRecords);
  return {
    addApiKey: (record: ApiKeyRecord) => records.add([record]),
    findApiKey: (id: string) => records.get({ id }),
    findApiKeyByHash: (keyHash: string) => records.get({ keyHash }),
    /** Ties are in the order of the ids. */
    listApiKeys: (request: ApiKeyListRequest) =>
      records.page(
        {
          where: { tenantId: is.inScope(request.scope), 'derived.name': is.containing(request.search) },
          order: sortBy(apiKeyRecords, request),
        },
        request,
      ),
    /** False when there is no such key or it was revoked before. */
    revokeApiKey: async (id: string, revokedAt: Date) =>
      (await records.changeIf({ id, revokedAt: null }, { revokedAt })) === 1,
    /** Never moves the instant back. */
    async noteApiKeyUse(id: string, usedAt: Date): Promise<void> {
      await records.changeIf({ id, lastUsedAt: is.orNull(is.below(usedAt)) }, { lastUsedAt: usedAt });
    },
  };
}
