import { createHash } from 'node:crypto';
import type { Preferences } from '#domain/person';
import type { Clock } from '#ports/clock';
import type { ShelfOwner, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import {
  CODE_MS,
  createCodeInvalidError,
  createTooManyCodesError,
  makeShortCode,
  normalizeShortCode,
} from '#services/host/short-codes';
import { addStoredValue, consumeStoredValue, findStoredValue } from '#services/host/stored-values';
import { getActiveTenant } from '#services/tenants/tenant-records';
import type { PersonChange } from './person-records.ts';
import * as records from './person-records.ts';
import { createSavedStates, type SavedStates } from './saved-states.ts';
import { joinShelves, leaveShelf, leaveShelvesToGuests, listShelfSharing } from './shelf-sharing.ts';

interface PeopleDeps extends Pick<Store, 'people' | 'shelf' | 'plans' | 'nonces' | 'rateCounters' | 'tenants'> {
  readonly clock: Clock;
}

interface PeopleState extends PeopleDeps {
  readonly savedStates: SavedStates;
  readonly codeTries: RateLimiter;
}

/** Attempts of one person to type a code; there are 31^8 codes. */
const CODE_TRIES = { name: 'link-code', points: 10, windowSeconds: 600 } as const;

/** Changes need an active tenant. Errors: TENANT_UNKNOWN, TENANT_DISABLED. */
export function createPeople(deps: PeopleDeps) {
  const { people } = deps;
  const codeTries = createRateLimiter(deps.rateCounters, deps.clock, CODE_TRIES);
  return {
    ...bindState(
      { ...deps, savedStates: createSavedStates(deps), codeTries },
      { changePreferences, noteSearch, saveSearch, createLinkCode, link: linkAccounts, forgetAll },
    ),
    /** Returns `noPreferences` if nothing is stored. */
    getPreferences: async (owner: ShelfOwner) => (await records.findPersonRecord(people, owner)).preferences,
    /** Returns the last ten searches, newest first. */
    listSearches: async (owner: ShelfOwner) => (await records.findPersonRecord(people, owner)).recentSearches,
    /** Returns the saved searches, newest first. */
    listSavedSearches: async (owner: ShelfOwner) => (await records.findPersonRecord(people, owner)).savedSearches,
    removeSavedSearch: (owner: ShelfOwner, text: string) =>
      changePerson(deps, owner, (record) => records.removePersonSavedSearch(record, text)),
    /** Counts the others who share the shelf, at most 100. */
    countLinked: async (owner: ShelfOwner) => (await listShelfSharing(deps, owner)).length,
    /** Returns the names of the others who share the shelf, at most 100. */
    listLinked: async (owner: ShelfOwner) => (await listShelfSharing(deps, owner)).map(({ person }) => person),
    /** Gives the person an empty shelf; the shared one stays with the others. */
    unlink: (owner: ShelfOwner) => leaveShelf(deps, owner),
  };
}

export type People = ReturnType<typeof createPeople>;

/** Errors: TENANT_UNKNOWN, also while the tenant is deleted; TENANT_DISABLED. */
async function changePerson({ people, tenants }: PeopleDeps, owner: ShelfOwner, change: PersonChange): Promise<void> {
  await getActiveTenant(tenants, owner.tenantId);
  await records.updatePersonRecord(people, owner, change);
}

/** Stores preferences with at most 20 types and 50 providers. Errors: PARAMETERS_INVALID. */
async function changePreferences(deps: PeopleDeps, owner: ShelfOwner, typed: Preferences): Promise<void> {
  const preferences = records.validatePersonPreferences(typed);
  await changePerson(deps, owner, (record) => ({ ...record, preferences }));
}

/** Stores the last ten searches, each text once, cut to 300 characters. */
async function noteSearch(deps: PeopleDeps, owner: ShelfOwner, text: string): Promise<void> {
  const search = { text, searchedAt: deps.clock.now() };
  await changePerson(deps, owner, (record) => records.addPersonRecentSearch(record, search));
}

/** Saves a search of at most 1,000 characters until it is removed.
 *  @returns false where 50 searches are saved already. Errors: PARAMETERS_INVALID. */
async function saveSearch(deps: PeopleDeps, owner: ShelfOwner, text: string): Promise<boolean> {
  const search = records.validatePersonSearch(text);
  let isSaved = true;
  await changePerson(deps, owner, (record) => {
    const changed = records.addPersonSavedSearch(record, search);
    isSaved = changed !== null;
    return changed ?? record;
  });
  return isSaved;
}

/** Erases the tenant's people whose names have this prefix; shared shelves stay with the others. */
async function forgetAll(deps: PeopleState, tenantId: string, prefix: string): Promise<void> {
  await leaveShelvesToGuests(deps, tenantId, prefix);
  await deps.people.removePeople(tenantId, prefix);
  await deps.shelf.clearShelves(tenantId, prefix);
  await deps.plans.removePlansOf(tenantId, prefix);
  await deps.savedStates.forgetAll(tenantId, prefix);
}

/** Who made a code, and until when it is valid, in milliseconds. */
type CodeData = { readonly person: string; readonly expiresAt: number };

/** Makes a code, such as `K7QM-2XPA`, that the person types in another face to link the accounts.
 *  It is valid for ten minutes and one use in the same tenant. */
async function createLinkCode(deps: PeopleDeps, { tenantId, person }: ShelfOwner) {
  await getActiveTenant(deps.tenants, tenantId);
  const expiresAt = deps.clock.now().getTime() + CODE_MS;
  for (;;) {
    const code = makeShortCode();
    if (await addStoredValue(deps, personLinkCodeNonce(tenantId, code), { person, expiresAt }, CODE_MS))
      return { code, expiresAt: new Date(expiresAt) };
  }
}

/** Merges the shelves of both people and of all who share them. Errors: LINK_CODE_INVALID (unknown,
 *  used, expired, of another tenant or of the same face, where people differ); LINK_CODE_THROTTLED
 *  after ten tries in ten minutes; SHELF_FULL, which leaves the code valid. */
async function linkAccounts(deps: PeopleState, owner: ShelfOwner, code: string): Promise<void> {
  const { tenantId, person } = owner;
  await getActiveTenant(deps.tenants, tenantId);
  const { isAllowed, endsInMs } = await deps.codeTries.consume(`${tenantId} ${person}`);
  if (!isAllowed) throw createTooManyCodesError(Math.ceil(endsInMs / 1_000));
  const name = personLinkCodeNonce(tenantId, code);
  const data = await consumePersonLinkCode(deps, person, name);
  try {
    await joinShelves(deps, owner, { tenantId, person: data.person });
  } catch (error) {
    // If the code cannot be restored, people can make a new one.
    await deps.nonces.addNonce(name, JSON.stringify(data), new Date(data.expiresAt)).catch(() => false);
    throw error;
  }
}

/** Errors: LINK_CODE_INVALID. */
async function consumePersonLinkCode(deps: PeopleDeps, person: string, name: string): Promise<CodeData> {
  const data = await findStoredValue<CodeData>(deps, name);
  // Accounts of one face are different people. The code stays valid for the right face.
  if (data === null || faceOfPerson(data.person) === faceOfPerson(person)) throw createCodeInvalidError();
  // Null if another call has consumed it meanwhile.
  if ((await consumeStoredValue<CodeData>(deps, name)) === null) throw createCodeInvalidError();
  return data;
}

/** Names the stored code by its hash, so that the store does not contain the code. */
const personLinkCodeNonce = (tenantId: string, code: string): string =>
  `link-code ${tenantId} ${createHash('sha256')
    .update(`${tenantId} ${normalizeShortCode(code)}`)
    .digest('hex')}`;

/** @example faceOfPerson('slack:T1:U1') // 'slack' */
const faceOfPerson = (person: string): string => person.replace(/:.*/s, '');
