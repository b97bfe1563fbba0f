import type Database from 'libsql';
import type { ApiKeyScope } from '../../domain/api-key.ts';
import type { ApiKeyRecord, ApiKeyRepository } from '../../ports/store.ts';

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly key_hash: string;
  /** Joined by spaces. */
  readonly scopes: string;
  readonly per_second: number;
  readonly per_day: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export function createApiKeyRepository(database: Database.Database): ApiKeyRepository {
  const insert = database.prepare(
    `INSERT INTO api_keys (id, name, key_hash, scopes, per_second, per_day, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byHash = database.prepare('SELECT * FROM api_keys WHERE key_hash = ?');
  const oldestFirst = database.prepare('SELECT * FROM api_keys ORDER BY created_at, id');
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  return {
    async addApiKey(key) {
      insert.run(
        key.id,
        key.name,
        key.keyHash,
        key.scopes.join(' '),
        key.perSecond,
        key.perDay,
        key.createdAt.getTime(),
        key.expiresAt?.getTime() ?? null,
        key.revokedAt?.getTime() ?? null,
      );
    },
    async findApiKeyByHash(keyHash) {
      const row = byHash.get(keyHash) as ApiKeyRow | undefined;
      return row === undefined ? null : toRecord(row);
    },
    listApiKeys: async () => (oldestFirst.all() as ApiKeyRow[]).map(toRecord),
    revokeApiKey: async (id, revokedAt) => revoke.run(revokedAt.getTime(), id).changes === 1,
  };
}

function toRecord(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    keyHash: row.key_hash,
    scopes: row.scopes.split(' ') as ApiKeyScope[],
    perSecond: row.per_second,
    perDay: row.per_day,
    createdAt: new Date(row.created_at),
    expiresAt: toDate(row.expires_at),
    revokedAt: toDate(row.revoked_at),
  };
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
