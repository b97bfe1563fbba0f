import type { Answered } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import type { LearningObject } from '#domain/learning-object';
import type { CheckedQuery } from '#domain/learning-object-query';
import type { UsageMetric } from '#domain/tenant';
import { isPassingError } from '#errors';
import type { CallOptions, SuggestRequest, TaggerRequest } from '#ports/learning-service';
import { createCheckedSearch } from './discovery/checked-search.ts';
import { findNearMisses } from './discovery/near-misses.ts';
import {
  type AlikeObject,
  type Completions,
  type ListName,
  type Lists,
  type ListsOptions,
  type SearchResult,
  type SkillsRequest,
  type TagResults,
  toObjectHits,
} from './discovery/results.ts';
import { createDiscoverySearch, type SearchDeps } from './discovery/search.ts';
import { singleUseSessions } from './discovery/search-sessions.ts';
import { findSkills } from './discovery/skills.ts';
import { findWaysOut, type WaysOutOptions } from './discovery/ways-out.ts';
import { planFromText } from './plan/plan.ts';
import type { PlanRequest } from './plan/plan-skills.ts';
import type { TenantAnswers } from './tenant-answers.ts';
import { detectTextLanguage, findTextLanguages } from './text-language.ts';

export type * from './discovery/results.ts';
export type { PlanEvent } from './plan/plan.ts';
export { createPlanRequest, type PlannedSkill, type PlanRequest, type SyllabusToPlan } from './plan/plan-skills.ts';

export type Discovery = ReturnType<typeof createDiscovery>;

/** `guesses` are for searches, not to be shown. */
export type TagOptions = CallOptions & Pick<TaggerRequest, 'guesses' | 'spans' | 'max'>;

export type DiscoveryDeps = SearchDeps & { count(metric: UsageMetric): void };

/** Near misses and ways out take many searches while a person waits, so each asks few providers. */
const QUICK_SEARCH = { deadlineMs: 1_000, maxProviders: 5, sessions: singleUseSessions };

export function createDiscovery(deps: DiscoveryDeps) {
  const { answers, clock, count } = deps;
  const search = createCheckedSearch(createDiscoverySearch(deps));
  const searchOnce = createDiscoverySearch({ ...deps, sessions: singleUseSessions });
  const searchQuickly = createDiscoverySearch({ ...deps, ...QUICK_SEARCH, ...discoverWithoutNoting(deps) });
  return {
    /** Learning objects, best first, of one, several or all providers (an empty list). Failed, late
     *  and surplus providers are named in `missing`. Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN, and
     *  of the first provider if none answers. */
    async searchLearningObjects(query: CheckedQuery, options?: CallOptions): Promise<SearchResult> {
      const result = await search(query, options);
      count('searches');
      if (result.totalItems === 0) count('zero-result-searches');
      return result;
    },
    /** Objects that fit all filters but one, for results under five. None if an upstream fails. */
    findNearMisses: (query: CheckedQuery, result: SearchResult, options?: CallOptions) =>
      findNearMisses(createCheckedSearch(searchQuickly), { query, result }, options),
    /** Each way out has hits with all of its words, in the person's language. Late results are left
     *  out; never fails because of an upstream. Phrases and excluded words are not checked, as they
     *  belong to the typed words. */
    findWaysOut: ({ checks: _, ...query }: CheckedQuery, options?: WaysOutOptions) =>
      findWaysOut({ ...deps, search: searchQuickly }, query, options),
    /** Most alike first; null if the service has no such operation. */
    async findAlike(object: LearningObject, options?: CallOptions): Promise<readonly AlikeObject[] | null> {
      const { value, source } = await answers.ask('findAlike', object, options);
      if (value === null) return null;
      return toObjectHits({ value, source }, null).map((result, i) => ({
        hit: result,
        likeness: value.likeness[i] ?? 0,
      }));
    },
    findSkills: (request: SkillsRequest, options?: CallOptions) => findSkills(answers, request, options),
    /** Tags of at most 20,000 characters. The language is detected where `lang` is absent. */
    tagText: (text: string, lang?: string, options?: TagOptions) =>
      tagTextForDiscovery(answers, { text, lang }, options),
    /** Words that complete what is being typed, those in the language first. */
    complete: (keywords: string, lang: string, options?: CallOptions) =>
      completeDiscoveryQuery({ answers, clock }, { keywords, lang }, options),
    /** Skills of a syllabus or job description and objects for them, as they are found. Asks
     *  only while the caller reads; an abort rejects. Errors: those of the tagger; a failed
     *  search is an event. */
    planFromText: (request: PlanRequest, options?: CallOptions) =>
      planFromText({ answers, search: searchOnce, count }, request, options),
    /** Errors: lasting ones; lists that are not available for now are left out. */
    lists: (options?: ListsOptions) => readLists(answers, options),
  };
}

/** A provider that misses the short deadline of a quick search is not slow for other searches. */
function discoverWithoutNoting({ slowProviders }: SearchDeps): Pick<SearchDeps, 'slowProviders'> {
  return slowProviders === undefined ? {} : { slowProviders: { ...slowProviders, add: () => undefined } };
}

async function completeDiscoveryQuery(
  { answers, clock }: Pick<DiscoveryDeps, 'answers' | 'clock'>,
  request: SuggestRequest,
  options?: CallOptions,
): Promise<Completions> {
  if (request.keywords.trim() === '')
    return { suggestions: [], source: { upstream: null, freshness: 'fresh', answeredAt: clock.now() } };
  const { value, source } = await answers.ask('suggest', request, options);
  return { suggestions: value.suggestions, source };
}

interface TextToTag {
  readonly text: string;
  /** Two-letter code; detected when absent. */
  readonly lang?: string | undefined;
}

export async function tagTextForDiscovery(
  answers: TenantAnswers,
  { text, lang: givenLang }: TextToTag,
  { guesses = false, spans = false, max, ...options }: TagOptions = {},
): Promise<TagResults> {
  const { lang, isLangDetected } =
    givenLang === undefined
      ? await detectTextLanguage(text, (await findTextLanguages(answers, options)).languages)
      : { lang: givenLang, isLangDetected: false };
  const details = { ...(guesses && { guesses }), ...(spans && { spans }), ...(max !== undefined && { max }) };
  const { value, source } = await answers.ask('tagger', { text, lang, ...details }, options);
  const { tags, concepts, spans: places } = value;
  return {
    tags,
    ...(places && { spans: places }),
    ...(concepts && { concepts }),
    lang,
    isLangDetected,
    source,
  };
}

/** Read one by one: one failure leaves the others. A late list is still cached. */
export async function readLists(answers: TenantAnswers, { signal, timeoutMs }: ListsOptions = {}): Promise<Lists> {
  const missing: ListName[] = [];

  async function readList<T>(name: ListName, work: Promise<Answered<readonly T[]>>): Promise<readonly T[]> {
    try {
      const answer = timeoutMs === undefined ? await work : await finishInTime(work, timeoutMs);
      if (answer !== null) return answer.value;
    } catch (error) {
      if (!isPassingError(error)) throw error;
    }
    missing.push(name);
    return [];
  }

  const [providers, types, blooms, languages] = await Promise.all([
    readList('providers', answers.ask('listProviders', {}, { signal })),
    readList('types', answers.ask('listTypes', {}, { signal })),
    readList('blooms', answers.ask('listBlooms', {}, { signal })),
    readList('languages', answers.ask('listLanguages', {}, { signal })),
  ]);
  return { providers, types, blooms, languages, missing };
}
