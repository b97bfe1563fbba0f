import type Database from 'libsql';
import type { SecretRecord, SecretRepository } from '../../../../ports/store/store.ts';
import { instant, nullable, text } from '../columns.ts';
import { defineTable } from '../table.ts';

export const secrets = defineTable<SecretRecord>('secrets', {
  columns: {
    tenantId: text(),
    name: text(),
    boundTo: text(),
    sealed: text(),
    lastFour: nullable(text()),
    updatedAt: instant,
  },
  key: ['tenantId', 'name'],
});

export function createSecretRepository(database: Database.Database): SecretRepository {
  const put = database.prepare(secrets.upsert);
  const one = database.prepare(secrets.select('WHERE tenant_id = ? AND name = ?'));
  const following = database.prepare(
    secrets.select('WHERE (tenant_id, name) > (?, ?) ORDER BY tenant_id, name LIMIT ?'),
  );
  const reseal = database.prepare(
    'UPDATE secrets SET sealed = ? WHERE tenant_id = ? AND name = ? AND sealed = ?',
  );
  const remove = database.prepare('DELETE FROM secrets WHERE tenant_id = ? AND name = ?');
  return {
    async putSecret(record) {
      put.run(secrets.toValues(record));
    },
    findSecret: async (tenantId, name) => secrets.toRecordOrNull(one.get(tenantId, name)),
    // No tenant id is empty, so the empty one sorts before them all.
    listSecrets: async (after, limit) =>
      following.all(after?.tenantId ?? '', after?.name ?? '', limit).map(secrets.toRecord),
    resealSecret: async ({ tenantId, name, sealed }, resealed) =>
      reseal.run(resealed, tenantId, name, sealed).changes === 1,
    removeSecret: async (tenantId, name) => remove.run(tenantId, name).changes === 1,
  };
}
