import type { TenantScope } from '#domain/admin';
import type { ApiKeyScope } from '#domain/tenant';
import { foldText } from '#domain/text';
import {
  below,
  containing,
  describeRecord,
  inScope,
  instant,
  integer,
  nullable,
  type OpenRecords,
  ofTenant,
  orNull,
  type PageRequest,
  type RecordOf,
  sortBy,
  text,
  texts,
} from './record.ts';

export const apiKeyRecords = describeRecord('apiKeys', {
  fields: {
    id: text(),
    tenantId: ofTenant,
    name: text(),
    /** SHA-256 of the key, hexadecimal; the key itself is never kept. */
    keyHash: text(),
    scopes: texts<ApiKeyScope>(),
    /** Requests. */
    perSecond: integer,
    perDay: integer,
    createdAt: instant,
    expiresAt: nullable(instant),
    revokedAt: nullable(instant),
    /** To the minute; null when it was never used. */
    lastUsedAt: nullable(instant),
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
          where: { tenantId: inScope(request.scope), 'derived.name': containing(request.search) },
          order: sortBy(apiKeyRecords, request),
        },
        request,
      ),
    /** False when there is no such key or it was revoked before. */
    revokeApiKey: async (id: string, revokedAt: Date) =>
      (await records.changeIf({ id, revokedAt: null }, { revokedAt })) === 1,
    /** Never moves the instant back. */
    async noteApiKeyUse(id: string, usedAt: Date): Promise<void> {
      await records.changeIf({ id, lastUsedAt: orNull(below(usedAt)) }, { lastUsedAt: usedAt });
    },
  };
}
