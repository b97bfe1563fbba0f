import type { Answered } from '../../domain/answer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallOptions, LearningService, SearchAnswer } from '../../ports/learning-service.ts';
import type { AnswerCache } from '../answer-cache/answer-cache.ts';
import { layOverAnswer } from '../objects/lay-over.ts';
import type { ObjectLayers } from '../objects/object-layers.ts';
import type { TenantUpstreams } from '../upstreams/upstreams.ts';
import {
  answerTimes,
  makeAlikeRequest,
  makeBrowseRequest,
  makeListRequest,
  makeSearchRequest,
  makeSimilarRequest,
  makeSuggestRequest,
  makeTaggerRequest,
  type OperationRequest,
} from './answer-requests.ts';

/** The operations as one tenant's people get them: from the service that answers for the tenant at the time, through the cache
 *  where that is an upstream. Each answer says where it comes from. `searchMany` gives null where that of `LearningService` does.
 *  Errors: those of `TenantUpstreams.learningOf` and of `LearningService`. */
export type TenantAnswers = {
  readonly [N in Exclude<keyof LearningService, 'feedback'>]: (
    ...given: Parameters<LearningService[N]>
  ) => Promise<Answered<Awaited<ReturnType<LearningService[N]>>>>;
};

export interface TenantAnswersDeps {
  readonly upstreams: Pick<TenantUpstreams, 'connectionOf'>;
  readonly cache: AnswerCache;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  readonly clock: Clock;
  /** False for callers who cannot be told that an answer is stale: they get the error instead. True by default. */
  readonly allowStale?: boolean;
}

export function createTenantAnswers(deps: TenantAnswersDeps, tenantId: string): TenantAnswers {
  const { upstreams, cache, layers, clock, allowStale = true } = deps;

  async function answer<T>(request: OperationRequest<T>, options: CallOptions = {}): Promise<Answered<T>> {
    const { learning, stamp, upstream } = await upstreams.connectionOf(tenantId);
    const key = upstream === null ? null : request.key();
    if (upstream === null || key === null) {
      const layer = upstream === null ? await layers.layerOf(tenantId) : null;
      const isLayered = layer !== null && layer.stamp !== '';
      const value = await request.call(learning, isLayered ? { ...options, layer } : options);
      return { value, source: { upstream, freshness: 'fresh', answeredAt: clock.now() } };
    }
    const { kind, isPrivate = false } = request;
    const question = {
      key: `${tenantId} ${stamp} ${key}`,
      upstream,
      times: answerTimes[kind],
      isPrivate,
      isKept: (value: unknown) => request.isKept?.(value as T) ?? true,
      isPoor: (value: unknown) => request.isPoor?.(value as T) ?? false,
    };
    const ask = (signal: AbortSignal) => request.call(learning, { signal });
    return cache.get(question, ask, { signal: options.signal, allowStale });
  }

  /** Of an upstream, with what the tenant's administrators changed; our own engine does that itself. */
  async function layOver<T extends SearchAnswer | null>(asked: Promise<Answered<T>>): Promise<Answered<T>> {
    const { value, source } = await asked;
    if (source.upstream === null || value === null) return { value, source };
    return { value: { ...value, ...layOverAnswer(value, await layers.layerOf(tenantId)) }, source };
  }

  return {
    similar: (request, options) => answer(makeSimilarRequest(request), options),
    tagger: (request, options) => answer(makeTaggerRequest(request), options),
    suggest: (request, options) => answer(makeSuggestRequest(request), options),
    listProviders: (options) => answer(makeListRequest('listProviders'), options),
    listTypes: (options) => answer(makeListRequest('listTypes'), options),
    listBlooms: (options) => answer(makeListRequest('listBlooms'), options),
    listLanguages: (options) => answer(makeListRequest('listLanguages'), options),
    searchProvider: (query, options) =>
      layOver(answer(makeSearchRequest('searchProvider', query, options), options)),
    searchMany: (query, options) => layOver(answer(makeSearchRequest('searchMany', query, options), options)),
    browse: (request, options) => answer(makeBrowseRequest(request), options),
    findAlike: (object, options) => answer(makeAlikeRequest(object), options),
  };
}
