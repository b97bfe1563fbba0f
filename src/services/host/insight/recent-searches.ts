import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { Clock } from '#ports/clock';

/** Remembers for half an hour, in this process only, who searched for what: changing a filter is no other search, and looking into
 *  two objects is one search that led to something. */
export interface RecentSearches {
  /** False where the person has searched for the same before.
   *  @param canBeOpened whether somebody who looks into something of it will be seen */
  begin(search: Searched, canBeOpened: boolean): boolean;
  /** False where the person has looked into something of it before, or where that does not count. Also true of a search that another
   *  host has answered. */
  open(search: Searched): boolean;
}

interface Searched {
  readonly tenantId: string;
  readonly person: string;
  readonly name: string;
}

const MOST = 10_000;
const HALF_HOUR_MS = 30 * 60_000;

export function createRecentSearches(clock: Clock): RecentSearches {
  const searches = new LRUCache<string, { readonly at: number; readonly canBeOpened: boolean }>({
    ...limitEntries(MOST),
  });
  const keyOf = ({ tenantId, person, name }: Searched) => JSON.stringify([tenantId, person, name]);
  return {
    begin(search, canBeOpened) {
      const key = keyOf(search);
      const at = clock.now().getTime();
      const known = searches.get(key);
      if (known !== undefined && at - known.at < HALF_HOUR_MS) return false;
      searches.set(key, { at, canBeOpened });
      return true;
    },
    open(search) {
      const key = keyOf(search);
      // However long ago it was: the same search is never opened twice.
      const { at, canBeOpened } = searches.get(key) ?? { at: clock.now().getTime(), canBeOpened: true };
      searches.set(key, { at, canBeOpened: false });
      return canBeOpened;
    },
  };
}
