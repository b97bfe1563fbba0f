import type { Connection } from 'mongoose';
import { foldText } from '../../../../domain/text.ts';
import type {
  AdminLinkRecord,
  AdminLinkRepository,
  AdminRecord,
  AdminRepository,
  AdminSessionRecord,
  AdminSessionRepository,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, EXPIRED_KEPT_SECONDS, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { flag, instant, integer, text, texts } from '../fields.ts';
import {
  joinListConditions,
  listOrderIndexes,
  listPage,
  matchListText,
  matchListValue,
  orderListBy,
} from '../list-page.ts';
import { assistantGrants } from './assistants.ts';

const sorts = {
  name: ['derived.name'],
  role: ['role'],
  lastSignInAt: ['derived.neverSignedIn', 'lastSignInAt'],
} as const;

export const admins = defineCollection<AdminRecord>('admins', {
  fields: {
    name: text,
    passwordHash: text,
    oidcSubject: text,
    role: text,
    tenants: texts,
    createdAt: instant,
    lastSignInAt: instant,
    sessionsValidFrom: instant,
    version: integer,
  },
  derived: {
    name: { field: text, of: ({ name }) => foldText(name) },
    account: { field: text, of: accountOf },
    neverSignedIn: { field: flag, of: ({ lastSignInAt }) => lastSignInAt === null },
  },
  indexes: [
    { key: { 'derived.name': 1 }, unique: true },
    { key: { 'derived.account': 1 }, unique: true },
    { key: { tenants: 1 } },
    ...listOrderIndexes(sorts),
  ],
});

/** Unique for everyone, so that a plain unique index can watch over it: partial indexes, which would leave out those without
 *  an account, are not the same on every server. The first word keeps ids and accounts apart. */
function accountOf({ id, oidcSubject }: Pick<AdminRecord, 'id' | 'oidcSubject'>): string {
  return oidcSubject === null ? `none ${id}` : accountKey(oidcSubject);
}

function accountKey(oidcSubject: string): string {
  return `oidc ${oidcSubject}`;
}

export function createAdminRepository(connection: Connection): AdminRepository {
  const model = openCollection(connection, admins);
  const sessions = openCollection(connection, adminSessions);
  const grants = openCollection(connection, assistantGrants);
  const find = async (wanted: object) =>
    admins.toRecordOrNull(await model.findOne(wanted).lean<Document | null>());
  return {
    addAdmin: (record) =>
      writeUnlessTaken(async () => {
        await model.insertOne(admins.toDocument(record));
        return true;
      }),
    findAdmin: (id) => find({ _id: id }),
    findAdminByName: (name) => find({ 'derived.name': foldText(name) }),
    findAdminByOidcSubject: (subject) => find({ 'derived.account': accountKey(subject) }),
    replaceAdmin: (record) =>
      writeUnlessTaken(async () => {
        const before = { _id: record.id, version: record.version - 1 };
        return (await model.replaceOne(before, admins.toDocument(record))).matchedCount === 1;
      }),
    listAdmins: (request) =>
      listPage(model, admins, {
        conditions: matchListText('derived.name', request.search),
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    countAdmins: (role) => model.countDocuments(joinListConditions(matchListValue('role', role ?? null))),
    async removeAdmin(id) {
      const { deletedCount } = await model.deleteOne({ _id: id });
      // Also where there was none: repeating an interrupted removal finishes it.
      await sessions.deleteMany({ adminId: id });
      await grants.deleteMany({ adminId: id });
      return deletedCount === 1;
    },
  };
}

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

const MAX_SESSIONS = 100;

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
      const found = await running.sort({ lastSeenAt: -1, _id: 1 }).limit(MAX_SESSIONS).lean<Document[]>();
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
