import type { Connection } from 'mongoose';
import { foldText } from '../../domain/text.ts';
import type { AdminRecord, AdminRepository } from '../../ports/store/store.ts';
import { adminSessions } from './admin-sessions.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { unlessTaken } from './failures.ts';
import { flag, instant, integer, text, texts } from './fields.ts';
import { containing, equalTo, listPage, orderBy, orderIndexes, where } from './list-page.ts';

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
    ...orderIndexes(sorts),
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
  const find = async (wanted: object) =>
    admins.toRecordOrNull(await model.findOne(wanted).lean<Document | null>());
  return {
    addAdmin: (record) =>
      unlessTaken(async () => {
        await model.insertOne(admins.toDocument(record));
        return true;
      }),
    findAdmin: (id) => find({ _id: id }),
    findAdminByName: (name) => find({ 'derived.name': foldText(name) }),
    findAdminByOidcSubject: (subject) => find({ 'derived.account': accountKey(subject) }),
    replaceAdmin: (record) =>
      unlessTaken(async () => {
        const before = { _id: record.id, version: record.version - 1 };
        return (await model.replaceOne(before, admins.toDocument(record))).matchedCount === 1;
      }),
    listAdmins: (request) =>
      listPage(model, admins, {
        conditions: containing('derived.name', request.search),
        order: orderBy(sorts[request.sort], request.descending),
        page: request,
      }),
    countAdmins: (role) => model.countDocuments(where(equalTo('role', role ?? null))),
    async removeAdmin(id) {
      const { deletedCount } = await model.deleteOne({ _id: id });
      // Also where there was none: a removal that was cut short is finished by doing it again.
      await sessions.deleteMany({ adminId: id });
      return deletedCount === 1;
    },
  };
}
