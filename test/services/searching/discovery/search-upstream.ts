import { afterEach, expect } from 'vitest';
import { createUpstreams } from '../../../../src/adapters/remote/upstreams.ts';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import type { CallOptions, LearningService } from '../../../../src/ports/learning-service.ts';
import type { SearchResult } from '../../../../src/services/searching/discovery/results.ts';
import type { SearchDeps, SearchLearningObjects } from '../../../../src/services/searching/discovery/search.ts';
import { searchOf } from '../../../fakes/search-of.ts';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  startFakeUpstream,
  UPSTREAM_KEY,
} from '../../../fakes/upstream.ts';
import { loopbackAccess } from '../../../helpers/private-access.ts';
import { searchWith } from './listed-answers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** What is undefined is absent. */
type QueryChanges = { readonly [F in keyof LearningObjectQuery]?: LearningObjectQuery[F] | undefined };

export interface StartedSearch {
  readonly upstream: FakeUpstream;
  readonly learning: LearningService;
  readonly problems: unknown[];
  search(changes?: QueryChanges, options?: CallOptions): Promise<SearchResult>;
  /** Searches of the providers that reached the upstream: `tube 0` is of its first page. */
  asked(): string[];
  /** A search whose time is over as soon as so many of its calls have been answered. */
  searchUntil(answered: number, changes?: QueryChanges): Promise<SearchResult>;
}

/** A search over an upstream on a real socket, through the real client; nothing is repeated or put
 *  off there. */
export async function startSearch(
  options: FakeUpstreamOptions,
  changes: Partial<SearchDeps> = {},
): Promise<StartedSearch> {
  const upstream = await startFakeUpstream(options);
  const upstreams = createUpstreams({
    privateAccess: loopbackAccess,
    timeoutMs: 60_000,
    attemptTimeoutMs: 60_000,
    policies: { maxRetries: 0, maxFailures: 1_000 },
  });
  closers.push(
    () => upstreams.close(),
    () => upstream.close(),
  );
  const problems: unknown[] = [];
  const learning = upstreams.connect({ url: upstream.url, apiKey: UPSTREAM_KEY });
  let answered = 0;
  const counting: LearningService = {
    ask: (operation, request, options) =>
      learning.ask(operation, request, options).finally(() => {
        if (operation === 'searchProvider') answered++;
      }),
  };
  const running = new Set<() => void>();
  const search: SearchLearningObjects = searchWith(counting, {
    // Time passes only where a test lets it.
    startTimer(_timeoutMs, callback) {
      running.add(callback);
      return () => running.delete(callback);
    },
    onProblem: (error) => void problems.push(error),
    ...changes,
  });
  return {
    upstream,
    learning,
    problems,
    async searchUntil(wanted, query) {
      const before = answered;
      const searching = search(searchOf(query as Partial<LearningObjectQuery>));
      await expect.poll(() => answered - before).toBe(wanted);
      for (const endTime of running) endTime();
      return searching;
    },
    search: (query, callOptions) => search(searchOf(query as Partial<LearningObjectQuery>), callOptions),
    asked: () =>
      upstream.requests
        .filter(({ operation }) => operation === 'search-provider')
        .map(({ query }) => `${query.provider!.replace('!important', '')} ${query.page}`),
  };
}

export const titlesOf = ({ items }: SearchResult) => items.map(({ object }) => object.title);

/** Every page until the one that says there is no more. */
export async function walkPages({ search }: StartedSearch, query: QueryChanges = {}): Promise<SearchResult[]> {
  const pages: SearchResult[] = [];
  do pages.push(await search({ ...query, page: pages.length }));
  while (pages.at(-1)!.hasMore && pages.length < 100);
  return pages;
}
