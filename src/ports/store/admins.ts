import type { AdminRole } from '#domain/admin';
import { foldText } from '#domain/text';
import {
  above,
  containing,
  describeRecord,
  instant,
  integer,
  latest,
  not,
  nullable,
  type OpenRecords,
  type Page,
  type PageRequest,
  type RecordOf,
  references,
  sortBy,
  tenantScope,
  text,
} from './record.ts';

export const adminRecords = describeRecord('admins', {
  fields: {
    id: text(),
    /** What they sign in with; unique in any case (`foldText`). */
    name: text(),
    /** argon2id in PHC form; null for those who sign in by OpenID Connect only. */
    passwordHash: nullable(text()),
    /** `issuer subject` of the OpenID Connect account, unique; null without one. */
    oidcSubject: nullable(text()),
    role: text<AdminRole>(),
    /** Null for owners. */
    tenants: tenantScope,
    createdAt: instant,
    lastSignInAt: nullable(instant),
    /** Sessions begun before are over. */
    sessionsValidFrom: instant,
    /** Counts the changes from 1. */
    version: integer,
  },
  derived: {
    name: { of: ({ name }) => foldText(name) },
    account: { of: ({ id, oidcSubject }) => formatAccount(id, oidcSubject) },
  },
  unique: [['derived.name'], ['derived.account']],
  sorts: { name: 'derived.name', role: 'role', lastSignInAt: 'lastSignInAt' },
});

/** Someone who may sign in to the admin page. */
export type AdminRecord = RecordOf<typeof adminRecords>;

export interface AdminListRequest extends PageRequest {
  /** Part of the name, in any case; empty finds all. */
  readonly search: string;
  readonly sort: 'name' | 'role' | 'lastSignInAt';
  readonly descending: boolean;
}

export interface AdminRepository {
  /** False when the name or the OpenID Connect account is taken. */
  addAdmin(record: AdminRecord): Promise<boolean>;
  findAdmin(id: string): Promise<AdminRecord | null>;
  findAdminByName(name: string): Promise<AdminRecord | null>;
  findAdminByOidcSubject(subject: string): Promise<AdminRecord | null>;
  /** Replaces the previous version. False when it was changed or removed meanwhile, or the name or
   *  e-mail address is taken. */
  replaceAdmin(record: AdminRecord): Promise<boolean>;
  /** Roles sort by name; those who never signed in come last; ties in the order of the ids. */
  listAdmins(request: AdminListRequest): Promise<Page<AdminRecord>>;
  countAdmins(role?: AdminRole): Promise<number>;
  /** Their sessions, and what they let assistants do, go too. False when there is none. */
  removeAdmin(id: string): Promise<boolean>;
}

export const adminLinkRecords = describeRecord('adminLinks', {
  fields: {
    /** SHA-256 of the token in the link, hexadecimal. */
    id: text(),
    kind: text<'setup' | 'invitation' | 'reset'>(),
    /** Whose password it resets; null for the other kinds. */
    adminId: nullable(text()),
    /** What an invitation gives; `owner` and null for set-up links. */
    role: text<AdminRole>(),
    tenants: tenantScope,
    /** Name of who made it, as it was then. */
    createdBy: text(),
    /** Id of the administrator who made it; null when a command or the host did. */
    createdById: nullable(text()),
    createdAt: instant,
    expiresAt: instant,
  },
  indexes: [['-createdAt', 'id']],
  expiry: 'expiresAt',
});

/** A one-time link: to set up the host, to join, or to choose a new password. */
export type AdminLinkRecord = RecordOf<typeof adminLinkRecords>;

export interface AdminLinkRepository {
  addAdminLink(record: AdminLinkRecord): Promise<void>;
  /** Null when there is none or it has expired at `now`. */
  findAdminLink(id: string, now: Date): Promise<AdminLinkRecord | null>;
  /** Removes and returns a link, so that it is used once. Null as with `findAdminLink`. */
  consumeAdminLink(id: string, now: Date): Promise<AdminLinkRecord | null>;
  /** Those that have not expired at `now`, newest first, at most 100. */
  listAdminLinks(now: Date): Promise<readonly AdminLinkRecord[]>;
  /** False when there was none. */
  removeAdminLink(id: string): Promise<boolean>;
  /** All that this administrator made, however many and whether expired or not. */
  removeAdminLinksBy(adminId: string): Promise<void>;
}

export const adminSessionRecords = describeRecord('adminSessions', {
  fields: {
    /** SHA-256 of the token in the cookie, hexadecimal. */
    id: text(),
    adminId: references('admins', true),
    createdAt: instant,
    /** To the minute. */
    lastSeenAt: instant,
    /** When it is over, however busy. */
    expiresAt: instant,
    address: nullable(text()),
    /** What the browser calls itself, cut at 200 characters. */
    userAgent: nullable(text()),
  },
  indexes: [['adminId', '-lastSeenAt', 'id']],
  expiry: 'expiresAt',
});

export type AdminSessionRecord = RecordOf<typeof adminSessionRecords>;

export interface AdminSessionRepository {
  addAdminSession(record: AdminSessionRecord): Promise<void>;
  /** Null when there is none or it has expired at `now`. The service checks idle time. */
  findAdminSession(id: string, now: Date): Promise<AdminSessionRecord | null>;
  /** Never moves back: of two hosts the later instant stays. Nothing when there is none. */
  noteAdminSessionSeen(id: string, seenAt: Date): Promise<void>;
  /** Of one administrator and not expired at `now`, the last seen first, at most 100. */
  listAdminSessions(adminId: string, now: Date): Promise<readonly AdminSessionRecord[]>;
  removeAdminSession(id: string): Promise<void>;
  /** All of an administrator's, but for `exceptId`. */
  removeAdminSessions(adminId: string, exceptId: string | null): Promise<void>;
}

/** Unique for everyone: not every store can leave those without an account out of an index. The
 *  first word keeps ids and accounts apart. */
function formatAccount(id: string, oidcSubject: string | null): string {
  return oidcSubject === null ? `none ${id}` : accountKey(oidcSubject);
}

function accountKey(oidcSubject: string): string {
  return `oidc ${oidcSubject}`;
}

export function createAdminRepository(open: OpenRecords): AdminRepository {
  const records = open(adminRecords);
  return {
    addAdmin: (record) => records.putIf(record, null),
    findAdmin: (id) => records.get({ id }),
    findAdminByName: (name) => records.get({ 'derived.name': foldText(name) }),
    findAdminByOidcSubject: (subject) => records.get({ 'derived.account': accountKey(subject) }),
    replaceAdmin: (record) => records.putIf(record, { version: record.version - 1 }),
    listAdmins: (request) =>
      records.page(
        { where: { 'derived.name': containing(request.search) }, order: sortBy(adminRecords, request) },
        request,
      ),
    countAdmins: (role) => records.count({ role }),
    removeAdmin: async (id) => (await records.remove({ id })) === 1,
  };
}

const MAX_LISTED = 100;

export function createAdminLinkRepository(open: OpenRecords): AdminLinkRepository {
  const records = open(adminLinkRecords);
  return {
    addAdminLink: (record) => records.add([record]),
    findAdminLink: (id, now) => records.get({ id, expiresAt: above(now) }),
    consumeAdminLink: (id, now) => records.take({ id, expiresAt: above(now) }),
    listAdminLinks: (now) =>
      records.find({ where: { expiresAt: above(now) }, order: ['-createdAt'], limit: MAX_LISTED }),
    removeAdminLink: async (id) => (await records.remove({ id })) === 1,
    async removeAdminLinksBy(adminId) {
      await records.remove({ createdById: adminId });
    },
  };
}

export function createAdminSessionRepository(open: OpenRecords): AdminSessionRepository {
  const records = open(adminSessionRecords);
  return {
    addAdminSession: (record) => records.add([record]),
    findAdminSession: (id, now) => records.get({ id, expiresAt: above(now) }),
    async noteAdminSessionSeen(id, seenAt) {
      await records.changeIf({ id }, { lastSeenAt: latest(seenAt) });
    },
    listAdminSessions: (adminId, now) =>
      records.find({ where: { adminId, expiresAt: above(now) }, order: ['-lastSeenAt'], limit: MAX_LISTED }),
    async removeAdminSession(id) {
      await records.remove({ id });
    },
    async removeAdminSessions(adminId, exceptId) {
      await records.remove({ adminId, id: exceptId === null ? undefined : not(exceptId) });
    },
  };
}
