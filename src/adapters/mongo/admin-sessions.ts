import type { Connection } from 'mongoose';
import type { AdminSessionRecord, AdminSessionRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { EXPIRED_KEPT_SECONDS } from './expiry.ts';
import { instant, text } from './fields.ts';

const MAX_LISTED = 100;

export const adminSessions = defineCollection<AdminSessionRecord>('adminSessions', {
  fields: {
    adminId: text,
    createdAt: instant,
    lastSeenAt: instant,
    expiresAt: instant,
    address: text,
    userAgent: text,
  },
  indexes: [
    { key: { adminId: 1, lastSeenAt: -1, _id: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: EXPIRED_KEPT_SECONDS },
  ],
});

export function createAdminSessionRepository(connection: Connection): AdminSessionRepository {
  const model = openCollection(connection, adminSessions);
  return {
    async addAdminSession(record) {
      await model.insertOne(adminSessions.toDocument(record));
    },
    findAdminSession: async (id, now) =>
      adminSessions.toRecordOrNull(
        await model.findOne({ _id: id, expiresAt: { $gt: now } }).lean<Document | null>(),
      ),
    async noteAdminSessionSeen(id, seenAt) {
      await model.updateOne({ _id: id }, { $max: { lastSeenAt: seenAt } });
    },
    async listAdminSessions(adminId, now) {
      const running = model.find({ adminId, expiresAt: { $gt: now } });
      const found = await running.sort({ lastSeenAt: -1, _id: 1 }).limit(MAX_LISTED).lean<Document[]>();
      return found.map(adminSessions.toRecord);
    },
    async removeAdminSession(id) {
      await model.deleteOne({ _id: id });
    },
    async removeAdminSessions(adminId, exceptId) {
      await model.deleteMany({ adminId, _id: { $ne: exceptId } });
    },
  };
}
