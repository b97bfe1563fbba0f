import { LRUCache } from 'lru-cache';
import { parseProviderResponse, parseSearchResponse, writeSearchRequest } from '../../contract/index.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchAnswer } from '../../ports/learning-service.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import type { Ask } from './ask.ts';
import { locate } from './endpoints.ts';
import { type SearchOne, searchEach } from './search-each.ts';
import { searchByExtension } from './search-extension.ts';

const MAX_UPSTREAMS = 500;
const HOUR_MS = 3600 * 1000;

/** What is known of services for an hour, by the address of their provider list. Both are the same for every key. */
export interface SearchMemory {
  readonly providerIds: LRUCache<string, readonly string[]>;
  readonly withoutExtension: LRUCache<string, true>;
}

export function createSearchMemory(clock: Clock): SearchMemory {
  const options = { max: MAX_UPSTREAMS, ttl: HOUR_MS, perf: { now: () => clock.now().getTime() } };
  return { providerIds: new LRUCache(options), withoutExtension: new LRUCache(options) };
}

export interface RemoteSearchDeps {
  readonly ask: Ask;
  readonly memory: SearchMemory;
  /** Of a whole search, however many calls it needs. */
  readonly timeoutMs: number;
}

type Search = (query: LearningObjectQuery) => Promise<SearchAnswer>;

/** A search of a service. The specification has exactly one provider and one language, and neither types nor objectives.
 *  Everything else goes to the `search` of a Skilldock where there is one, else to the providers one by one. */
export function createRemoteSearch(connection: UpstreamConnection, deps: RemoteSearchDeps): Search {
  const { ask, memory, timeoutMs } = deps;
  const searchOne: SearchOne = async (query, signal) =>
    parseSearchResponse(await ask('search-provider', { query: writeSearchRequest(query), signal }));

  async function findProviderIds(upstream: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = memory.providerIds.get(upstream);
    if (known !== undefined) return known;
    const ids = parseProviderResponse(await ask('provider', { signal })).map(({ id }) => id);
    memory.providerIds.set(upstream, ids);
    return ids;
  }

  return async (query) => {
    if (isSpecified(query)) return searchOne(query);
    const upstream = locate(connection, 'provider').url.href;
    const signal = AbortSignal.timeout(timeoutMs);
    // The gateway does not have it, and the service behind it has another key.
    if (connection.marketplace === undefined && !memory.withoutExtension.has(upstream)) {
      const answer = await searchByExtension(query, ask, signal);
      if (answer !== null) return answer;
      memory.withoutExtension.set(upstream, true);
    }
    const ids = query.providers.length > 0 ? query.providers : await findProviderIds(upstream, signal);
    return searchEach(query, ids, (each) => searchOne(each, signal));
  };
}

function isSpecified({ providers, types, blooms, lang }: LearningObjectQuery): boolean {
  return providers.length === 1 && types.length === 0 && blooms.length === 0 && lang !== undefined;
}
