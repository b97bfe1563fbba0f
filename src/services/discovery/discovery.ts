import type { ListEntry, Provider } from '../../domain/catalog.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { UsageMetric } from '../../domain/tenant.ts';
import type { CallOptions, SearchOptions } from '../../ports/learning-service.ts';
import { complete } from './complete.ts';
import { readLists } from './lists.ts';
import type { PlanEvent, PlanRequest } from './plan.ts';
import { planFromText } from './plan-from-text.ts';
import type { Completions, SearchResult, SkillsFound, TagsFound, WaysOut } from './results.ts';
import { createSearch, type SearchDeps } from './search.ts';
import { singleUseSessions } from './search-sessions.ts';
import { findSkills } from './skills.ts';
import { tagText } from './tags.ts';
import { findWaysOut, type WaysOutOptions } from './ways-out.ts';

export type * from './plan.ts';
export type * from './results.ts';

/** The lists people choose from. */
export interface Lists {
  readonly providers: readonly Provider[];
  readonly types: readonly ListEntry[];
  readonly blooms: readonly ListEntry[];
  readonly languages: readonly ListEntry[];
  /** Those that cannot be had now, and are empty. */
  readonly missing: readonly ListName[];
}

export type ListName = 'providers' | 'types' | 'blooms' | 'languages';

export interface ListsOptions extends CallOptions {
  /** Lists that take longer are missing; all are waited for when absent. */
  readonly timeoutMs?: number;
}

export interface SkillsRequest {
  readonly keywords: string;
  /** Two-letter code; absent takes the language in which the keywords are found best. */
  readonly lang?: string;
  /** At most this many terms over all taxonomies; 20 when absent. */
  readonly max?: number;
}

/** Finding skills and learning objects for one tenant's people, for every face. Errors: those of `TenantAnswers`. */
export interface Discovery {
  /** Learning objects, best first, of one provider, several, or all of them (an empty list).
   *  Providers that fail, are late or are too many to be asked are named in `missing`; only where none answers does it fail.
   *  Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN, and of the first provider where none answers. */
  searchLearningObjects(query: LearningObjectQuery, options?: SearchOptions): Promise<SearchResult>;
  /** What to do where a search finds nothing; what cannot be found out in time is left out. Never fails for an upstream. */
  findWaysOut(query: LearningObjectQuery, options?: WaysOutOptions): Promise<WaysOut>;
  findSkills(request: SkillsRequest, options?: CallOptions): Promise<SkillsFound>;
  /** Tags of a text of at most 20,000 characters. Without `lang`, in the language it is in. */
  tagText(text: string, lang?: string, options?: CallOptions): Promise<TagsFound>;
  /** Words that complete what is being typed. */
  complete(keywords: string, options?: CallOptions): Promise<Completions>;
  /** A syllabus or job description, its skills, and what to learn them with, as it is found. Nothing is asked before it is
   *  read, and nothing any more once the caller stops reading or aborts, which rejects like all else here.
   *  Errors: of the tagging; a skill whose search fails is told as an event. */
  planFromText(request: PlanRequest, options?: CallOptions): AsyncIterable<PlanEvent>;
  /** Errors: those that do not pass; lists that cannot be had now are missing. */
  lists(options?: ListsOptions): Promise<Lists>;
}

export interface DiscoveryDeps extends SearchDeps {
  /** Counts one for the tenant. */
  count(metric: UsageMetric): void;
}

/** Ways out are many searches at a time when nobody wants to wait: each is of a few providers, whose answers are there in the
 *  time that all of it may take. */
const WAYS_OUT_SEARCH = { deadlineMs: 1_000, maxProviders: 5, sessions: singleUseSessions };

/** Cheap to make: one for each request will do. */
export function createDiscovery(deps: DiscoveryDeps): Discovery {
  const { answers, clock, count } = deps;
  const search = createSearch(deps);
  const searchOnce = createSearch({ ...deps, sessions: singleUseSessions });
  const searchQuickly = createSearch({ ...deps, ...WAYS_OUT_SEARCH, ...withoutNoting(deps) });
  return {
    async searchLearningObjects(query, options) {
      const result = await search(query, options);
      count('searches');
      if (result.totalItems === 0) count('zero-result-searches');
      return result;
    },
    findWaysOut: (query, options) => findWaysOut({ answers, search: searchQuickly }, query, options),
    findSkills: (request, options) => findSkills(answers, request, options),
    tagText: (text, lang, options) => tagText(answers, { text, lang }, options),
    complete: (keywords, options) => complete({ answers, clock }, keywords, options),
    planFromText: (request, options) =>
      planFromText({ answers, search: searchOnce, count }, request, options),
    lists: (options) => readLists(answers, options),
  };
}

/** Who does not answer in their short time is not slow for others. */
function withoutNoting({ slowProviders }: SearchDeps): Pick<SearchDeps, 'slowProviders'> {
  return slowProviders === undefined ? {} : { slowProviders: { ...slowProviders, add: () => undefined } };
}
