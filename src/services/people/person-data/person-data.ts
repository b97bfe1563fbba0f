import { randomBytes } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { PersonalCollection, PersonalRecord, PersonalWhere, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Keyring } from '#services/host/keyring';
import type { Admins } from '#services/tenants/admins/admins';
import type { Audit } from '#services/tenants/audit';
import { listShelfSharing, type SharingDeps } from '../shelf-sharing.ts';
import { type FindPeopleDeps, findPeople, listAccountsOfPeople, readEveryPersonalRecord } from './find-people.ts';
import {
  isShortLivedOf,
  listConditions,
  listIdentityFields,
  listIdentityNames,
  type PersonIdentity,
  parseIdentityOrNull,
  readLaunchIdentity,
  toPseudonymousIdentity,
} from './identity.ts';

export type { PersonIdentity } from './identity.ts';

/** Records of one kind that are about the person, as `PersonData` shows them. */
export interface PersonRecords {
  /** Name of the record: `activity`, `scores`, `nonces`. */
  readonly kind: string;
  /** Without secrets. */
  readonly records: readonly PersonalRecord[];
}

export interface PersonData {
  readonly identity: PersonIdentity;
  /** Without kinds that have none. */
  readonly kinds: readonly PersonRecords[];
  /** Until when scheduled backups have what is erased now; null if there are none. */
  readonly backupsUntil: Date | 'always' | null;
}

export interface PersonDataDeps extends FindPeopleDeps, SharingDeps, Pick<Store, 'dropRemains'> {
  readonly admins: Pick<Admins, 'removeAdmin' | 'findAdmin'>;
  readonly audit: Audit;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly clock: Clock;
  /** For which backups stay, 0 for ever; null without scheduled backups. */
  readonly backupDays: number | null;
}

/** What the store has about one person: found, exported, erased. Which fields are personal follows
 *  from the descriptions of the records. */
export const createPersonData = (deps: PersonDataDeps) => ({
  ...bindState(deps, { findPeople, identifyPerson, readPersonData, exportPerson, erasePerson }),
  ...bindState(deps, { makeDataPath: makePersonDataPath, openDataLink: openPersonDataLink }),
  listKinds: () => deps.personal.listPersonalCollections(),
});

/** Passes over all records, while requests under way store more. */
const PASSES = 3;

/** What somebody knows of a person. */
export type GivenIdentity = Omit<PersonIdentity, 'names'>;

const LINK = 'link to personal data';
const LINK_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** Path of a page on which these people see, export and erase their data, for an hour. */
function makePersonDataPath({ keyring, clock }: PersonDataDeps, identity: GivenIdentity): string {
  const text = JSON.stringify({ ...identity, until: clock.now().getTime() + LINK_MS });
  return `/my-data?${new URLSearchParams({ key: keyring.seal(text, LINK) })}`;
}

/** Null if this host did not make the link, or it has expired. */
function openPersonDataLink({ keyring, clock }: PersonDataDeps, key: string): GivenIdentity | null {
  try {
    const { until, ...identity } = JSON.parse(keyring.open(key, LINK)) as GivenIdentity & { readonly until: number };
    return until > clock.now().getTime() ? identity : null;
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  }
}

/** Whether the platform or workspace of an account belongs to another tenant. */
async function isOfOtherTenant(deps: PersonDataDeps, account: string, tenantId: string | null): Promise<boolean> {
  const [, face, id = ''] = /^(\w+):([^:]*)/.exec(account) ?? [];
  if (face === 'admin') return tenantId !== null;
  const { ltiRegistrations, slackInstallations } = deps;
  const place =
    face === 'lti' ? await ltiRegistrations.findRegistration(id) : await slackInstallations.findInstallation(id);
  return place !== null && place.tenantId !== tenantId;
}

/** With linked accounts, names in records, and the e-mail address of current launches.
 *  Accounts of another tenant are left out. */
async function identifyPerson(
  deps: PersonDataDeps,
  { tenantId, accounts: givenAccounts, emails }: GivenIdentity,
): Promise<PersonIdentity> {
  const foreign = await Promise.all(givenAccounts.map((account) => isOfOtherTenant(deps, account, tenantId)));
  const accounts = givenAccounts.filter((_, number) => foreign[number] === false);
  const sharing = tenantId === null ? [] : accounts.map((person) => listShelfSharing(deps, { tenantId, person }));
  const linked = (await Promise.all(sharing)).flat().map(({ person }) => person);
  // A shelf that is shared gives nobody power over the account of an administrator.
  const all = [...new Set([...accounts, ...linked.filter((account) => !account.startsWith('admin:'))])];
  const identity = { tenantId, accounts: all, emails: emails.map((email) => email.toLowerCase()), names: [] };
  const names = new Set<string>();
  const allEmails = new Set<string>(identity.emails);
  for (const collection of await deps.personal.listPersonalCollections())
    for await (const { record, naming } of readPersonRecords(deps, collection, identity)) {
      // Others may mention the person, under names of their own.
      if (naming.length > 0) for (const name of listIdentityNames(collection, record)) names.add(name);
      const launched = collection.name === 'nonces' ? readLaunchIdentity(record) : null;
      if (launched === null || !all.includes(launched.account)) continue;
      if (launched.name !== null) names.add(launched.name);
      if (launched.email !== null) allEmails.add(launched.email.toLowerCase());
    }
  return { ...identity, emails: [...allEmails], names: [...names] };
}

interface PersonalRecordMatch {
  readonly record: PersonalRecord;
  /** Fields that name the person; none for a record of somebody else that mentions them. */
  readonly naming: readonly string[];
}

/** Records about the person, each once. */
async function* readPersonRecords(
  deps: PersonDataDeps,
  collection: PersonalCollection,
  identity: PersonIdentity,
): AsyncGenerator<PersonalRecordMatch> {
  if (collection.privacy.erasure === 'expire') return;
  const seen = new Set<string>();
  const conditions = collection.name === 'nonces' ? [{}] : listConditions(collection, identity);
  for (const where of conditions)
    for await (const record of readEveryPersonalRecord(deps, collection.name, where)) {
      const key = JSON.stringify(collection.key.map((field) => record[field]));
      if (seen.has(key)) continue;
      const naming = await findNamingFields(deps, collection, { record, identity });
      if (naming === null) continue;
      seen.add(key);
      yield { record, naming };
    }
}

/** Null for a record that is not about the person. */
async function findNamingFields(
  deps: PersonDataDeps,
  collection: PersonalCollection,
  { record, identity }: { readonly record: PersonalRecord; readonly identity: PersonIdentity },
): Promise<readonly string[] | null> {
  if (collection.name === 'nonces') return isShortLivedOf(record, identity) ? [] : null;
  const naming = listIdentityFields(collection, record, {
    identity,
    named: await listAccountsOfPeople(deps, collection, record),
  });
  if (naming.length > 0) return naming;
  if (collection.privacy.erasure !== 'pseudonym') return null;
  const hidden = toPseudonymousIdentity(collection, record, { identity, naming, pseudonym: '' });
  return JSON.stringify(hidden) === JSON.stringify(record) ? null : naming;
}

/** All that is stored about the person, without secrets. */
async function readPersonData(deps: PersonDataDeps, identity: PersonIdentity): Promise<PersonData> {
  const kinds: PersonRecords[] = [];
  for (const collection of await deps.personal.listPersonalCollections()) {
    const records: PersonalRecord[] = [];
    for await (const { record } of readPersonRecords(deps, collection, identity))
      records.push(omitSecrets(collection, record));
    if (records.length > 0) kinds.push({ kind: collection.name, records });
  }
  return { identity, kinds, backupsUntil: findBackupsUntil(deps) };
}

/** An old backup goes with the first one after its days. */
function findBackupsUntil({ backupDays, clock }: PersonDataDeps): PersonData['backupsUntil'] {
  if (backupDays === null) return null;
  return backupDays === 0 ? 'always' : new Date(clock.now().getTime() + (backupDays + 1) * DAY_MS);
}

function omitSecrets({ personal, name }: PersonalCollection, record: PersonalRecord): PersonalRecord {
  if (name === 'nonces') return { data: parseIdentityOrNull(record.data as string), expiresAt: record.expiresAt };
  return Object.fromEntries(Object.entries(record).filter(([field]) => personal[field] !== 'secret'));
}

/** Reads the same data for an export, which the audit trail records without the data. */
async function exportPerson(deps: PersonDataDeps, actor: Actor, identity: PersonIdentity): Promise<PersonData> {
  const data = await readPersonData(deps, identity);
  const details = writeCounts(data.kinds.map(({ kind, records }) => [kind, records.length]));
  await deps.audit.record(actor, { action: 'person.exported', tenantId: identity.tenantId, target: 'person', details });
  return data;
}

const writeCounts = (counts: Iterable<readonly [string, number]>): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(counts, ([kind, count]) => [kind, `${count}`]));

/** Removes the person's records, or puts a pseudonym in the place of the person where others need
 *  the record. Scores and feedback that wait are not delivered. Audited without the data.
 *  Errors: LAST_OWNER. @returns numbers of records by kind */
async function erasePerson(
  deps: PersonDataDeps,
  actor: Actor,
  identity: PersonIdentity,
): Promise<ReadonlyMap<string, number>> {
  const pseudonym = `erased-${randomBytes(4).toString('hex')}`;
  for (const account of identity.accounts) {
    const [, adminId] = /^admin:(.*)$/s.exec(account) ?? [];
    if (adminId !== undefined && (await deps.admins.findAdmin(adminId)) !== null)
      await deps.admins.removeAdmin(actor, adminId);
  }
  const counts = new Map<string, number>();
  for (let pass = 0; pass < PASSES; pass++) {
    const before = [...counts.values()].reduce((sum, count) => sum + count, 0);
    await eraseOnce(deps, { identity, pseudonym, counts });
    if ([...counts.values()].reduce((sum, count) => sum + count, 0) === before) break;
  }
  // An administrator who erases their account must not come back with this entry.
  const isSelf =
    actor.id !== null && identity.accounts.some((each) => each === actor.id || each === `admin:${actor.id}`);
  const author = isSelf ? { ...actor, id: null, name: pseudonym, address: null } : actor;
  const event = { action: 'person.erased', tenantId: identity.tenantId, target: pseudonym } as const;
  await deps.audit.record(author, { ...event, details: writeCounts(counts) });
  await deps.dropRemains(deps.clock.now());
  return counts;
}

interface ErasureRun {
  readonly identity: PersonIdentity;
  readonly pseudonym: string;
  /** By kind. */
  readonly counts: Map<string, number>;
}

/** Sessions and launches first, so that no later request stores anything. */
async function eraseOnce(deps: PersonDataDeps, { identity, pseudonym, counts }: ErasureRun): Promise<void> {
  const collections = await deps.personal.listPersonalCollections();
  const isFirst = ({ name }: PersonalCollection) => name === 'nonces';
  for (const collection of collections.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
    const { name, key, privacy } = collection;
    for await (const { record, naming } of readPersonRecords(deps, collection, identity)) {
      const same = Object.fromEntries([...key, ...naming].map((field) => [field, record[field]])) as PersonalWhere;
      const isErased =
        privacy.erasure === 'remove'
          ? (await deps.personal.removePersonal(name, same)) > 0
          : await deps.personal.replacePersonal(
              name,
              toPseudonymousIdentity(collection, record, { identity, naming, pseudonym }),
              { ...same, ...('version' in record && { version: record.version }) },
            );
      if (isErased) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
}
