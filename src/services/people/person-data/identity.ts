import type { Actor } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import type { Launch } from '#domain/lti/launch';
import { findRegistrationOfTeachers, toLtiPerson } from '#domain/lti/placement';
import { splitRecordKey } from '#domain/record-key';
import { toSlackPerson } from '#domain/slack';
import { parseJson } from '#domain/text';
import type { PersonalCollection, PersonalKind, PersonalRecord, PersonalWhere } from '#ports/store/store';
import { is } from '#ports/store/store';

/** All names by which the records of one tenant identify a person. */
export interface PersonIdentity {
  /** Null for administrators, whose records belong to the host and to any tenant. */
  readonly tenantId: string | null;
  /** `lti:<registration id>:<user id>`, `slack:<workspace id>:<user id>`, `admin:<id>`. */
  readonly accounts: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
  readonly names: readonly string[];
}

/** Returns the user IDs in the accounts of one face: `U1` of `slack:T1:U1`. */
function listIdentityIds(face: 'lti' | 'slack' | 'admin', { accounts }: PersonIdentity): string[] {
  const shape = face === 'admin' ? /^admin:(.*)$/s : new RegExp(`^${face}:[^:]*:(.*)$`, 's');
  return accounts.flatMap((account) => shape.exec(account)?.[1] ?? []);
}

/** Returns conditions on one identifying field each. Together they match all records of the person,
 *  and perhaps others, which `listIdentityFields` tells apart. */
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

/** Returns the account that a field names; null if the field names no account.
 *  @param findRegistration finds that of a resource link; null if the link no longer exists */
export async function findIdentityAccount(
  { field, kind }: { readonly field: string; readonly kind: PersonalKind },
  record: PersonalRecord,
  findRegistration: (tenantId: string, linkId: string) => Promise<string | null>,
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

/** Returns the fields of a record that name the person. @param named accounts by field */
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

/** Returns the names in a record of the person. */
export function listIdentityNames({ personal }: PersonalCollection, record: PersonalRecord): readonly string[] {
  return Object.entries(personal).flatMap(([field, kind]) => {
    const value = record[field];
    if (kind === 'actor') return (value as Actor).name;
    return kind === 'name' && typeof value === 'string' ? value : [];
  });
}

/** Replaces everything in a record that names the person by a pseudonym. */
export function pseudonymizeRecord(
  { personal }: PersonalCollection,
  record: PersonalRecord,
  { identity, naming, pseudonym }: { identity: PersonIdentity; naming: readonly string[]; pseudonym: string },
): PersonalRecord {
  const changed = Object.entries(personal).map(([field, kind]) => {
    const value = record[field];
    if (!naming.includes(field)) return [field, kind === 'about' ? hideNames(value, identity, pseudonym) : value];
    if (kind === 'actor') return [field, { ...(value as Actor), id: null, name: pseudonym, address: null }];
    return [field, pseudonym];
  });
  return { ...record, ...Object.fromEntries(changed) };
}

/** Replaces accounts and e-mail addresses anywhere in the texts of a value; names only where they
 *  are the whole text or stand at its end after a colon: `reset: Ada`. */
function hideNames(value: unknown, identity: PersonIdentity, pseudonym: string): unknown {
  if (typeof value === 'string') {
    const name = identity.names.find((name) => value === name || value.endsWith(`: ${name}`));
    if (name !== undefined) return value.slice(0, -name.length) + pseudonym;
    const hidden = [...identity.accounts, ...identity.emails];
    return hidden.reduce((text, word) => text.replaceAll(word, pseudonym), value);
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => hideNames(item, identity, pseudonym));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hideNames(item, identity, pseudonym)]));
}

/** Returns whether the name of a short-lived value has the person, or its data mention them. */
export function isShortLivedOf({ nonce, data }: PersonalRecord, identity: PersonIdentity): boolean {
  const owner = findIdentityOfShortLived(nonce as string);
  const isNamed =
    owner !== null &&
    (identity.tenantId ?? owner.tenantId) === owner.tenantId &&
    identity.accounts.includes(owner.account);
  return isNamed || mentionsIdentity(parseJson(data as string), identity);
}

/** Reads the owner from the name of a saved state or a draft; null for other names. */
function findIdentityOfShortLived(name: string): { readonly tenantId: string; readonly account: string } | null {
  const [, kind, key = ''] = /^(kept|lti-draft) (.*)$/s.exec(name) ?? [];
  if (kind === undefined) return null;
  if (kind === 'kept') {
    const [tenantId = '', account = ''] = splitRecordKey(key, 3);
    return { tenantId, account };
  }
  const [tenantId = '', registrationId = '', , userId = ''] = splitRecordKey(key, 4);
  return { tenantId, account: toLtiPerson(registrationId, userId) };
}

/** Returns the person of a launch; null if the record is not a launch. */
export function readLaunchIdentity({ data }: PersonalRecord) {
  const launch = parseJson(data as string) as Partial<Launch> | null | undefined;
  if (launch?.user === undefined || launch.registrationId === undefined || launch.tenantId === undefined) return null;
  const { id, name, email } = launch.user;
  return { tenantId: launch.tenantId, account: toLtiPerson(launch.registrationId, id), name, email };
}

/** @param value a launch, an actor, an account, or anything that contains one */
function mentionsIdentity(value: unknown, identity: PersonIdentity): boolean {
  if (typeof value === 'string') return identity.accounts.includes(value);
  if (typeof value !== 'object' || value === null) return false;
  const { registrationId, tenantId, user, kind, id } = value as Readonly<Record<string, unknown>>;
  const { id: userId, email } = (user ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof tenantId === 'string' && tenantId !== (identity.tenantId ?? tenantId)) return false;
  const hasEmail = typeof email === 'string' && identity.emails.includes(email.toLowerCase());
  return (
    identity.accounts.includes(toLtiPerson(`${registrationId}`, `${userId}`)) ||
    (hasEmail && tenantId === identity.tenantId) ||
    (kind === 'admin' && identity.accounts.includes(toAdminPerson(`${id}`))) ||
    Object.values(value).some((part) => mentionsIdentity(part, identity))
  );
}
