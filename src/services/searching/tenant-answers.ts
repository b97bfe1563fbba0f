import type { Answered } from '#domain/answer';
import type { Clock } from '#ports/clock';
import type { CallOptions, OperationAnswer, OperationRequest, QuestionName } from '#ports/learning-service';
import type { ObjectLayers } from '#services/catalogue/objects/object-layers';
import type { AnswerCache } from './answer-cache.ts';
import { type CacheRule, cacheRules } from './cache-rules.ts';
import type { TenantConnection, TenantUpstreams, UpstreamConnected } from './upstreams.ts';

/** Asks the service that answers for the tenant, through the cache if it is an upstream. */
export type TenantAnswers = ReturnType<typeof createTenantAnswers>;

interface TenantAnswersDeps {
  readonly upstreams: Pick<TenantUpstreams, 'connectionOf'>;
  readonly cache: AnswerCache;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  readonly clock: Clock;
  /** Whether stale answers replace errors, for callers that show them as such; true by default. */
  readonly allowStale?: boolean;
}

interface Question<N extends QuestionName> {
  readonly tenantId: string;
  readonly operation: N;
  readonly request: OperationRequest<N>;
  readonly options: CallOptions;
  readonly rule: CacheRule<N> | undefined;
}

export function createTenantAnswers(deps: TenantAnswersDeps, tenantId: string) {
  return {
    /** Errors: those of `TenantUpstreams.connectionOf` and `LearningService.ask`. */
    async ask<N extends QuestionName>(
      operation: N,
      request: OperationRequest<N>,
      options: CallOptions = {},
    ): Promise<Answered<OperationAnswer<N>>> {
      const rule: CacheRule<N> | undefined = cacheRules[operation];
      const question = { tenantId, operation, request: rule?.normalize?.(request) ?? request, options, rule };
      const connection = await deps.upstreams.connectionOf(tenantId);
      return connection.upstream === null
        ? askEngineForTenant(deps, question, connection)
        : askUpstreamForTenant(deps, question, connection);
    },
  };
}

async function askEngineForTenant<N extends QuestionName>(
  { layers, clock }: TenantAnswersDeps,
  { tenantId, operation, request, options }: Question<N>,
  { learning }: TenantConnection,
): Promise<Answered<OperationAnswer<N>>> {
  const layer = await layers.layerOf(tenantId);
  const { withDetails = false } = options;
  const callOptions: CallOptions = {
    tenantId,
    withDetails,
    layer: layer.stamp === '' ? undefined : layer,
    // Read only if it is needed: one is made for each request, and the engine needs none.
    get signal() {
      return options.signal;
    },
  };
  const value = await learning.ask(operation, request, callOptions);
  return { value, source: { upstream: null, freshness: 'fresh', answeredAt: clock.now() } };
}

async function askUpstreamForTenant<N extends QuestionName>(
  deps: TenantAnswersDeps,
  question: Question<N>,
  connection: UpstreamConnected,
): Promise<Answered<OperationAnswer<N>>> {
  const { value, source } = await askTenantCache(deps, question, connection);
  const { tenantId, rule } = question;
  if (rule?.applyLayer === undefined) return { value, source };
  return { value: rule.applyLayer(value, await deps.layers.layerOf(tenantId)), source };
}

async function askTenantCache<N extends QuestionName>(
  { cache, clock, allowStale = true }: TenantAnswersDeps,
  { tenantId, operation, request, options, rule }: Question<N>,
  { learning, stamp, upstream }: UpstreamConnected,
): Promise<Answered<OperationAnswer<N>>> {
  const parts = rule?.listKeyParts(request, options) ?? null;
  if (rule === undefined || parts === null) {
    const value = await learning.ask(operation, request, options);
    return { value, source: { upstream, freshness: 'fresh', answeredAt: clock.now() } };
  }
  const { times, isPrivate = false } = rule;
  const { signal, withDetails } = options;
  const cached = {
    key: `${tenantId} ${stamp} ${operation} ${JSON.stringify(parts)}`,
    upstream,
    times,
    isPrivate,
    isCacheable: (value: OperationAnswer<N>) => rule.isCacheable?.(value) ?? true,
    isPoor: (value: OperationAnswer<N>) => rule.isPoor?.(value) ?? false,
  };
  // The cache aborts the call once nobody waits for it.
  const call = (cacheSignal: AbortSignal) =>
    learning.ask(operation, request, { signal: cacheSignal, ...(withDetails && { withDetails }) });
  return cache.get(cached, call, { signal, allowStale });
}
