import { SHUFFLE_STEPS } from '#engine/objects/weights';
import { everyOf, isByValue, type Query, type WrittenFilter, writeFacets } from './filters.ts';

/** What is asked of the index, but for the page. */
export interface Body {
  readonly query: Query;
  readonly post_filter?: Query;
  readonly aggs?: Readonly<Record<string, object>>;
  readonly sort: readonly object[];
}

/** Ranks are sent as floats: so high that the lowest tier of the worst hit is one still. */
export const RANK_SCALE = 2 ** 60;
/** Tiers are so far apart that none reaches the next: below these ranks a hit is in another language, only close, and both. */
export const BELOW = { spoken: 2 ** -30, fitting: 2 ** -70, close: 2 ** -110 } as const;
/** Name of what is asked of single hits. */
export const EXACT = 'exact';

export const BY_TIE = { hash: 'asc' };
export const sortBy = (rank: object) => [rank, BY_TIE];

/** Strict filters by value are set aside where facets are counted. */
export function splitFilters(filters: readonly WrittenFilter[], hasFacets: boolean) {
  const isAside = (filter: WrittenFilter) => hasFacets && filter.strict && isByValue(filter);
  return {
    before: filters.filter((filter) => filter.strict && !isAside(filter)).map(({ meets }) => meets),
    aside: filters.filter(isAside),
  };
}

export function addFacets(aside: readonly WrittenFilter[], details: boolean) {
  return {
    ...(aside.length > 0 && { post_filter: everyOf(aside.map(({ meets }) => meets)) }),
    ...(details && { aggs: writeFacets(aside) }),
  };
}

export function byScript(source: string, params: object): object {
  return {
    _script: {
      type: 'number',
      order: 'desc',
      script: { source, params: { scale: RANK_SCALE, steps: SHUFFLE_STEPS, ...params } },
    },
  };
}

/** Of a script that knows whether a hit is close or in another language. */
export const BY_LENGTH = `
  double length = doc['minutes'].size() == 0 ? 16777216.0 : Math.min(16777216.0, Math.ceil(doc['minutes'].value));
  double rank = -length - 16777216.0 * ((other ? 2 : 0) + (close ? 4 : 0) + (doc['isDead'].value ? 8 : 0));`;
