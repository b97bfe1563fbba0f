import type { TenantScope } from '../../domain/admin.ts';
import type { ApiKeyScope } from '../../domain/tenant.ts';
import type { Page, PageRequest } from './page.ts';

export interface ApiKeyRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal; the key itself is never kept. */
  readonly keyHash: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Requests. */
  readonly perSecond: number;
  readonly perDay: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute; null when it was never used. */
  readonly lastUsedAt: Date | null;
}

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
