import type { Preferences } from '#domain/person';
import type { Clock } from '#ports/clock';
import type { ShelfOwner, Store } from '#ports/store/store';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { createLinkCodes, type LinkCode } from './link-codes.ts';
import {
  addRecentSearch,
  addSavedSearch,
  createPersonRecords,
  type PersonChange,
  removeSavedSearch,
  validatePersonSearch,
  validatePreferences,
} from './person-records.ts';
import { createSavedStates } from './saved-states.ts';
import { createSharing } from './shelf-sharing.ts';

/** Preferences, searches and linked accounts of people. Changes need an active tenant. Errors:
 *  TENANT_UNKNOWN, TENANT_DISABLED. */
export type People = ReturnType<typeof createPeople>;

interface PeopleDeps extends Pick<Store, 'people' | 'shelf' | 'nonces' | 'rateCounters' | 'tenants'> {
  readonly clock: Clock;
}

export function createPeople(deps: PeopleDeps) {
  const { people, shelf, tenants, clock } = deps;
  const records = createPersonRecords(people);
  const codes = createLinkCodes(deps);
  const sharing = createSharing({ ...deps, records });
  const savedStates = createSavedStates(deps);

  /** Errors: TENANT_UNKNOWN, also while the tenant is deleted; TENANT_DISABLED. */
  async function change(owner: ShelfOwner, toChanged: PersonChange): Promise<void> {
    await getActiveTenant(tenants, owner.tenantId);
    await records.update(owner, toChanged);
  }

  return {
    /** `noPreferences` where nothing is stored. */
    getPreferences: async (owner: ShelfOwner) => (await records.find(owner)).preferences,
    /** At most 20 types of 100 characters and 50 providers. Errors: PARAMETERS_INVALID. */
    async changePreferences(owner: ShelfOwner, typed: Preferences): Promise<void> {
      const preferences = validatePreferences(typed);
      await change(owner, (record) => ({ ...record, preferences }));
    },
    /** Stores the last ten searches, each text once, cut to 300 characters. */
    async noteSearch(owner: ShelfOwner, text: string): Promise<void> {
      const search = { text, searchedAt: clock.now() };
      await change(owner, (record) => addRecentSearch(record, search));
    },
    /** Newest first. */
    listSearches: async (owner: ShelfOwner) => (await records.find(owner)).recentSearches,
    /** Saves a search of at most 1,000 characters until it is removed.
     *  @returns false where 50 searches are saved already. Errors: PARAMETERS_INVALID. */
    async saveSearch(owner: ShelfOwner, text: string): Promise<boolean> {
      const search = validatePersonSearch(text);
      let isSaved = true;
      await change(owner, (record) => {
        const changed = addSavedSearch(record, search);
        isSaved = changed !== null;
        return changed ?? record;
      });
      return isSaved;
    },
    /** Newest first. */
    listSavedSearches: async (owner: ShelfOwner) => (await records.find(owner)).savedSearches,
    /** Does nothing where it is not saved. */
    removeSavedSearch: (owner: ShelfOwner, text: string) => change(owner, (record) => removeSavedSearch(record, text)),
    /** The code is valid for ten minutes and one use in the same tenant. */
    async createLinkCode(owner: ShelfOwner): Promise<LinkCode> {
      await getActiveTenant(tenants, owner.tenantId);
      return codes.create(owner);
    },
    /** Merges the shelves of both people, with all who share them already.
     *  Errors: LINK_CODE_INVALID for a code that is unknown, used, expired, of another tenant, or
     *  of a person of the same face (two people in Slack are different people); LINK_CODE_THROTTLED
     *  after ten tries in ten minutes; SHELF_FULL when both together have too many objects: nothing
     *  changes then, and the code stays valid. */
    async link(owner: ShelfOwner, code: string): Promise<void> {
      await getActiveTenant(tenants, owner.tenantId);
      await codes.use(owner, code, (other) => sharing.join(owner, other));
    },
    /** The number of others who share the shelf, at most 100. */
    countLinked: async (owner: ShelfOwner) => (await sharing.listOthers(owner)).length,
    /** Names of the others who share the shelf, at most 100. */
    listLinked: async (owner: ShelfOwner) => (await sharing.listOthers(owner)).map(({ person }) => person),
    /** Gives the person an empty shelf; the shared one stays with the others. Does nothing where
     *  nobody shares it. */
    unlink: (owner: ShelfOwner) => sharing.leave(owner),
    /** Erases preferences, searches, temporary states and the shelf, also a shared one, and unlinks
     *  the person.
     *  @returns how many saved objects there were */
    async forget(owner: ShelfOwner): Promise<number> {
      const { shelfPerson } = await records.find(owner);
      const count = await shelf.clearShelf({ ...owner, person: shelfPerson });
      await sharing.leave(owner);
      // Remains of an interrupted merge.
      await shelf.clearShelf(owner);
      await people.removePerson(owner);
      await savedStates.forget(owner);
      return count;
    },
    /** Erases all people of the tenant whose names begin with this prefix; shelves that others
     *  share stay with them. */
    async forgetAll(tenantId: string, prefix: string): Promise<void> {
      await sharing.leaveToGuests(tenantId, prefix);
      await people.removePeople(tenantId, prefix);
      await shelf.clearShelves(tenantId, prefix);
      await savedStates.forgetAll(tenantId, prefix);
    },
  };
}
