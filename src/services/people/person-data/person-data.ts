import { randomBytes } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { parseJson } from '#domain/text';
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
  pseudonymizeRecord,
  readLaunchIdentity,
} from './identity.ts';

export type { PersonIdentity } from './identity.ts';

interface PersonDataDeps extends FindPeopleDeps, SharingDeps, Pick<Store, 'dropRemains'> {
  readonly admins: Pick<Admins, 'removeAdmin' | 'findAdmin'>;
  readonly audit: Audit;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Days for which backups stay, 0 for ever; null without scheduled backups. */
  readonly backupDays: number | null;
}

/** Finds, exports and erases what the store has about one person. Which fields are personal follows
 *  from the descriptions of the records. */
export const createPersonData = (deps: PersonDataDeps) => ({
  ...bindState(deps, { findPeople, identifyPerson, readPersonData, exportPerson, erasePerson }),
  ...bindState(deps, { makeDataPath: makePersonDataPath, openDataLink: openPersonDataLink }),
  listKinds: () => deps.personal.listPersonalCollections(),
});

/** Passes over all records, while requests under way store more. */
const PASSES = 3;

/** The accounts and e-mail addresses by which somebody names a person. */
export type GivenIdentity = Omit<PersonIdentity, 'names'>;

const LINK = 'link to personal data';
const LINK_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** Returns the path of a page, valid for an hour, that shows, exports and erases the data. */
function makePersonDataPath({ keyring, clock }: PersonDataDeps, identity: GivenIdentity): string {
  const text = JSON.stringify({ ...identity, until: clock.now().getTime() + LINK_MS });
  return `/my-data?${new URLSearchParams({ key: keyring.seal(text, LINK) })}`;
}

/** Returns whose data a link shows; null if this host did not make it, or it has expired. */
function openPersonDataLink({ keyring, clock }: PersonDataDeps, key: string): GivenIdentity | null {
  try {
    const { until, ...identity } = JSON.parse(keyring.open(key, LINK)) as GivenIdentity & { readonly until: number };
    return until > clock.now().getTime() ? identity : null;
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  }
}

/** Returns whether the platform or workspace of an account belongs to another tenant. */
async function isOfOtherTenant(deps: PersonDataDeps, account: string, tenantId: string | null): Promise<boolean> {
  const [, face, id = ''] = /^(\w+):([^:]*)/.exec(account) ?? [];
  if (face === 'admin') return tenantId !== null;
  const { ltiRegistrations, slackInstallations } = deps;
  const place =
    face === 'lti' ? await ltiRegistrations.findRegistration(id) : await slackInstallations.findInstallation(id);
  return place !== null && place.tenantId !== tenantId;
}

/** Adds linked accounts, names, and addresses in launches; omits accounts of other tenants. */
async function identifyPerson(
  deps: PersonDataDeps,
  { tenantId, accounts: givenAccounts, emails }: GivenIdentity,
): Promise<PersonIdentity> {
  const foreign = await Promise.all(givenAccounts.map((account) => isOfOtherTenant(deps, account, tenantId)));
  const accounts = givenAccounts.filter((_, index) => foreign[index] === false);
  const sharing = tenantId === null ? [] : accounts.map((person) => listShelfSharing(deps, { tenantId, person }));
  const linked = (await Promise.all(sharing)).flat().map(({ person }) => person);
  // A shelf that is shared gives nobody power over the account of an administrator.
  const allAccounts = [...new Set([...accounts, ...linked.filter((account) => !account.startsWith('admin:'))])];
  const identity = { tenantId, accounts: allAccounts, emails: emails.map((email) => email.toLowerCase()), names: [] };
  const names = new Set<string>();
  const allEmails = new Set<string>(identity.emails);
  for (const collection of await deps.personal.listPersonalCollections())
    for await (const { record, naming } of readPersonRecords(deps, collection, identity)) {
      // Records of others that only mention the person have other names.
      if (naming.length > 0) for (const name of listIdentityNames(collection, record)) names.add(name);
      const launched = collection.name === 'nonces' ? readLaunchIdentity(record) : null;
      if (launched === null || !allAccounts.includes(launched.account)) continue;
      if (launched.name !== null) names.add(launched.name);
      if (launched.email !== null) allEmails.add(launched.email.toLowerCase());
    }
  return { ...identity, emails: [...allEmails], names: [...names] };
}

/** Yields each record about the person once, with the fields that name the person: none in a record
 *  of somebody else that mentions the person. */
async function* readPersonRecords(
  deps: PersonDataDeps,
  collection: PersonalCollection,
  identity: PersonIdentity,
): AsyncGenerator<{ readonly record: PersonalRecord; readonly naming: readonly string[] }> {
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

/** Returns the fields that name the person; null if the record is not about the person. */
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
  const hidden = pseudonymizeRecord(collection, record, { identity, naming, pseudonym: '' });
  return JSON.stringify(hidden) === JSON.stringify(record) ? null : naming;
}

/** Reads all that is stored about the person, by the name of the collection, without secrets. */
async function readPersonData(deps: PersonDataDeps, identity: PersonIdentity) {
  const kinds: { readonly kind: string; readonly records: readonly PersonalRecord[] }[] = [];
  for (const collection of await deps.personal.listPersonalCollections()) {
    const records: PersonalRecord[] = [];
    for await (const { record } of readPersonRecords(deps, collection, identity))
      records.push(omitSecrets(collection, record));
    if (records.length > 0) kinds.push({ kind: collection.name, records });
  }
  return { identity, kinds, backupsUntil: findBackupsUntil(deps) };
}

/** Returns until when scheduled backups have data that is erased now; null without such backups. An
 *  old backup is removed by the first one after its last day. */
function findBackupsUntil({ backupDays, clock }: PersonDataDeps): Date | 'always' | null {
  if (backupDays === null) return null;
  return backupDays === 0 ? 'always' : new Date(clock.now().getTime() + (backupDays + 1) * DAY_MS);
}

function omitSecrets({ personal, name }: PersonalCollection, record: PersonalRecord): PersonalRecord {
  if (name === 'nonces') return { data: parseJson(record.data as string) ?? null, expiresAt: record.expiresAt };
  return Object.fromEntries(Object.entries(record).filter(([field]) => personal[field] !== 'secret'));
}

/** Reads the data of a person, and records the export in the audit trail. */
async function exportPerson(deps: PersonDataDeps, actor: Actor, identity: PersonIdentity) {
  const data = await readPersonData(deps, identity);
  const details = writeCounts(data.kinds.map(({ kind, records }) => [kind, records.length]));
  await deps.audit.record(actor, { action: 'person.exported', tenantId: identity.tenantId, target: 'person', details });
  return data;
}

const writeCounts = (counts: Iterable<readonly [string, number]>): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(counts, ([kind, count]) => [kind, `${count}`]));

/** Removes the person's records, or replaces the person by a pseudonym where others need the
 *  record. Scores and feedback that wait are not delivered. The audit trail gets only the numbers.
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
  for (let pass = 0; pass < PASSES; pass++) if ((await eraseOnce(deps, { identity, pseudonym, counts })) === 0) break;
  // An administrator who erases their account must not come back with this entry.
  const isSelf =
    actor.id !== null && [actor.id, `admin:${actor.id}`].some((account) => identity.accounts.includes(account));
  const author = isSelf ? { ...actor, id: null, name: pseudonym, address: null } : actor;
  const event = { action: 'person.erased', tenantId: identity.tenantId, target: pseudonym } as const;
  await deps.audit.record(author, { ...event, details: writeCounts(counts) });
  await deps.dropRemains(deps.clock.now());
  return counts;
}

interface ErasureRun {
  readonly identity: PersonIdentity;
  readonly pseudonym: string;
  /** Numbers of erased records by kind; `eraseOnce` adds to them. */
  readonly counts: Map<string, number>;
}

/** Erases sessions first, so that no later request stores anything. @returns the erased records */
async function eraseOnce(deps: PersonDataDeps, { identity, pseudonym, counts }: ErasureRun): Promise<number> {
  let erased = 0;
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
              pseudonymizeRecord(collection, record, { identity, naming, pseudonym }),
              { ...same, ...('version' in record && { version: record.version }) },
            );
      if (!isErased) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      erased++;
    }
  }
  return erased;
}
