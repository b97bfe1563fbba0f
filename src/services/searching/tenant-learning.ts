import type { Tier } from '#domain/answer';
import { isSpecifiedQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import { omitUndefined } from '#domain/omit-undefined';
import type {
  CallOptions,
  OperationRequest,
  PresentAnswer,
  SearchAnswer,
  WireOperationName,
} from '#ports/learning-service';
import type { Usage } from '../host/usage.ts';
import { limitTotal, type SearchResult } from './discovery/results.ts';
import type { Discovery } from './discovery.ts';
import type { TenantAnswers } from './tenant-answers.ts';

/** The operations of the wire except feedback, which is in `services/people/feedback/`. */
type TenantQuestionName = Exclude<WireOperationName, 'feedback'>;
/** Answers the operations of the wire for one tenant, and counts searches. */
export type TenantLearning = ReturnType<typeof createTenantLearning>;

interface TenantLearningDeps {
  readonly answers: TenantAnswers;
  /** Discovery of this tenant; it asks through `answers`. */
  readonly discovery: Pick<Discovery, 'searchLearningObjects'>;
  readonly usage: Pick<Usage, 'count'>;
}

const searches: {
  readonly [N in TenantQuestionName]?: (
    tenant: Tenant,
    request: OperationRequest<N>,
    options: CallOptions,
  ) => Promise<PresentAnswer<N>>;
} = { searchProvider, searchMany };

type Tenant = TenantLearningDeps & { readonly tenantId: string };

export function createTenantLearning(deps: TenantLearningDeps, tenantId: string) {
  const tenant = { ...deps, tenantId };
  return {
    /** Discovery replaces a missing `searchMany`. Errors: those of both. */
    async ask<N extends TenantQuestionName>(
      operation: N,
      request: OperationRequest<N>,
      options: CallOptions = {},
    ): Promise<PresentAnswer<N>> {
      const search = searches[operation];
      if (search !== undefined) return search(tenant, request, options);
      const { value } = await deps.answers.ask(operation, request, options);
      if (value === null) throw new TypeError(`The service of this tenant has no ${operation}.`);
      return value;
    },
  };
}

async function searchProvider(tenant: Tenant, query: LearningObjectQuery, options: CallOptions): Promise<SearchAnswer> {
  if (!isSpecifiedQuery(query)) return searchMany(tenant, query, options);
  return countTenantSearch(tenant, (await tenant.answers.ask('searchProvider', query, options)).value);
}

/** Asks the service itself if it has the operation, else discovery, which counts the search. */
async function searchMany(tenant: Tenant, query: LearningObjectQuery, options: CallOptions): Promise<SearchAnswer> {
  const { value } = await tenant.answers.ask('searchMany', query, options);
  if (value === null) return toTenantSearchAnswer(await tenant.discovery.searchLearningObjects(query, options));
  const { totalItems, isTotalExact } = limitTotal(value.totalItems);
  return countTenantSearch(tenant, isTotalExact ? value : { ...value, totalItems, isTotalExact });
}

function countTenantSearch({ usage, tenantId }: Tenant, answer: SearchAnswer): SearchAnswer {
  usage.count(tenantId, 'searches');
  if (answer.totalItems === 0) usage.count(tenantId, 'zero-result-searches');
  return answer;
}

/** The answer has the request ID of the best object's search, and `requestIds` if others differ. */
function toTenantSearchAnswer(result: SearchResult): SearchAnswer {
  const { requestId, items, page, itemsPerPage, totalItems, isTotalExact } = result;
  const { hasMore, quality, corrected, facets } = result;
  const missing = result.missing.map(({ id, why }) => ({ id, why }));
  const requestIds = items.map((item) => item.requestId);
  const tiers = items.map(({ tier }): Tier => tier ?? 'fitting');
  const highlights = items.flatMap(({ highlight }) => highlight ?? []);
  return {
    requestId,
    content: items.map(({ object }) => object),
    page,
    itemsPerPage,
    totalItems,
    ...(!isTotalExact && { isTotalExact }),
    hasMore,
    quality,
    ...(missing.length > 0 && { missing }),
    ...omitUndefined({ corrected, facets }),
    ...(highlights.length > 0 && highlights.length === items.length && { highlights }),
    ...(tiers.some((tier) => tier !== 'fitting') && { tiers }),
    ...(requestIds.some((id) => id !== requestId) && { requestIds }),
  };
}
