import type Database from 'libsql';
import { foldText } from '../../domain/text.ts';
import type { AdminRecord, AdminRepository } from '../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from './columns.ts';
import { unlessTaken } from './database.ts';
import { containing, equalTo, listPage, orderBy, where } from './list-page.ts';
import { defineTable } from './table.ts';

export const admins = defineTable<AdminRecord>('admins', {
  columns: {
    id: text(),
    name: text(),
    passwordHash: nullable(text()),
    oidcSubject: nullable(text()),
    role: text(),
    tenants: nullable(json()),
    createdAt: instant,
    lastSignInAt: nullable(instant),
    sessionsValidFrom: instant,
    version: integer,
  },
  derived: { name_folded: ({ name }) => foldText(name) },
});

const sortColumns = { name: 'name_folded', role: 'role', lastSignInAt: 'last_sign_in_at' } as const;

export function createAdminRepository(database: Database.Database): AdminRepository {
  const insert = database.prepare(admins.insert);
  const byId = database.prepare(admins.select('WHERE id = ?'));
  const byName = database.prepare(admins.select('WHERE name_folded = ?'));
  const bySubject = database.prepare(admins.select('WHERE oidc_subject = ?'));
  const replace = database.prepare(`${admins.update} WHERE id = ? AND version = ?`);
  const remove = database.prepare('DELETE FROM admins WHERE id = ?');
  return {
    addAdmin: async (record) => unlessTaken(() => insert.run(admins.toValues(record)).changes === 1),
    findAdmin: async (id) => admins.toRecordOrNull(byId.get(id)),
    findAdminByName: async (name) => admins.toRecordOrNull(byName.get(foldText(name))),
    findAdminByOidcSubject: async (subject) => admins.toRecordOrNull(bySubject.get(subject)),
    replaceAdmin: async (record) =>
      unlessTaken(
        () => replace.run([...admins.toChanges(record), record.id, record.version - 1]).changes === 1,
      ),
    listAdmins: async (request) =>
      listPage(database, admins, {
        conditions: containing('name_folded', request.search),
        order: orderBy(sortColumns[request.sort], request.descending),
        page: request,
      }),
    async countAdmins(role) {
      const { sql, values } = where(equalTo('role', role ?? null));
      const count = database.prepare(`SELECT COUNT(*) AS total FROM admins ${sql}`);
      return (count.get([...values]) as { total: number }).total;
    },
    removeAdmin: async (id) => remove.run(id).changes === 1,
  };
}
