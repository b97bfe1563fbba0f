import type { Actor } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import type { Launch } from '#domain/lti/launch';
import { findRegistrationOfTeachers, toLtiPerson } from '#domain/lti/placement';
import { splitRecordKey } from '#domain/record-key';
import { toSlackPerson } from '#domain/slack';
import type { PersonalCollection, PersonalKind, PersonalRecord, PersonalWhere } from '#ports/store/store';
import { is } from '#ports/store/store';

/** All that one person is called in the records of one tenant. */
export interface PersonIdentity {
  /** Null for administrators, whose records belong to the host and to any tenant. */
  readonly tenantId: string | null;
  /** `lti:<registration id>:<user id>`, `slack:<workspace id>:<user id>`, `admin:<id>`. */
  readonly accounts: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
  readonly names: readonly string[];
}

/** Null for a link that no longer exists. */
export type FindRegistration = (tenantId: string, linkId: string) => Promise<string | null>;

/** Ids of accounts of one face, without their beginning. @example idsOf('slack', identity) */
function listIdentityIds(face: 'lti' | 'slack' | 'admin', { accounts }: PersonIdentity): string[] {
  const shape = face === 'admin' ? /^admin:(.*)$/s : new RegExp(`^${face}:[^:]*:(.*)$`, 's');
  return accounts.flatMap((account) => shape.exec(account)?.[1] ?? []);
}

/** Conditions on one identifying field each: together they match all records of the person, and
 *  perhaps others, which `isAbout` excludes. */
export function listConditions(collection: PersonalCollection, identity: PersonIdentity): readonly PersonalWhere[] {
  const isOfTenant = collection.fields.includes('tenantId');
  if (!isOfTenant && identity.tenantId !== null && collection.name !== 'nonces') return [];
  const tenant = isOfTenant && identity.tenantId !== null ? { tenantId: identity.tenantId } : {};
  return Object.entries(collection.personal).flatMap(([field, kind]): PersonalWhere[] => {
    if (kind === 'actor') return [tenant];
    const values = listIdentityValues(kind, identity);
    const searched = collection.derived.includes(field) ? `derived.${field}` : field;
    return values.length === 0 ? [] : [{ ...tenant, [searched]: is.oneOf(values) }];
  });
}

function listIdentityValues(kind: PersonalKind, identity: PersonIdentity): readonly string[] {
  switch (kind) {
    case 'account':
      return identity.accounts;
    case 'lms-user':
      return listIdentityIds('lti', identity);
    case 'slack-user':
      return listIdentityIds('slack', identity);
    case 'admin':
      return listIdentityIds('admin', identity);
    case 'email':
      return identity.emails;
    case 'signature':
      return identity.names;
    default:
      return [];
  }
}

/** The account that a field names; null for a field of another kind, or nobody. */
export async function findIdentityAccount(
  { field, kind }: { readonly field: string; readonly kind: PersonalKind },
  record: PersonalRecord,
  findRegistration: FindRegistration,
): Promise<string | null> {
  const value = record[field] as string | null;
  if (value === null) return null;
  if (kind === 'account') return value;
  if (kind === 'admin') return toAdminPerson(value);
  if (kind === 'slack-user') return toSlackPerson(record.id as string, value);
  if (kind === 'actor') return toIdentityAccount(record[field] as Actor);
  if (kind !== 'lms-user') return null;
  const { registrationId, tenantId, linkId } = record as Readonly<Record<string, string>>;
  const registration =
    registrationId ??
    findRegistrationOfTeachers(linkId ?? '') ??
    (await findRegistration(tenantId ?? '', linkId ?? ''));
  return registration === null ? null : toLtiPerson(registration, value);
}

const toIdentityAccount = ({ kind, id }: Actor): string | null =>
  kind === 'admin' && id !== null ? toAdminPerson(id) : id;

/** Fields of a record that name the person. @param named account by field */
export function listIdentityFields(
  { personal }: PersonalCollection,
  record: PersonalRecord,
  { identity, named }: { readonly identity: PersonIdentity; readonly named: ReadonlyMap<string, string> },
): readonly string[] {
  return Object.entries(personal).flatMap(([field, kind]) => {
    const value = record[field];
    const isNamed =
      identity.accounts.includes(named.get(field) ?? '') ||
      (kind === 'email' && identity.emails.includes(`${value}`.toLowerCase())) ||
      (kind === 'signature' && identity.names.includes(`${value}`));
    return isNamed ? [field] : [];
  });
}

/** Names that a record of the person shows. */
export function listIdentityNames({ personal }: PersonalCollection, record: PersonalRecord): readonly string[] {
  return Object.entries(personal).flatMap(([field, kind]) => {
    const value = record[field];
    if (kind === 'actor') return (value as Actor).name;
    return kind === 'name' && typeof value === 'string' ? value : [];
  });
}

/** Puts a pseudonym in the place of everything that names the person. */
export function toPseudonymousIdentity(
  { personal }: PersonalCollection,
  record: PersonalRecord,
  { identity, naming, pseudonym }: PseudonymOptions,
): PersonalRecord {
  const changed = Object.entries(personal).map(([field, kind]) => {
    const value = record[field];
    if (!naming.includes(field)) return [field, kind === 'about' ? hideNames(value, identity, pseudonym) : value];
    if (kind === 'actor') return [field, { ...(value as Actor), id: null, name: pseudonym, address: null }];
    return [field, pseudonym];
  });
  return { ...record, ...Object.fromEntries(changed) };
}

interface PseudonymOptions {
  readonly identity: PersonIdentity;
  readonly naming: readonly string[];
  readonly pseudonym: string;
}

/** Texts within a value, with accounts and addresses anywhere replaced, and names as a whole or
 *  after what something is: `reset: Ada`. */
function hideNames(value: unknown, identity: PersonIdentity, pseudonym: string): unknown {
  if (typeof value === 'string') {
    const name = identity.names.find((each) => value === each || value.endsWith(`: ${each}`));
    if (name !== undefined) return value.slice(0, -name.length) + pseudonym;
    const hidden = [...identity.accounts, ...identity.emails];
    return hidden.reduce((text, each) => text.replaceAll(each, pseudonym), value);
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((each) => hideNames(each, identity, pseudonym));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideNames(each, identity, pseudonym)]));
}

/** Whether a short-lived value belongs to the person: by its name, or by what it contains. */
export function isShortLivedOf({ nonce, data }: PersonalRecord, identity: PersonIdentity): boolean {
  const owner = findIdentityOfShortLived(nonce as string);
  const isNamed =
    owner !== null &&
    (identity.tenantId ?? owner.tenantId) === owner.tenantId &&
    identity.accounts.includes(owner.account);
  return isNamed || mentionsIdentity(parseIdentityOrNull(data as string), identity);
}

/** From the names of saved states and drafts. */
function findIdentityOfShortLived(name: string): { readonly tenantId: string; readonly account: string } | null {
  const [, kind, rest = ''] = /^(kept|lti-draft) (.*)$/s.exec(name) ?? [];
  if (kind === undefined) return null;
  const [tenantId = '', first = '', , userId = ''] = splitRecordKey(rest, kind === 'kept' ? 3 : 4);
  return { tenantId, account: kind === 'kept' ? first : toLtiPerson(first, userId) };
}

/** Null if the record is not a launch. */
export function readLaunchIdentity({ data }: PersonalRecord) {
  const launch = parseIdentityOrNull(data as string) as Partial<Launch> | null;
  if (launch?.user === undefined || launch.registrationId === undefined || launch.tenantId === undefined) return null;
  const { id, name, email } = launch.user;
  return { tenantId: launch.tenantId, account: toLtiPerson(launch.registrationId, id), name, email };
}

/** Null for what is not JSON, such as a sealed draft. */
export function parseIdentityOrNull(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** @param value a launch, an actor, an account, or anything that contains one */
function mentionsIdentity(value: unknown, identity: PersonIdentity): boolean {
  if (typeof value === 'string') return identity.accounts.includes(value);
  if (value === null || typeof value !== 'object') return false;
  const { registrationId, tenantId, user, kind, id } = value as Readonly<Record<string, unknown>>;
  const { id: userId, email } = (user ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof tenantId === 'string' && tenantId !== (identity.tenantId ?? tenantId)) return false;
  const hasEmail = typeof email === 'string' && identity.emails.includes(email.toLowerCase());
  return (
    identity.accounts.includes(toLtiPerson(`${registrationId}`, `${userId}`)) ||
    (hasEmail && tenantId === identity.tenantId) ||
    (kind === 'admin' && identity.accounts.includes(toAdminPerson(`${id}`))) ||
    Object.values(value).some((each) => mentionsIdentity(each, identity))
  );
}
