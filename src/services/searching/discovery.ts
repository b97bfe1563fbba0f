import type { Answered, AnswerSource } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import type { LearningObject } from '#domain/learning-object';
import type { CheckedQuery } from '#domain/learning-object-query';
import { omitUndefined } from '#domain/omit-undefined';
import type { UsageMetric } from '#domain/tenant';
import { isPassingError } from '#errors';
import type { CallOptions, SuggestRequest, TaggerRequest } from '#ports/learning-service';
import { createCheckedSearch } from './discovery/checked-search.ts';
import { findNearMisses } from './discovery/near-misses.ts';
import type { ListName, Lists, ListsOptions, SearchResult, SkillsRequest, TagResults } from './discovery/results.ts';
import { toObjectHits } from './discovery/results.ts';
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

/** Tags that are `guesses` help searches, and are not shown to people. */
type TagOptions = CallOptions & Pick<TaggerRequest, 'guesses' | 'spans' | 'max'>;

type DiscoveryDeps = SearchDeps & { count(metric: UsageMetric): void };

/** Near misses and ways out take many searches while a person waits, so each asks few providers. */
const QUICK_SEARCH = { deadlineMs: 1_000, maxProviders: 5, sessions: singleUseSessions };

export function createDiscovery(deps: DiscoveryDeps) {
  const { answers, clock, count } = deps;
  const search = createCheckedSearch(createDiscoverySearch(deps));
  const searchOnce = createDiscoverySearch({ ...deps, sessions: singleUseSessions });
  const searchQuickly = createDiscoverySearch({ ...deps, ...QUICK_SEARCH, ...forgetSlowProviders(deps) });
  return {
    /** Searches one, several or all providers (an empty list); returns the best objects first.
     *  Failed, late and surplus providers are named in `missing`. Errors: PROVIDER_UNKNOWN,
     *  PLACE_UNKNOWN, and those of the first provider if none answers. */
    async searchLearningObjects(query: CheckedQuery, options?: CallOptions): Promise<SearchResult> {
      const result = await search(query, options);
      count('searches');
      if (result.totalItems === 0) count('zero-result-searches');
      return result;
    },
    /** Finds objects that fit all filters but one, for results under five. */
    findNearMisses: (query: CheckedQuery, result: SearchResult, options?: CallOptions) =>
      findNearMisses(createCheckedSearch(searchQuickly), { query, result }, options),
    /** Finds changes of a search that have hits with all words, in the person's language. Late
     *  results are left out; never fails because of an upstream. Phrases and excluded words are not
     *  checked, as they belong to the typed words. */
    findWaysOut: ({ checks: _, ...query }: CheckedQuery, options?: WaysOutOptions) =>
      findWaysOut({ ...deps, search: searchQuickly }, query, options),
    /** Returns objects like this one, most alike first, with the share of its topics that each has;
     *  null if the service cannot compare objects. */
    async findAlike(object: LearningObject, options?: CallOptions) {
      const { value, source } = await answers.ask('findAlike', object, options);
      if (value === null) return null;
      return toObjectHits({ value, source }, null).map((hit, i) => ({ hit, likeness: value.likeness[i] ?? 0 }));
    },
    findSkills: (request: SkillsRequest, options?: CallOptions) => findSkills(answers, request, options),
    /** Tags a text of at most 20,000 characters; detects its language where `lang` is absent. */
    tagText: (text: string, lang?: string, options?: TagOptions) => tagText(answers, { text, lang }, options),
    /** Suggests completions of typed words, those in the language first. */
    complete: (keywords: string, lang: string, options?: CallOptions) =>
      completeQuery({ answers, clock }, { keywords, lang }, options),
    /** Yields skills of a syllabus or job description and objects for them. Asks only while it is
     *  read; an abort rejects. Errors: those of the tagger; a failed search is an event. */
    planFromText: (request: PlanRequest, options?: CallOptions) =>
      planFromText({ answers, search: searchOnce, count }, request, options),
    /** Names lists that are not available for now in `missing`. Errors: lasting ones. */
    lists: (options?: ListsOptions) => readLists(answers, options),
  };
}

/** Providers that miss the deadline of a quick search may be in time for others. */
function forgetSlowProviders({ slowProviders }: SearchDeps): Pick<SearchDeps, 'slowProviders'> {
  return slowProviders === undefined ? {} : { slowProviders: { ...slowProviders, add: () => undefined } };
}

async function completeQuery(
  { answers, clock }: Pick<DiscoveryDeps, 'answers' | 'clock'>,
  request: SuggestRequest,
  options?: CallOptions,
) {
  if (request.keywords.trim() === '') {
    const source: AnswerSource = { upstream: null, freshness: 'fresh', answeredAt: clock.now() };
    return { suggestions: [], source };
  }
  const { value, source } = await answers.ask('suggest', request, options);
  return { suggestions: value.suggestions, source };
}

export async function tagText(
  answers: TenantAnswers,
  { text, lang: givenLang }: { readonly text: string; readonly lang?: string | undefined },
  { guesses = false, spans = false, max, ...options }: TagOptions = {},
): Promise<TagResults> {
  const { lang, isLangDetected } =
    givenLang === undefined
      ? await detectTextLanguage(text, (await findTextLanguages(answers, options)).languages)
      : { lang: givenLang, isLangDetected: false };
  const details = { ...(guesses && { guesses }), ...(spans && { spans }), ...(max !== undefined && { max }) };
  const { value, source } = await answers.ask('tagger', { text, lang, ...details }, options);
  const { tags, concepts, spans: places } = value;
  return { tags, ...omitUndefined({ spans: places, concepts }), lang, isLangDetected, source };
}

/** Reads each list by itself, as one may fail. A late list is still cached. */
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
