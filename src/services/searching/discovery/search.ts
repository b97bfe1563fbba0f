import type { Answered } from '#domain/answer';
import { waitUnlessAborted } from '#domain/async/deadline';
import { normalizeObjectAddress } from '#domain/learning-object';
import { isSpecifiedQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import { omitUndefined } from '#domain/omit-undefined';
import { AppError } from '#errors';
import type { Clock, StartTimer } from '#ports/clock';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import { makeSearchCacheKey } from '../cache-rules.ts';
import { type Deadline, startDeadline } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { toMergedResult } from './merged-result.ts';
import { createMergedSearch, type Lateness, type MergedSearch, readMergedPage } from './merged-search.ts';
import type { CursorCallDeps } from './provider-cursor.ts';
import { createCallWindow, createProviderFailureReport, MAX_DEPTH } from './provider-cursor.ts';
import { limitTotal, type SearchResult, toObjectHits } from './results.ts';
import { createSlowProviders, type SearchSessions, type SlowProviders } from './search-sessions.ts';

export interface SearchDeps {
  readonly answers: TenantAnswers;
  /** One for the whole process: pages stay as they were shown for as long as it remembers them. */
  readonly sessions: SearchSessions;
  /** One for the whole process; absent forgets slow providers after the search. */
  readonly slowProviders?: SlowProviders;
  /** Identifies tenant and connection, for example by its ID and `TenantConnection.stamp`. */
  scope(): Promise<string>;
  readonly clock: Clock;
  /** Time for the answers of providers that are asked one by one; 2,500 by default. */
  readonly deadlineMs?: number;
  readonly startTimer?: StartTimer;
  /** 50 by default. */
  readonly maxProviders?: number;
  /** Time after which a call no longer blocks the next one; 500 by default. */
  readonly patienceMs?: number;
  /** Receives the failures of providers, combined if they end together; even after the result. */
  onProblem(error: unknown): void;
}

/** Errors: those of `Discovery.searchLearningObjects`; UPSTREAM_TIMEOUT; the signal's reason. */
export type SearchLearningObjects = (query: LearningObjectQuery, options?: CallOptions) => Promise<SearchResult>;

const DEADLINE_MS = 2_500;
const MAX_PROVIDERS = 50;

/** Asks a service once if it can search several providers. Otherwise asks for each provider, a few
 *  at a time, and merges their lists:
 *  - Within a session objects keep their places, none comes twice, and none is left out; a page
 *  with room left may grow until the next one is asked for.
 *  - A late or failed provider is named in `missing`, and may appear on a later page; one beyond
 *  the limit never appears.
 *  - Pages go at most 500 objects deep; then `hasMore` is false.
 *  - The specification has no parameter for any language: without `lang`, English is asked for
 *  loosely, and all other filters strictly where `match` is strict. */
export function createDiscoverySearch(deps: SearchDeps): SearchLearningObjects {
  const { answers, deadlineMs = DEADLINE_MS, startTimer } = deps;
  const { slowProviders = createSlowProviders(deps.clock) } = deps;
  return async (query, options = {}) => {
    const deadline = startDeadline(deadlineMs, options.signal, startTimer);
    try {
      return (
        (await searchAtOnce(answers, query, { ...options, deadline })) ??
        (await searchOneByOne({ ...deps, slowProviders }, query, { ...options, deadline }))
      );
    } finally {
      deadline.clear();
    }
  };
}

type SearchOptions = CallOptions & { readonly deadline: Deadline };

/** Returns null if the service has no single call for the search. Its search of many providers is
 *  preferred, as it has more details. One provider in random order needs a session: the service
 *  would shuffle each page. The specification has no other orders. */
async function searchAtOnce(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchOptions,
): Promise<SearchResult | null> {
  const { value, source } = await answers.ask('searchMany', query, options);
  if (value !== null) return toSearchResult(query, { value, source });
  if (!isSpecifiedQuery(query) || query.sort !== 'popularity') return null;
  return searchProvider(answers, query, { deadline, ...options });
}

/** Searches one provider; the list ends if a page has no objects, or those of the page before. */
async function searchProvider(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchOptions,
): Promise<SearchResult> {
  const { page, max } = query;
  if (page * max >= MAX_DEPTH) {
    // The caller still needs the totals of the search.
    const first = toSearchResult(query, await answers.ask('searchProvider', { ...query, page: 0 }, options));
    return { ...first, items: [], hasMore: false };
  }
  // A reader who turns pages has just seen the page before, so it is in the cache.
  const previousPage =
    page === 0 ? null : deadline.inTime(answers.ask('searchProvider', { ...query, page: page - 1 }, options));
  const result = toSearchResult(query, await answers.ask('searchProvider', query, options));
  const before = (await previousPage)?.value.content ?? [];
  if (isRepeatedSearch(result, before)) {
    const totalItems = (page - 1) * max + before.length;
    return { ...result, items: [], totalItems, isTotalExact: false, hasMore: false };
  }
  return { ...result, hasMore: result.hasMore && result.items.length > 0 && (page + 1) * max < MAX_DEPTH };
}

function isRepeatedSearch({ items }: SearchResult, before: SearchAnswer['content']): boolean {
  const shownAddresses = new Set(before.map(({ url }) => normalizeObjectAddress(url)));
  return items.length > 0 && items.every(({ object }) => shownAddresses.has(normalizeObjectAddress(object.url)));
}

function toSearchResult(query: LearningObjectQuery, answer: Answered<SearchAnswer>): SearchResult {
  const { requestId, hasMore, quality, corrected, wishes, facets } = answer.value;
  const providerId = query.providers.length === 1 ? (query.providers[0] ?? null) : null;
  const { totalItems, isTotalExact } = limitTotal(answer.value.totalItems);
  return {
    requestId,
    items: toObjectHits(answer, providerId),
    page: query.page,
    itemsPerPage: query.max,
    totalItems,
    isTotalExact: isTotalExact && (answer.value.isTotalExact ?? true),
    hasMore,
    quality,
    source: answer.source,
    missing: (answer.value.missing ?? []).map((part) => ({ ...part, code: null })),
    ...omitUndefined({ corrected, wishes, facets }),
  };
}

type OneByOneDeps = SearchDeps & { readonly slowProviders: SlowProviders };

async function searchOneByOne(deps: OneByOneDeps, query: LearningObjectQuery, { deadline, ...options }: SearchOptions) {
  const { answers, sessions, slowProviders, clock, patienceMs, maxProviders = MAX_PROVIDERS } = deps;
  const askedAt = clock.now();
  const scope = await deps.scope();
  const key = makeSessionKey(query);
  const ids = await waitUnlessAborted(findProvidersToSearch(answers, query, options), deadline.signal);
  const lateness: Lateness = {
    isExpected: (id) => slowProviders.has(scope, id),
    note: (id) => slowProviders.add(scope, id),
  };
  return sessions.use({ scope, key, page: query.page, signal: options.signal }, async (session) => {
    session.merged ??= createMergedSearch(
      query,
      { ids: ids.slice(0, maxProviders), notAsked: ids.slice(maxProviders) },
      createCallWindow(patienceMs === undefined ? {} : { patienceMs }),
    );
    const { merged } = session;
    merged.turn++;
    const calls = { search: createProviderSearch(deps, merged, scope), turn: () => merged.turn };
    const page = await readMergedPage(merged, query.page, { deadline, calls, lateness });
    const result = toMergedResult(merged, { number: query.page, page, askedAt });
    if (query.page === 0) merged.isIncomplete = result.missing.some(({ why }) => why !== 'not-asked');
    return result;
  });
}

/** Makes the function that calls for the list of a provider, within the window of the search. */
function createProviderSearch(
  { answers, slowProviders, onProblem }: OneByOneDeps,
  { runInWindow }: MergedSearch,
  scope: string,
): CursorCallDeps['search'] {
  const watch = createProviderFailureReport(onProblem);
  return (query, options) => {
    const call = async () => {
      // A call that is aborted before its turn is not made.
      options.signal?.throwIfAborted();
      const answer = await answers.ask('searchProvider', query, options);
      for (const id of query.providers) slowProviders.remove(scope, id);
      return answer;
    };
    return watch(() => runInWindow(call), options.signal);
  };
}

async function findProvidersToSearch(answers: TenantAnswers, { providers }: LearningObjectQuery, options: CallOptions) {
  if (providers.length > 0) return [...new Set(providers)];
  const { value, source } = await answers.ask('listProviders', {}, options);
  // An empty result would be untrue, as nothing was searched.
  if (value.length === 0)
    throw new AppError(
      'RESPONSE_INVALID',
      `${source.upstream ?? 'The service'} lists no providers, so there is nothing to search in. Try again later; if it lasts, tell the operator of the service.`,
    );
  return value.map(({ id }) => id);
}

/** Makes a key for all pages of a search; their size counts, as it sets the shares of providers. */
function makeSessionKey(query: LearningObjectQuery): string {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  const lists = {
    providers: sorted(query.providers),
    types: sorted(query.types),
    blooms: sorted(query.blooms),
  };
  return makeSearchCacheKey({ ...query, ...lists, page: 0 }, false);
}
