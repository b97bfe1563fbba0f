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
  type Page,
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

export interface ApiKeyRepository {
  addApiKey(record: ApiKeyRecord): Promise<void>;
  findApiKey(id: string): Promise<ApiKeyRecord | null>;
  findApiKeyByHash(keyHash: string): Promise<ApiKeyRecord | null>;
  /** Ties are in the order of the ids. */
  listApiKeys(request: ApiKeyListRequest): Promise<Page<ApiKeyRecord>>;
  /** False when there is no such key or it was revoked before. */
  revokeApiKey(id: string, revokedAt: Date): Promise<boolean>;
  /** Never moves the instant back. */
  noteApiKeyUse(id: string, usedAt: Date): Promise<void>;
}

export function createApiKeyRepository(open: OpenRecords): ApiKeyRepository {
  const records = open(apiKeyRecords);
  return {
    addApiKey: (record) => records.add([record]),
    findApiKey: (id) => records.get({ id }),
    findApiKeyByHash: (keyHash) => records.get({ keyHash }),
    listApiKeys: (request) =>
      records.page(
        {
          where: { tenantId: inScope(request.scope), 'derived.name': containing(request.search) },
          order: sortBy(apiKeyRecords, request),
        },
        request,
      ),
    revokeApiKey: async (id, revokedAt) => (await records.changeIf({ id, revokedAt: null }, { revokedAt })) === 1,
    async noteApiKeyUse(id, usedAt) {
      await records.changeIf({ id, lastUsedAt: orNull(below(usedAt)) }, { lastUsedAt: usedAt });
    },
  };
}
