import type Database from 'libsql';
import type { ShelfOwner, ShelfRecord, ShelfRepository } from '../../../../ports/store/store.ts';
import { instant, json, nullable, text } from '../columns.ts';
import { listPage } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const shelf = defineTable<ShelfRecord>('shelf', {
  columns: {
    tenantId: text(),
    person: text(),
    address: text(),
    object: json(),
    requestId: nullable(text()),
    savedAt: instant,
  },
  key: ['tenantId', 'person', 'address'],
});

export const ofOwner = 'WHERE tenant_id = ? AND person = ?';
/** Everyone whose name begins with the prefix, byte by byte: LIKE would give `%` and `_` a meaning, and ignore case. */
export const ofOwners = 'WHERE tenant_id = ? AND instr(person, ?) = 1';

export function createShelfRepository(database: Database.Database): ShelfRepository {
  const count = database.prepare(`SELECT count(*) AS total FROM shelf ${ofOwner}`);
  const one = database.prepare(`SELECT 1 FROM shelf ${ofOwner} AND address = ?`);
  const insert = database.prepare(shelf.insert);
  const find = database.prepare(
    `SELECT address FROM shelf ${ofOwner} AND address IN (SELECT value FROM json_each(?))`,
  );
  const remove = database.prepare(`DELETE FROM shelf ${ofOwner} AND address = ?`);
  const clear = database.prepare(`DELETE FROM shelf ${ofOwner}`);
  const clearAll = database.prepare(`DELETE FROM shelf ${ofOwners}`);
  const add = database.transaction((record: ShelfRecord, capacity: number) => {
    const { tenantId, person, address } = record;
    if (one.get(tenantId, person, address) !== undefined) return 'kept';
    if ((count.get(tenantId, person) as { total: number }).total >= capacity) return 'full';
    insert.run(shelf.toValues(record));
    return 'added';
  });
  return {
    addToShelf: async (record, capacity) => add.immediate(record, capacity),
    listShelf: async (owner, page) =>
      listPage(database, shelf, {
        conditions: [isOf(owner)],
        order: 'ORDER BY saved_at DESC, address',
        page,
      }),
    async findOnShelf({ tenantId, person }, addresses) {
      const found = find.all(tenantId, person, JSON.stringify(addresses)) as { address: string }[];
      return found.map(({ address }) => address);
    },
    removeFromShelf: async ({ tenantId, person }, address) =>
      remove.run(tenantId, person, address).changes === 1,
    clearShelf: async ({ tenantId, person }) => clear.run(tenantId, person).changes,
    clearShelves: async (tenantId, prefix) => clearAll.run(tenantId, prefix).changes,
  };
}

function isOf({ tenantId, person }: ShelfOwner) {
  return { sql: 'tenant_id = ? AND person = ?', values: [tenantId, person] };
}
