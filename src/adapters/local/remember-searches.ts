import { LRUCache } from 'lru-cache';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchOptions } from '../../ports/learning-service.ts';
import type { FoundObjects } from './search-learning-objects.ts';

type Search = (query: LearningObjectQuery, options: SearchOptions) => Promise<FoundObjects>;

const MAX_ANSWERS = 2_000;

/** The same search, which gives the answers of the last queries again. They cannot grow old: they are of
 *  one version of the catalogue, and a shuffle is asked for with its day. An answer holds ids and counts, a few kB at the most. */
export function rememberSearches(clock: Clock, search: Search): Search {
  const answers = new LRUCache<string, FoundObjects>({ max: MAX_ANSWERS });
  return async (query, options) => {
    const day = query.sort === 'random' ? clock.now().toISOString().slice(0, 10) : '';
    const key = JSON.stringify([query, [...query.important].sort(), options.withDetails === true, day]);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = await search(query, options);
    answers.set(key, answer);
    return answer;
  };
}
