import type { Connection } from 'mongoose';
import type { AdminLinkRecord, AdminLinkRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { EXPIRED_KEPT_SECONDS } from './expiry.ts';
import { instant, text, texts } from './fields.ts';

const MAX_LISTED = 100;

export const adminLinks = defineCollection<AdminLinkRecord>('adminLinks', {
  fields: {
    kind: text,
    adminId: text,
    role: text,
    tenants: texts,
    createdBy: text,
    createdById: text,
    createdAt: instant,
    expiresAt: instant,
  },
  indexes: [
    { key: { createdAt: -1, _id: 1 } },
    { key: { tenants: 1 } },
    { key: { expiresAt: 1 }, expireAfterSeconds: EXPIRED_KEPT_SECONDS },
  ],
});

export function createAdminLinkRepository(connection: Connection): AdminLinkRepository {
  const model = openCollection(connection, adminLinks);
  return {
    async addAdminLink(record) {
      await model.insertOne(adminLinks.toDocument(record));
    },
    findAdminLink: async (id, now) =>
      adminLinks.toRecordOrNull(
        await model.findOne({ _id: id, expiresAt: { $gt: now } }).lean<Document | null>(),
      ),
    consumeAdminLink: async (id, now) =>
      adminLinks.toRecordOrNull(
        await model.findOneAndDelete({ _id: id, expiresAt: { $gt: now } }).lean<Document | null>(),
      ),
    async listAdminLinks(now) {
      const running = model.find({ expiresAt: { $gt: now } });
      const found = await running.sort({ createdAt: -1, _id: 1 }).limit(MAX_LISTED).lean<Document[]>();
      return found.map(adminLinks.toRecord);
    },
    removeAdminLink: async (id) => (await model.deleteOne({ _id: id })).deletedCount === 1,
    async removeAdminLinksBy(adminId) {
      await model.deleteMany({ createdById: adminId });
    },
  };
}
