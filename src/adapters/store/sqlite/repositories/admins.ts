import type Database from 'libsql';
import { foldText } from '../../../../domain/text.ts';
import type {
  AdminLinkRecord,
  AdminLinkRepository,
  AdminRecord,
  AdminRepository,
  AdminSessionRecord,
  AdminSessionRepository,
} from '../../../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from '../columns.ts';
import { type Tidy, writeUnlessTaken } from '../database.ts';
import { joinListConditions, listPage, matchListText, matchListValue, orderListBy } from '../list-page.ts';
import { defineTable } from '../table.ts';

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
    addAdmin: async (record) => writeUnlessTaken(() => insert.run(admins.toValues(record)).changes === 1),
    findAdmin: async (id) => admins.toRecordOrNull(byId.get(id)),
    findAdminByName: async (name) => admins.toRecordOrNull(byName.get(foldText(name))),
    findAdminByOidcSubject: async (subject) => admins.toRecordOrNull(bySubject.get(subject)),
    replaceAdmin: async (record) =>
      writeUnlessTaken(
        () => replace.run([...admins.toChanges(record), record.id, record.version - 1]).changes === 1,
      ),
    listAdmins: async (request) =>
      listPage(database, admins, {
        conditions: matchListText('name_folded', request.search),
        order: orderListBy(sortColumns[request.sort], request.descending),
        page: request,
      }),
    async countAdmins(role) {
      const { sql, values } = joinListConditions(matchListValue('role', role ?? null));
      const count = database.prepare(`SELECT COUNT(*) AS total FROM admins ${sql}`);
      return (count.get([...values]) as { total: number }).total;
    },
    removeAdmin: async (id) => remove.run(id).changes === 1,
  };
}

export const adminLinks = defineTable<AdminLinkRecord>('admin_links', {
  columns: {
    id: text(),
    kind: text(),
    adminId: nullable(text()),
    role: text(),
    tenants: nullable(json()),
    createdBy: text(),
    createdById: nullable(text()),
    createdAt: instant,
    expiresAt: instant,
  },
});

export function createAdminLinkRepository(database: Database.Database): AdminLinkRepository {
  const insert = database.prepare(adminLinks.insert);
  const one = database.prepare(adminLinks.select('WHERE id = ? AND expires_at > ?'));
  const consume = database.prepare(
    `DELETE FROM admin_links WHERE id = ? AND expires_at > ? RETURNING ${adminLinks.fields}`,
  );
  const newest = database.prepare(
    adminLinks.select('WHERE expires_at > ? ORDER BY created_at DESC, id LIMIT 100'),
  );
  const remove = database.prepare('DELETE FROM admin_links WHERE id = ?');
  const removeBy = database.prepare('DELETE FROM admin_links WHERE created_by_id = ?');
  return {
    async addAdminLink(record) {
      insert.run(adminLinks.toValues(record));
    },
    findAdminLink: async (id, now) => adminLinks.toRecordOrNull(one.get(id, now.getTime())),
    consumeAdminLink: async (id, now) => adminLinks.toRecordOrNull(consume.get(id, now.getTime())),
    listAdminLinks: async (now) => newest.all(now.getTime()).map(adminLinks.toRecord),
    removeAdminLink: async (id) => remove.run(id).changes === 1,
    async removeAdminLinksBy(adminId) {
      removeBy.run(adminId);
    },
  };
}

export const adminSessions = defineTable<AdminSessionRecord>('admin_sessions', {
  columns: {
    id: text(),
    adminId: text(),
    createdAt: instant,
    lastSeenAt: instant,
    expiresAt: instant,
    address: nullable(text()),
    userAgent: nullable(text()),
  },
});

export function createAdminSessionRepository(
  database: Database.Database,
  tidy: Tidy,
): AdminSessionRepository {
  const insert = database.prepare(adminSessions.insert);
  const one = database.prepare(adminSessions.select('WHERE id = ? AND expires_at > ?'));
  const noteSeen = database.prepare(
    'UPDATE admin_sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?',
  );
  const ofAdmin = database.prepare(
    adminSessions.select('WHERE admin_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, id LIMIT 100'),
  );
  const remove = database.prepare('DELETE FROM admin_sessions WHERE id = ?');
  const removeOthers = database.prepare('DELETE FROM admin_sessions WHERE admin_id = ? AND id IS NOT ?');
  return {
    async addAdminSession(record) {
      insert.run(adminSessions.toValues(record));
    },
    async findAdminSession(id, now) {
      tidy(now);
      return adminSessions.toRecordOrNull(one.get(id, now.getTime()));
    },
    async noteAdminSessionSeen(id, seenAt) {
      noteSeen.run(seenAt.getTime(), id);
    },
    listAdminSessions: async (adminId, now) =>
      ofAdmin.all(adminId, now.getTime()).map(adminSessions.toRecord),
    async removeAdminSession(id) {
      remove.run(id);
    },
    async removeAdminSessions(adminId, exceptId) {
      removeOthers.run([adminId, exceptId]);
    },
  };
}
