import type Database from 'libsql';
import type { AdminLinkRecord, AdminLinkRepository } from '../../ports/store/store.ts';
import { instant, json, nullable, text } from './columns.ts';
import { defineTable } from './table.ts';

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
