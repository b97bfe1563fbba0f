import type Database from 'libsql';
import type { ObjectChange, ObjectLayerRepository } from '../../../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from '../columns.ts';
import { writeUnlessTaken } from '../database.ts';
import { defineTable } from '../table.ts';

export const objectChanges = defineTable<ObjectChange>('object_changes', {
  columns: {
    tenantId: text(),
    address: text(),
    url: text(),
    state: json(),
    before: nullable(json()),
    suggestedBy: nullable(text()),
    changedBy: text(),
    changedAt: instant,
    version: integer,
  },
  key: ['tenantId', 'address'],
});

export function createObjectLayerRepository(database: Database.Database): ObjectLayerRepository {
  const insert = database.prepare(objectChanges.insert);
  const replace = database.prepare(
    `${objectChanges.update} WHERE tenant_id = ? AND address = ? AND version = ?`,
  );
  const one = database.prepare(objectChanges.select('WHERE tenant_id = ? AND address = ?'));
  const after = database.prepare(
    objectChanges.select('WHERE tenant_id = ? AND address > ? ORDER BY address LIMIT ?'),
  );
  const versions = database.prepare(
    `SELECT tenant_id AS id, sum(version) AS changes, max(changed_at) AS at FROM object_changes
      WHERE tenant_id IN (SELECT value FROM json_each(?)) GROUP BY tenant_id`,
  );
  return {
    async saveObjectChange(change) {
      const { tenantId, address, version } = change;
      if (version === 1)
        return writeUnlessTaken(() => insert.run(objectChanges.toValues(change)).changes === 1);
      const changed = [...objectChanges.toChanges(change), tenantId, address, version - 1];
      return replace.run(changed).changes === 1;
    },
    findObjectChange: async (tenantId, address) => objectChanges.toRecordOrNull(one.get(tenantId, address)),
    readObjectChanges: async (tenantId, from, limit) =>
      after.all(tenantId, from ?? '', limit).map(objectChanges.toRecord),
    async readObjectLayerVersions(tenantIds) {
      const rows = versions.all(JSON.stringify(tenantIds)) as { id: string; changes: number; at: number }[];
      return new Map(rows.map(({ id, changes, at }) => [id, `${changes}-${at}`]));
    },
  };
}
