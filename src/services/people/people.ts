import type { Preferences, RecentSearch } from '#domain/person';
import type { Clock } from '#ports/clock';
import type {
  NonceRepository,
  PeopleRepository,
  RateCounterRepository,
  ShelfOwner,
  ShelfRepository,
  TenantRepository,
} from '#ports/store/store';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { createKeptStates, type KeptStates } from './kept-states.ts';
import { createLinkCodes, type LinkCode } from './link-codes.ts';
import {
  addRecentSearch,
  addSavedSearch,
  createPersonRecords,
  type PersonChange,
  type PersonRecords,
  removeSavedSearch,
  validatePersonSearch,
  validatePreferences,
} from './person-records.ts';
import { createSharing, type Sharing } from './shelf-sharing.ts';

/** Preferences, searches and linked accounts of people. Changes need an active tenant. Errors:
 *  TENANT_UNKNOWN, TENANT_DISABLED. */
export interface People {
  /** `noPreferences` where nothing is stored. */
  getPreferences(owner: ShelfOwner): Promise<Preferences>;
  /** At most 20 types of 100 characters and 50 providers. Errors: PARAMETERS_INVALID. */
  changePreferences(owner: ShelfOwner, preferences: Preferences): Promise<void>;
  /** Stores the last ten searches, each text once, cut to 300 characters. */
  noteSearch(owner: ShelfOwner, text: string): Promise<void>;
  /** Newest first. */
  listSearches(owner: ShelfOwner): Promise<readonly RecentSearch[]>;
  /** Saves a search of at most 1,000 characters until it is removed.
   *  @returns false where 50 searches are saved already. Errors: PARAMETERS_INVALID. */
  saveSearch(owner: ShelfOwner, text: string): Promise<boolean>;
  /** Newest first. */
  listSavedSearches(owner: ShelfOwner): Promise<readonly string[]>;
  /** Does nothing where it is not saved. */
  removeSavedSearch(owner: ShelfOwner, text: string): Promise<void>;
  /** The code is valid for ten minutes and one use in the same tenant. */
  createLinkCode(owner: ShelfOwner): Promise<LinkCode>;
  /** Merges the shelves of both people, with all who share them already.
   *  Errors: LINK_CODE_INVALID for a code that is unknown, used, expired, of another tenant, or of
   *  a person of the same face (two people in Slack are different people); LINK_CODE_THROTTLED
   *  after ten tries in ten minutes; SHELF_FULL when both together have too many objects: nothing
   *  changes then, and the code stays valid. */
  link(owner: ShelfOwner, code: string): Promise<void>;
  /** The number of others who share the shelf, at most 100. */
  countLinked(owner: ShelfOwner): Promise<number>;
  /** Names of the others who share the shelf, at most 100. */
  listLinked(owner: ShelfOwner): Promise<readonly string[]>;
  /** Gives the person an empty shelf; the shared one stays with the others. Does nothing where
   *  nobody shares it. */
  unlink(owner: ShelfOwner): Promise<void>;
  /** Erases preferences, searches, temporary states and the shelf, also a shared one, and unlinks
   *  the person.
   *  @returns how many saved objects there were */
  forget(owner: ShelfOwner): Promise<number>;
  /** Erases all people of the tenant whose names begin with this prefix; shelves that others share
   *  stay with them. */
  forgetAll(tenantId: string, prefix: string): Promise<void>;
}

export interface PeopleDeps {
  readonly people: PeopleRepository;
  readonly shelf: ShelfRepository;
  readonly nonces: NonceRepository;
  readonly rateCounters: RateCounterRepository;
  readonly tenants: TenantRepository;
  readonly clock: Clock;
}

export function createPeople(deps: PeopleDeps): People {
  const { people, tenants, clock } = deps;
  const records = createPersonRecords(people);
  const codes = createLinkCodes(deps);
  const sharing = createSharing({ ...deps, records });
  const keptStates = createKeptStates(deps);

  /** Errors: TENANT_UNKNOWN, also while the tenant is deleted; TENANT_DISABLED. */
  async function change(owner: ShelfOwner, toChanged: PersonChange): Promise<void> {
    await getActiveTenant(tenants, owner.tenantId);
    await records.update(owner, toChanged);
  }

  return {
    getPreferences: async (owner) => (await records.find(owner)).preferences,
    async changePreferences(owner, typed) {
      const preferences = validatePreferences(typed);
      await change(owner, (record) => ({ ...record, preferences }));
    },
    async noteSearch(owner, text) {
      const search = { text, searchedAt: clock.now() };
      await change(owner, (record) => addRecentSearch(record, search));
    },
    listSearches: async (owner) => (await records.find(owner)).recentSearches,
    async saveSearch(owner, text) {
      const search = validatePersonSearch(text);
      let isSaved = true;
      await change(owner, (record) => {
        const changed = addSavedSearch(record, search);
        isSaved = changed !== null;
        return changed ?? record;
      });
      return isSaved;
    },
    listSavedSearches: async (owner) => (await records.find(owner)).savedSearches,
    removeSavedSearch: (owner, text) => change(owner, (record) => removeSavedSearch(record, text)),
    async createLinkCode(owner) {
      await getActiveTenant(tenants, owner.tenantId);
      return codes.create(owner);
    },
    async link(owner, code) {
      await getActiveTenant(tenants, owner.tenantId);
      await codes.use(owner, code, (other) => sharing.join(owner, other));
    },
    countLinked: async (owner) => (await sharing.listOthers(owner)).length,
    listLinked: async (owner) => (await sharing.listOthers(owner)).map(({ person }) => person),
    unlink: (owner) => sharing.leave(owner),
    forget: (owner) => forgetPerson({ ...deps, records, sharing, keptStates }, owner),
    async forgetAll(tenantId, prefix) {
      await sharing.leaveToGuests(tenantId, prefix);
      await people.removePeople(tenantId, prefix);
      await deps.shelf.clearShelves(tenantId, prefix);
      await keptStates.forgetAll(tenantId, prefix);
    },
  };
}

interface ForgetDeps extends PeopleDeps {
  readonly records: PersonRecords;
  readonly sharing: Sharing;
  readonly keptStates: KeptStates;
}

/** @returns how many saved objects there were */
async function forgetPerson(deps: ForgetDeps, owner: ShelfOwner): Promise<number> {
  const { people, shelf, records, sharing, keptStates } = deps;
  const { shelfPerson } = await records.find(owner);
  const count = await shelf.clearShelf({ ...owner, person: shelfPerson });
  await sharing.leave(owner);
  // Remains of an interrupted merge.
  await shelf.clearShelf(owner);
  await people.removePerson(owner);
  await keptStates.forget(owner);
  return count;
}
