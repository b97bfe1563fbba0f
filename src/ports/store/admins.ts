import type { AdminRole } from '#domain/admin';
import { foldText } from '#domain/text';
import type { ListRequest, OpenRecords, RecordOf } from './record.ts';
import { describeRecord, field, is, latest, pageSorted } from './record.ts';

/** State of the second factor: codes of an app, whose secret is sealed, and recovery codes. */
export interface SecondFactor {
  /** Time step of the last code that was used; earlier ones are refused. */
  readonly usedStep: number;
  /** SHA-256 of each unused recovery code, hexadecimal. */
  readonly codes: readonly string[];
}

export const adminRecords = describeRecord('admins', {
  fields: {
    id: field.text(),
    /** Name for signing in; unique, ignoring case (`foldText`). */
    name: field.text(),
    /** argon2id in PHC form; null without password sign-in. */
    passwordHash: field.nullable(field.text()),
    /** `issuer subject` of the OpenID Connect account, unique; null without one. */
    oidcSubject: field.nullable(field.text()),
    /** Second factor beside the password; null without one. */
    secondFactor: field.initially(field.nullable(field.json<SecondFactor>()), null),
    role: field.text<AdminRole>(),
    /** Tenants that the administrator sees; null for owners. */
    tenants: field.tenantScope,
    /** Values of the claim that gave the role; empty if taken away, null if people gave it. */
    roleClaim: field.initially(field.nullable(field.text()), null),
    createdAt: field.instant,
    lastSignInAt: field.nullable(field.instant),
    /** Sessions that began earlier are invalid. */
    sessionsValidFrom: field.instant,
    version: field.integer,
  },
  personal: {
    admin: 'id',
    name: 'name',
    secret: 'passwordHash secondFactor',
    about: 'oidcSubject role tenants roleClaim createdAt lastSignInAt sessionsValidFrom',
  },
  impersonal: 'version',
  privacy: { seenBy: ['owners', 'auditors'], kept: 'account', erasure: 'remove' },
  derived: {
    name: { of: ({ name }) => foldText(name) },
    account: { of: ({ id, oidcSubject }) => formatAdminAccount(id, oidcSubject) },
  },
  unique: [['derived.name'], ['derived.account']],
  sorts: { name: 'derived.name', role: 'role', lastSignInAt: 'lastSignInAt' },
});

export type AdminRecord = RecordOf<typeof adminRecords>;
export type AdminListRequest = Omit<ListRequest<'name' | 'role' | 'lastSignInAt'>, 'scope'>;
export type AdminRepository = ReturnType<typeof createAdminRepository>;

export const adminLinkRecords = describeRecord('adminLinks', {
  fields: {
    /** SHA-256 of the token in the link, hexadecimal. */
    id: field.text(),
    kind: field.text<'setup' | 'invitation' | 'reset'>(),
    /** Whose password it resets; null for the other kinds. */
    adminId: field.nullable(field.text()),
    /** Role of the invited administrator; `owner` and null for set-up links. */
    role: field.text<AdminRole>(),
    tenants: field.tenantScope,
    createdBy: field.text(),
    /** Null when a command or the host created it. */
    createdById: field.nullable(field.text()),
    createdAt: field.instant,
    expiresAt: field.instant,
  },
  personal: { secret: 'id', admin: 'adminId createdById', signature: 'createdBy' },
  impersonal: 'kind role tenants createdAt expiresAt',
  privacy: { seenBy: ['owners', 'auditors'], kept: 'week', erasure: 'remove' },
  indexes: [['-createdAt', 'id']],
  expiry: 'expiresAt',
});

/** A one-time link: to set up the host, to join, or to choose a new password. */
export type AdminLinkRecord = RecordOf<typeof adminLinkRecords>;

export const adminSessionRecords = describeRecord('adminSessions', {
  fields: {
    /** SHA-256 of the token in the cookie, hexadecimal. */
    id: field.text(),
    adminId: field.references('admins', true),
    createdAt: field.instant,
    /** Exact to the minute. */
    lastSeenAt: field.instant,
    /** Absolute end, regardless of activity. */
    expiresAt: field.instant,
    address: field.nullable(field.text()),
    /** At most 200 characters. */
    userAgent: field.nullable(field.text()),
  },
  personal: { secret: 'id', admin: 'adminId', about: 'createdAt lastSeenAt address userAgent' },
  impersonal: 'expiresAt',
  privacy: { seenBy: ['person', 'owners'], kept: 'day', erasure: 'remove' },
  indexes: [['adminId', '-lastSeenAt', 'id']],
  expiry: 'expiresAt',
});

export type AdminSessionRecord = RecordOf<typeof adminSessionRecords>;

/** Returns a text that is unique for all records, as not every store can leave records without an
 *  account out of an index. The first word keeps ids and accounts apart. */
const formatAdminAccount = (id: string, oidcSubject: string | null) =>
  oidcSubject === null ? `none ${id}` : adminAccountKey(oidcSubject);

const adminAccountKey = (oidcSubject: string) => `oidc ${oidcSubject}`;

export function createAdminRepository(open: OpenRecords) {
  const records = open(adminRecords);
  return {
    /** Returns false when the name or the OpenID Connect account is taken. */
    addAdmin: (record: AdminRecord) => records.putIf(record, null),
    findAdmin: (id: string) => records.get({ id }),
    findAdminByName: (name: string) => records.get({ 'derived.name': foldText(name) }),
    findAdminByOidcSubject: (subject: string) => records.get({ 'derived.account': adminAccountKey(subject) }),
    /** Replaces the previous version. Returns false if that changed, or a unique value is taken. */
    replaceAdmin: (record: AdminRecord) => records.putIf(record, { version: record.version - 1 }),
    /** Lists administrators. Roles sort by name, who never signed in comes last, ties by id. */
    listAdmins: (request: AdminListRequest) =>
      pageSorted(records, adminRecords, { 'derived.name': is.containing(request.search) }, request),
    countAdmins: (role?: AdminRole) => records.count({ role }),
    /** Removes an administrator, their sessions and grants. Returns false when there is none. */
    removeAdmin: async (id: string) => (await records.remove({ id })) === 1,
  };
}

const MAX_LISTED = 100;

export function createAdminLinkRepository(open: OpenRecords) {
  const records = open(adminLinkRecords);
  return {
    addAdminLink: (record: AdminLinkRecord) => records.add([record]),
    /** Returns null also for a link that has expired at `now`. */
    findAdminLink: (id: string, now: Date) => records.get({ id, expiresAt: is.above(now) }),
    /** Removes a link and returns it like `findAdminLink`, so that it is used once. */
    consumeAdminLink: (id: string, now: Date) => records.take({ id, expiresAt: is.above(now) }),
    /** Lists links that have not expired at `now`, newest first, at most 100. */
    listAdminLinks: (now: Date) =>
      records.find({ where: { expiresAt: is.above(now) }, order: ['-createdAt'], limit: MAX_LISTED }),
    removeAdminLink: async (id: string) => (await records.remove({ id })) === 1,
    /** Removes all links that this administrator created, including expired ones. */
    async removeAdminLinksBy(adminId: string): Promise<void> {
      await records.remove({ createdById: adminId });
    },
  };
}

export function createAdminSessionRepository(open: OpenRecords) {
  const records = open(adminSessionRecords);
  return {
    addAdminSession: (record: AdminSessionRecord) => records.add([record]),
    /** Returns null also for a session that has expired at `now`. The service checks idle time. */
    findAdminSession: (id: string, now: Date) => records.get({ id, expiresAt: is.above(now) }),
    /** Moves `lastSeenAt` forward, never back. */
    async noteAdminSessionSeen(id: string, seenAt: Date): Promise<void> {
      await records.changeIf({ id }, { lastSeenAt: latest(seenAt) });
    },
    /** Lists sessions that have not expired at `now`, the last seen first, at most 100. */
    listAdminSessions: (adminId: string, now: Date) =>
      records.find({ where: { adminId, expiresAt: is.above(now) }, order: ['-lastSeenAt'], limit: MAX_LISTED }),
    async removeAdminSession(id: string): Promise<void> {
      await records.remove({ id });
    },
    async removeAdminSessions(adminId: string, exceptId: string | null): Promise<void> {
      await records.remove({ adminId, id: exceptId === null ? undefined : is.not(exceptId) });
    },
  };
}
