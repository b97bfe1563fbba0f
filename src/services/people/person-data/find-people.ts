import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInAdminScope, type TenantScope } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import { toLtiPerson } from '#domain/lti/placement';
import { toSlackPerson } from '#domain/slack';
import { foldText, isEmail } from '#domain/text';
import { is, type PersonalCollection, type PersonalRecord, type PersonalWhere, type Store } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { findIdentityAccount, listConditions, listIdentityNames, readLaunchIdentity } from './identity.ts';

export type FindPeopleDeps = Pick<Store, 'personal' | 'placements' | 'ltiRegistrations' | 'slackInstallations'>;

/** Records read at a time, so that the store serves others in between. */
const BATCH = 500;
const MAX_PEOPLE = 50;
/** Records of sessions and launches are counted with their owner only. */
const uncounted: readonly string[] = ['nonces'];

/** Finds at most 50 people by account, user ID, e-mail address or part of a name; administrators
 *  only for all tenants. Names of learners are stored only while they have a course page open. */
export async function findPeople(deps: FindPeopleDeps, scope: TenantScope, text: string) {
  const searched = text.trim();
  if (searched === '') return [];
  const candidates = new Map<string, Candidate>();
  for (const candidate of [
    ...(await findPossibleAccounts(deps, scope, searched)),
    ...(await findPeopleByName(deps, scope, searched)),
  ]) {
    const existing = candidates.get(candidate.account);
    for (const name of candidate.names) existing?.names.add(name);
    if (existing === undefined) candidates.set(candidate.account, candidate);
  }
  await countRecordsOfPeople(deps, [...candidates.values()]);
  return [
    ...[...candidates.values()].filter(({ records }) => records > 0),
    ...(isEmail(searched) ? await countFeedback(deps, scope, searched) : []),
  ]
    .slice(0, MAX_PEOPLE)
    .map((candidate) => ({ ...candidate, names: [...candidate.names] }));
}

interface Candidate {
  /** Null for an administrator. */
  readonly tenantId: string | null;
  /** An account, or the e-mail address of feedback. */
  readonly account: string;
  readonly names: Set<string>;
  records: number;
}

const toCandidate = (tenantId: string | null, account: string, name: string | null = null, records = 0): Candidate => ({
  tenantId,
  account,
  records,
  names: new Set(name === null ? [] : [name]),
});

const allByName = { search: '', sort: 'name', descending: false } as const;

/** Returns the accounts of which the text may be the ID, whether or not they exist. */
async function findPossibleAccounts(
  { ltiRegistrations, slackInstallations }: FindPeopleDeps,
  scope: TenantScope,
  text: string,
): Promise<readonly Candidate[]> {
  const possible: Candidate[] = scope === null ? [toCandidate(null, toAdminPerson(text.replace(/^admin:/, '')))] : [];
  const addCandidate = (tenantId: string, account: string) => {
    if (text === account || account.endsWith(`:${text}`)) possible.push(toCandidate(tenantId, account));
  };
  const idOf = (prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  for await (const { id, tenantId } of readEveryItem((page) =>
    ltiRegistrations.listRegistrations({ scope, ...allByName, ...page }),
  ))
    addCandidate(tenantId, toLtiPerson(id, idOf(toLtiPerson(id, ''))));
  for await (const { id, tenantId } of readEveryItem((page) =>
    slackInstallations.listInstallations({ scope, search: '', ...page }),
  ))
    addCandidate(tenantId, toSlackPerson(id, idOf(toSlackPerson(id, ''))));
  return possible;
}

/** Finds accounts with this text in a name, or with this e-mail address in a current launch. */
async function findPeopleByName(deps: FindPeopleDeps, scope: TenantScope, text: string): Promise<readonly Candidate[]> {
  const folded = foldText(text);
  const named: Candidate[] = [];
  for (const collection of await deps.personal.listPersonalCollections()) {
    const kinds = Object.values(collection.personal);
    if (!kinds.includes('name') && !kinds.includes('actor')) continue;
    const isOfTenant = collection.fields.includes('tenantId');
    if (!isOfTenant && scope !== null) continue;
    const where = {
      ...(isOfTenant && { tenantId: is.inScope(scope) }),
      ...(kinds.includes('actor') &&
        collection.derived.includes('search') && { 'derived.search': is.containing(text) }),
    };
    for await (const record of readEveryPersonalRecord(deps, collection.name, where)) {
      const names = listIdentityNames(collection, record).filter((name) => foldText(name).includes(folded));
      if (names.length === 0) continue;
      for (const account of (await listAccountsOfPeople(deps, collection, record)).values()) {
        const tenantId = account.startsWith('admin:') ? null : ((record.tenantId ?? null) as string | null);
        if (tenantId !== null || scope === null) named.push(toCandidate(tenantId, account, names[0]));
      }
    }
  }
  for await (const record of readEveryPersonalRecord(deps, 'nonces', { nonce: is.beginningWith('lti-launch ') })) {
    const user = readLaunchIdentity(record);
    if (user === null || !isInAdminScope(scope, user.tenantId)) continue;
    const isNamed = foldText(user.name ?? '').includes(folded) || foldText(user.email ?? '') === folded;
    if (isNamed) named.push(toCandidate(user.tenantId, user.account, user.name, 1));
  }
  return named;
}

/** Counts the feedback that an address gave, by tenant. */
async function countFeedback({ personal }: FindPeopleDeps, scope: TenantScope, email: string): Promise<Candidate[]> {
  const counts = new Map<string, Candidate>();
  const where = { tenantId: is.inScope(scope), 'derived.email': email.toLowerCase() };
  for (const { tenantId } of await personal.readPersonal('feedback', where, null, 1_000)) {
    const counted = counts.get(tenantId as string) ?? toCandidate(tenantId as string, email);
    counts.set(tenantId as string, { ...counted, records: counted.records + 1 });
  }
  return [...counts.values()];
}

/** Counts the records of each candidate, and adds the names in them. */
async function countRecordsOfPeople(deps: FindPeopleDeps, candidates: readonly Candidate[]): Promise<void> {
  const byAccount = new Map(candidates.map((candidate) => [candidate.account, candidate]));
  const collections = (await deps.personal.listPersonalCollections()).filter(({ name }) => !uncounted.includes(name));
  for (const tenantId of new Set(candidates.map((candidate) => candidate.tenantId))) {
    const ofTenant = candidates.filter((candidate) => candidate.tenantId === tenantId);
    const accounts = ofTenant.map(({ account }) => account);
    for (const collection of collections)
      for (const where of listConditions(collection, { tenantId, accounts, emails: [], names: [] }))
        for await (const record of readEveryPersonalRecord(deps, collection.name, where))
          for (const account of new Set((await listAccountsOfPeople(deps, collection, record)).values())) {
            const candidate = byAccount.get(account);
            if (candidate === undefined) continue;
            candidate.records++;
            for (const name of listIdentityNames(collection, record)) candidate.names.add(name);
          }
  }
}

/** Returns the accounts that a record names, by field. */
export async function listAccountsOfPeople(
  { placements }: FindPeopleDeps,
  collection: PersonalCollection,
  record: PersonalRecord,
): Promise<ReadonlyMap<string, string>> {
  const findRegistration = async (tenantId: string, linkId: string) =>
    (await placements.findLink(tenantId, linkId))?.registrationId ?? null;
  const accounts = new Map<string, string>();
  for (const [field, kind] of Object.entries(collection.personal)) {
    const account = await findIdentityAccount({ field, kind }, record, findRegistration);
    if (account !== null) accounts.set(field, account);
  }
  return accounts;
}

/** Reads all matching records in batches. */
export async function* readEveryPersonalRecord({ personal }: FindPeopleDeps, name: string, where: PersonalWhere) {
  let after: PersonalRecord | null = null;
  for (;;) {
    const records: readonly PersonalRecord[] = await personal.readPersonal(name, where, after, BATCH);
    yield* records;
    after = records.at(-1) ?? null;
    if (records.length < BATCH) return;
    // The embedded store answers synchronously.
    await nextTurn();
  }
}
