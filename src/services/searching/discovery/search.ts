import type { Answered, AnswerSource } from '#domain/answer';
import { waitUnlessAborted } from '#domain/async/deadline';
import { normalizeObjectAddress } from '#domain/learning-object';
import { isSpecifiedLearningQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { Clock, StartTimer } from '#ports/clock';
import type { CallOptions, SearchAnswer } from '#ports/learning-service';
import { makeSearchKey } from '../cache-rules.ts';
import { type Deadline, startDeadline } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import type { Lateness } from './fill-page.ts';
import { readPage, toMergedPageResult } from './merged-pages.ts';
import { createMergedSearch, type MergedSearch } from './merged-search.ts';
import {
  createProviderCallWindow,
  createProviderFailureReport,
  createSlowProviders,
  type SlowProviders,
} from './provider-calls.ts';
import { limitFoundTotal, type SearchResult, toFoundObjects } from './results.ts';
import { type CursorCallDeps, MAX_DEPTH } from './search-cursor.ts';
import type { SearchSessions } from './search-sessions.ts';

export interface SearchDeps {
  readonly answers: TenantAnswers;
  /** One for the whole process: pages stay as they were shown for as long as it remembers them. */
  readonly sessions: SearchSessions;
  /** Also one for the whole process; when absent, what is learnt is forgotten after the search. */
  readonly slowProviders?: SlowProviders;
  /** Tenant and connection, such as its id and `TenantConnection.stamp`: what was shown of one is not for another. */
  scope(): Promise<string>;
  readonly clock: Clock;
  /** How long providers that are asked one by one are waited for, from the start of the search; then whatever came is given.
   *  2,500 by default. */
  readonly deadlineMs?: number;
  readonly startTimer?: StartTimer;
  /** Providers that are asked one by one for a search; 50 by default. */
  readonly maxProviders?: number;
  /** After this, a call no longer keeps the next one waiting; 500 by default. */
  readonly patienceMs?: number;
  /** Told of providers whose failure is not the request's fault, even after an answer was given without them: once for those of
   *  one search that end together. */
  onProblem(error: unknown): void;
}

export type SearchLearningObjects = (
  query: LearningObjectQuery,
  options?: CallOptions,
) => Promise<SearchResult>;

const DEADLINE_MS = 2_500;
const MAX_PROVIDERS = 50;

/** A search over one provider, several or all. What the service can search at once, it does. Otherwise the providers are asked
 *  one by one, a few at a time, and their lists merged: within a session objects keep their places, none comes twice, and none is
 *  left out; a page with room left may be added to until the next one is asked for. A provider that is late or fails is named in
 *  `missing`, and may appear on a later page; one beyond the limit is named there too, and appears on none. At most 500 objects
 *  deep, after which `hasMore` is false.
 *  The specification cannot ask for any language: without `lang`, it is asked for English, loosely, and where `match` is strict,
 *  strictly for all else.
 *  Errors: those of `Discovery.searchLearningObjects`; UPSTREAM_TIMEOUT where nothing came in time; the reason of the signal. */
export function createSearch(deps: SearchDeps): SearchLearningObjects {
  const { answers, sessions, clock, onProblem, slowProviders = createSlowProviders(clock) } = deps;
  const { deadlineMs = DEADLINE_MS, maxProviders = MAX_PROVIDERS, patienceMs } = deps;
  const window = patienceMs === undefined ? {} : { patienceMs };

  /** A call that is given up before its turn is not made. */
  function callsOf({ inWindow }: MergedSearch, scope: string): CursorCallDeps['search'] {
    const watch = createProviderFailureReport(onProblem);
    return (query, options) => {
      const call = async () => {
        options.signal?.throwIfAborted();
        const answer = await answers.ask('searchProvider', query, options);
        for (const id of query.providers) slowProviders.remove(scope, id);
        return answer;
      };
      return watch(() => inWindow(call), options.signal);
    };
  }

  const latenessIn = (scope: string): Lateness => ({
    isExpected: (id) => slowProviders.has(scope, id),
    note: (id) => slowProviders.add(scope, id),
  });

  async function searchEach(
    query: LearningObjectQuery,
    deadline: Deadline,
    options: CallOptions,
  ): Promise<SearchResult> {
    const { signal } = options;
    const askedAt = clock.now();
    const [scope, key] = [await deps.scope(), sessionKey(query)];
    const ids = await waitUnlessAborted(findProviders(answers, query, options), deadline.signal);
    return sessions.use({ scope, key, page: query.page, signal }, async (session) => {
      const providers = { ids: ids.slice(0, maxProviders), notAsked: ids.slice(maxProviders) };
      session.merged ??= createMergedSearch(query, providers, createProviderCallWindow(window));
      const { merged } = session;
      merged.turn++;
      const calls = { search: callsOf(merged, scope), turn: () => merged.turn };
      const page = await readPage(merged, query.page, { deadline, calls, lateness: latenessIn(scope) });
      const result = toMergedPageResult(merged, { number: query.page, page, askedAt });
      if (query.page === 0) merged.isIncomplete = result.missing.some(({ why }) => why !== 'not-asked');
      return result;
    });
  }

  return async (query, options = {}) => {
    const deadline = startDeadline(deadlineMs, options.signal, deps.startTimer);
    try {
      return (
        (await searchAtOnce(answers, query, { ...options, deadline })) ??
        (await searchEach(query, deadline, options))
      );
    } finally {
      deadline.clear();
    }
  };
}

async function findProviders(
  answers: TenantAnswers,
  { providers }: LearningObjectQuery,
  options: CallOptions,
): Promise<readonly string[]> {
  if (providers.length > 0) return [...new Set(providers)];
  const { value, source } = await answers.ask('listProviders', {}, options);
  if (value.length === 0) throw createNoProvidersError(source);
  return value.map(({ id }) => id);
}

/** "Nothing found" would be untrue: nothing was searched. */
function createNoProvidersError({ upstream }: AnswerSource): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    `${upstream ?? 'The service'} lists no providers, so there is nothing to search in. Try again later; if it lasts, tell the operator of the service.`,
  );
}

/** The number of objects on a page is part of it: the shares of the providers are those of a page. */
function sessionKey(query: LearningObjectQuery): string {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  const providers = sorted(query.providers);
  const [types, blooms] = [sorted(query.types), sorted(query.blooms)];
  return makeSearchKey({ ...query, page: 0, providers, types, blooms }, false);
}

interface SearchAtOnceOptions extends CallOptions {
  /** Deadline for what is only needed to check an answer. */
  readonly deadline: Deadline;
}

/** A search that is a single call; null where the service cannot do it as such. Its search of many is preferred, which
 *  also says what matched. In random order one provider is searched as several are: its pages would be shuffled one by one,
 *  and have to be remembered. The shortest first is ours alone. */
async function searchAtOnce(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchAtOnceOptions,
): Promise<SearchResult | null> {
  const { value, source } = await answers.ask('searchMany', query, options);
  if (value !== null) return toResult(query, { value, source });
  if (!isSpecifiedLearningQuery(query) || query.sort !== 'popularity') return null;
  return searchOne(answers, query, { deadline, ...options });
}

/** A page of one provider, corrected: a service that promises more and gives nothing, or the same again, would be asked for
 *  ever. */
async function searchOne(
  answers: TenantAnswers,
  query: LearningObjectQuery,
  { deadline, ...options }: SearchAtOnceOptions,
): Promise<SearchResult> {
  const { page, max } = query;
  if (page * max >= MAX_DEPTH) {
    // What is known of the search is wanted all the same.
    const first = toResult(query, await answers.ask('searchProvider', { ...query, page: 0 }, options));
    return { ...first, items: [], hasMore: false };
  }
  // A reader who turns pages has just seen it, so it is in the cache and costs nothing.
  const before =
    page === 0 ? null : deadline.inTime(answers.ask('searchProvider', { ...query, page: page - 1 }, options));
  const result = toResult(query, await answers.ask('searchProvider', query, options));
  const previous = (await before)?.value.content ?? [];
  if (isRepeated(result, previous)) return endAfter(result, (page - 1) * max + previous.length);
  return { ...result, hasMore: result.hasMore && result.items.length > 0 && (page + 1) * max < MAX_DEPTH };
}

/** Whether everything was already on the page before. */
function isRepeated({ items }: SearchResult, previous: SearchAnswer['content']): boolean {
  const known = new Set(previous.map(({ url }) => normalizeObjectAddress(url)));
  return items.length > 0 && items.every(({ object }) => known.has(normalizeObjectAddress(object.url)));
}

function endAfter(result: SearchResult, totalItems: number): SearchResult {
  return { ...result, items: [], totalItems, isTotalExact: false, hasMore: false };
}

function toResult(query: LearningObjectQuery, answer: Answered<SearchAnswer>): SearchResult {
  const { requestId, hasMore, quality, corrected, wishes, facets } = answer.value;
  const [only, ...others] = query.providers;
  const providerId = only !== undefined && others.length === 0 ? only : null;
  const { totalItems, isTotalExact } = limitFoundTotal(answer.value.totalItems);
  return {
    requestId,
    items: toFoundObjects(answer, providerId),
    page: query.page,
    itemsPerPage: query.max,
    totalItems,
    isTotalExact: isTotalExact && (answer.value.isTotalExact ?? true),
    hasMore,
    quality,
    source: answer.source,
    missing: (answer.value.missing ?? []).map((each) => ({ ...each, code: null })),
    ...(corrected !== undefined && { corrected }),
    ...(wishes !== undefined && { wishes }),
    ...(facets && { facets }),
  };
}
