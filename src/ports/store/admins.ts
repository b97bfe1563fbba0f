import type { AdminRole, TenantScope } from '#domain/admin';
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
  references,
  sortBy,
  tenantScope,
  text,
} from './record.ts';

/** Someone who may sign in to the admin page. */
export interface AdminRecord {
  readonly id: string;
  /** What they sign in with; unique in any case (`foldText`). */
  readonly name: string;
  /** argon2id in PHC form; null for those who sign in by OpenID Connect only. */
  readonly passwordHash: string | null;
  /** `issuer subject` of the OpenID Connect account, unique; null without one. */
  readonly oidcSubject: string | null;
  readonly role: AdminRole;
  /** Null for owners. */
  readonly tenants: TenantScope;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  /** Sessions begun before are over. */
  readonly sessionsValidFrom: Date;
  /** Counts the changes from 1. */
  readonly version: number;
}

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

/** A one-time link: to set up the host, to join, or to choose a new password. */
export interface AdminLinkRecord {
  /** SHA-256 of the token in the link, hexadecimal. */
  readonly id: string;
  readonly kind: 'setup' | 'invitation' | 'reset';
  /** Whose password it resets; null for the other kinds. */
  readonly adminId: string | null;
  /** What an invitation gives; `owner` and null for set-up links. */
  readonly role: AdminRole;
  readonly tenants: TenantScope;
  /** Name of who made it, as it was then. */
  readonly createdBy: string;
  /** Id of the administrator who made it; null when a command or the host did. */
  readonly createdById: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

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

export interface AdminSessionRecord {
  /** SHA-256 of the token in the cookie, hexadecimal. */
  readonly id: string;
  readonly adminId: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastSeenAt: Date;
  /** When it is over, however busy. */
  readonly expiresAt: Date;
  readonly address: string | null;
  /** What the browser calls itself, cut at 200 characters. */
  readonly userAgent: string | null;
}

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

export const adminRecords = describeRecord<AdminRecord>('admins', {
  fields: {
    id: text(),
    name: text(),
    passwordHash: nullable(text()),
    oidcSubject: nullable(text()),
    role: text(),
    tenants: tenantScope,
    createdAt: instant,
    lastSignInAt: nullable(instant),
    sessionsValidFrom: instant,
    version: integer,
  },
  derived: { name: { of: ({ name }) => foldText(name) }, account: { of: formatAccount } },
  unique: [['derived.name'], ['derived.account']],
  sorts: { name: 'derived.name', role: 'role', lastSignInAt: 'lastSignInAt' },
});

/** Unique for everyone: not every store can leave those without an account out of an index. The
 *  first word keeps ids and accounts apart. */
function formatAccount({ id, oidcSubject }: Pick<AdminRecord, 'id' | 'oidcSubject'>): string {
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

export const adminLinkRecords = describeRecord<AdminLinkRecord>('adminLinks', {
  fields: {
    id: text(),
    kind: text(),
    adminId: nullable(text()),
    role: text(),
    tenants: tenantScope,
    createdBy: text(),
    createdById: nullable(text()),
    createdAt: instant,
    expiresAt: instant,
  },
  indexes: [['-createdAt', 'id']],
  expiry: 'expiresAt',
});

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

export const adminSessionRecords = describeRecord<AdminSessionRecord>('adminSessions', {
  fields: {
    id: text(),
    adminId: references('admins', true),
    createdAt: instant,
    lastSeenAt: instant,
    expiresAt: instant,
    address: nullable(text()),
    userAgent: nullable(text()),
  },
  indexes: [['adminId', '-lastSeenAt', 'id']],
  expiry: 'expiresAt',
});

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
