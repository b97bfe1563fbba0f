import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';

/** Remembers for half an hour, in this process only, who searched for what: changing a filter is no other search, and looking into
 *  two objects is one search that led to something. */
export interface RecentSearches {
  /** False where the person has searched for the same before. */
  begin(search: Searched): boolean;
  /** False where the person has looked into something of it before. */
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
  const searches = new LRUCache<string, { readonly at: number; isOpened: boolean }>({ max: MOST });
  const find = ({ tenantId, person, name }: Searched) => {
    const key = JSON.stringify([tenantId, person, name]);
    const now = clock.now().getTime();
    const known = searches.get(key);
    if (known !== undefined && now - known.at < HALF_HOUR_MS) return { known, isNew: false };
    const begun = { at: now, isOpened: false };
    searches.set(key, begun);
    return { known: begun, isNew: true };
  };
  return {
    begin: (search) => find(search).isNew,
    open(search) {
      // Also of one that another host has answered.
      const { known } = find(search);
      const isFirst = !known.isOpened;
      known.isOpened = true;
      return isFirst;
    },
  };
}
