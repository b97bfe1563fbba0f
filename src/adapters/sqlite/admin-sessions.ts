import type Database from 'libsql';
import type { AdminSessionRecord, AdminSessionRepository } from '../../ports/store/store.ts';
import { instant, nullable, text } from './columns.ts';
import { defineTable } from './table.ts';
import type { Tidy } from './tidy.ts';

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
