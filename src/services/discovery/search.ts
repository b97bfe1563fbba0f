import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallOptions, SearchOptions } from '../../ports/learning-service.ts';
import { searchKey } from '../tenant-answers/search-key.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { toSearchResult } from './merged-result.ts';
import { createMergedSearch, readPage } from './merged-search.ts';
import { searchAtOnce } from './native-search.ts';
import { createPatience } from './patience.ts';
import type { SearchResult } from './results.ts';
import type { SearchSessions } from './search-sessions.ts';

export interface SearchDeps {
  readonly answers: TenantAnswers;
  /** One for the whole process: pages stay as they were shown for as long as it remembers them. */
  readonly sessions: SearchSessions;
  /** Tenant and connection, such as its id and `TenantConnection.stamp`: what was shown of one is not for another. */
  scope(): Promise<string>;
  readonly clock: Clock;
  /** Of waiting for providers, once they are asked one by one: then whatever came is given. 2,500 by default. */
  readonly deadlineMs?: number;
  /** Told of every provider that failed, also behind an answer that was given without it. */
  onProblem(error: unknown): void;
}

export type SearchLearningObjects = (
  query: LearningObjectQuery,
  options?: SearchOptions,
) => Promise<SearchResult>;

const DEADLINE_MS = 2_500;

/** A search over one provider, several or all. What the service can search at once, it does. Otherwise the providers are
 *  asked one by one and their lists merged: within a session objects keep their places, none comes twice, and none is left
 *  out; a page with room left may be added to until the next one is asked for. Who is late or fails is named in `missing`,
 *  and found on a later page. At most 500 objects deep, after which `hasMore` is false.
 *  The specification cannot ask for any language: without `lang`, it is asked for English, loosely.
 *  Errors: those of `Discovery.searchLearningObjects`; the reason of the signal. */
export function createSearch(deps: SearchDeps): SearchLearningObjects {
  const { answers, sessions, clock, deadlineMs = DEADLINE_MS, onProblem } = deps;

  async function searchEach(query: LearningObjectQuery, options: CallOptions): Promise<SearchResult> {
    const { signal } = options;
    const askedAt = clock.now();
    const key = sessionKey(await deps.scope(), query);
    const { ids, source } = await findProviders(answers, query, options);
    const patience = createPatience(deadlineMs, signal);
    try {
      return await sessions.use({ key, page: query.page, signal }, async (session) => {
        session.merged ??= createMergedSearch(query, ids, source);
        const { merged } = session;
        merged.turn++;
        const calls = { search: answers.searchProvider, turn: () => merged.turn, onProblem };
        const page = await readPage(merged, query.page, { patience, calls });
        const result = toSearchResult(merged, { number: query.page, page, askedAt });
        if (query.page === 0) merged.isIncomplete = result.missing.length > 0;
        return result;
      });
    } finally {
      patience.end();
    }
  }

  return async (query, options = {}) =>
    (await searchAtOnce(answers, query, options)) ?? (await searchEach(query, options));
}

/** Without a deadline, as nothing can be given before; the list is nearly always at hand. */
async function findProviders(
  answers: TenantAnswers,
  { providers }: LearningObjectQuery,
  options: CallOptions,
) {
  if (providers.length > 0) return { ids: providers, source: null };
  const { value, source } = await answers.listProviders(options);
  return { ids: value.map(({ id }) => id), source };
}

/** The number of objects on a page is part of it: the shares of the providers are those of a page. */
function sessionKey(scope: string, query: LearningObjectQuery): string {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  const providers = sorted(query.providers);
  const [types, blooms] = [sorted(query.types), sorted(query.blooms)];
  return `${scope} ${searchKey({ ...query, page: 0, providers, types, blooms }, false)}`;
}
