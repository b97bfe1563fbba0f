import type { Tier } from '../domain/answer.ts';
import { isSpecifiedLearningQuery, type LearningObjectQuery } from '../domain/learning-object-query.ts';
import type { LearningService, SearchAnswer, SearchOptions } from '../ports/learning-service.ts';
import type { Discovery } from './discovery/discovery.ts';
import { limitFoundTotal } from './discovery/found-objects.ts';
import type { SearchResult } from './discovery/results.ts';
import type { TenantAnswers } from './tenant-answers/tenant-answers.ts';
import type { Usage } from './usage.ts';

/** All operations but feedback, which `services/feedback/feedback.ts` takes, and what the wire does not have: browsing, and what is alike. */
export interface TenantLearning
  extends Omit<LearningService, 'feedback' | 'searchMany' | 'browse' | 'findAlike'> {
  /** Every service has it: discovery makes up for an upstream without it. */
  searchMany(query: LearningObjectQuery, options?: SearchOptions): Promise<SearchAnswer>;
}

export interface TenantLearningDeps {
  /** The tenant's, without stale ones: the wire has no place to say so. */
  readonly answers: TenantAnswers;
  /** The tenant's, over such answers too. */
  readonly discovery: Pick<Discovery, 'searchLearningObjects'>;
  readonly usage: Pick<Usage, 'count'>;
}

/** The operations as the wire gives them, from the service that answers for the tenant at the time, with searches counted.
 *  Errors: those of `TenantAnswers` and `Discovery`. */
export function createTenantLearning(deps: TenantLearningDeps, tenantId: string): TenantLearning {
  const { answers, discovery, usage } = deps;

  function counted(answer: SearchAnswer): SearchAnswer {
    usage.count(tenantId, 'searches');
    if (answer.totalItems === 0) usage.count(tenantId, 'zero-result-searches');
    return answer;
  }

  /** A search that the service can do at once goes through as it is. Discovery, which asks one provider after the other, counts
   *  for itself. */
  async function searchMany(query: LearningObjectQuery, options?: SearchOptions): Promise<SearchAnswer> {
    const { value } = await answers.searchMany(query, options);
    if (value !== null) return counted(believable(value));
    return toSearchAnswer(await discovery.searchLearningObjects(query, options));
  }

  return {
    similar: async (request, options) => (await answers.similar(request, options)).value,
    tagger: async (request, options) => (await answers.tagger(request, options)).value,
    suggest: async (request, options) => (await answers.suggest(request, options)).value,
    listProviders: async (options) => (await answers.listProviders(options)).value,
    listTypes: async (options) => (await answers.listTypes(options)).value,
    listBlooms: async (options) => (await answers.listBlooms(options)).value,
    listLanguages: async (options) => (await answers.listLanguages(options)).value,
    async searchProvider(query, options) {
      if (!isSpecifiedLearningQuery(query)) return searchMany(query, options);
      return counted((await answers.searchProvider(query, options)).value);
    },
    searchMany,
  };
}

function believable(answer: SearchAnswer): SearchAnswer {
  const { totalItems, isTotalExact } = limitFoundTotal(answer.totalItems);
  return isTotalExact ? answer : { ...answer, totalItems, isTotalExact };
}

/** A merged search as the wire has it: the request id of the best object's search stands for all of it, and those of the
 *  others go along where they differ. */
function toSearchAnswer(result: SearchResult): SearchAnswer {
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
    ...(corrected !== undefined && { corrected }),
    ...(facets !== undefined && { facets }),
    ...(highlights.length > 0 && highlights.length === items.length && { highlights }),
    ...(tiers.some((tier) => tier !== 'fitting') && { tiers }),
    ...(requestIds.some((id) => id !== requestId) && { requestIds }),
  };
}
