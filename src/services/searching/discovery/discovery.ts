import type { Answered } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { UsageMetric } from '#domain/tenant';
import { isPassingError } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers.ts';
import { detectLanguage, findTextLanguages } from '../text-language.ts';
import { findAlmost } from './almost.ts';
import { planFromText } from './plan-from-text.ts';
import type { PlanEvent, PlanRequest } from './plan-skills.ts';
import type {
  AlikeObject,
  AlmostFound,
  Completions,
  ListName,
  Lists,
  ListsOptions,
  SearchResult,
  SkillsFound,
  SkillsRequest,
  TagsFound,
  WaysOut,
} from './results.ts';
import { toFoundObjects } from './results.ts';
import { createSearch, type SearchDeps } from './search.ts';
import { singleUseSessions } from './search-sessions.ts';
import { findSkills } from './skills.ts';
import { findWaysOut, type WaysOutOptions } from './ways-out.ts';

export type { PlanEvent, PlannedSkill, PlanRequest } from './plan-skills.ts';
export type * from './results.ts';

/** Finding skills and learning objects for one tenant's people, for every face. Errors: those of `TenantAnswers`. */
export interface Discovery {
  /** Learning objects, best first, of one provider, several, or all of them (an empty list).
   *  Providers that fail, are late or are too many to be asked are named in `missing`; only where none answers does it fail.
   *  Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN, and of the first provider where none answers. */
  searchLearningObjects(query: LearningObjectQuery, options?: CallOptions): Promise<SearchResult>;
  /** Objects near those that a search found, where these are fewer than five: each misses one of its filters. Nothing where it has no
   *  filter. What cannot be found out in time is left out; it never fails because of an upstream. */
  findAlmost(
    query: LearningObjectQuery,
    found: SearchResult,
    options?: CallOptions,
  ): Promise<readonly AlmostFound[]>;
  /** What to do where a search finds nothing: only what finds something that has all of the words and is in the person's language. What
   *  cannot be found out in time is left out. Never fails because of an upstream. */
  findWaysOut(query: LearningObjectQuery, options?: WaysOutOptions): Promise<WaysOut>;
  /** Objects that are about the same as another one, most alike first; null where the service cannot say. */
  findAlike(object: LearningObject, options?: CallOptions): Promise<readonly AlikeObject[] | null>;
  findSkills(request: SkillsRequest, options?: CallOptions): Promise<SkillsFound>;
  /** Tags of a text of at most 20,000 characters. Without `lang`, in the language it is in. */
  tagText(text: string, lang?: string, options?: TagOptions): Promise<TagsFound>;
  /** Words that complete what is being typed. */
  complete(keywords: string, options?: CallOptions): Promise<Completions>;
  /** The skills of a syllabus or job description, and learning objects for them, as they are found. Nothing is asked before the
   *  caller reads, and nothing more once the caller stops reading or aborts; an abort rejects, as everywhere here.
   *  Errors: of the tagging; a skill whose search fails is told as an event. */
  planFromText(request: PlanRequest, options?: CallOptions): AsyncIterable<PlanEvent>;
  /** Errors: lasting ones; lists that cannot be had for now are left out. */
  lists(options?: ListsOptions): Promise<Lists>;
}

export interface TagOptions extends CallOptions {
  /** Also what our own engine only guesses: for searches, not to be shown. */
  readonly guesses?: boolean;
  /** Also where the evidence stands, where the service says so. */
  readonly spans?: boolean;
  /** At most this many; 10 when absent. */
  readonly max?: number;
}

export interface DiscoveryDeps extends SearchDeps {
  /** Adds one to this count of the tenant. */
  count(metric: UsageMetric): void;
}

/** Ways out take many searches at a time when nobody wants to wait: each asks only a few providers, which can answer in the time
 *  there is. */
const WAYS_OUT_SEARCH = { deadlineMs: 1_000, maxProviders: 5, sessions: singleUseSessions };

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
    findAlmost: (query, found, options) => findAlmost(searchQuickly, { query, found }, options),
    findWaysOut: (query, options) => findWaysOut({ ...deps, search: searchQuickly }, query, options),
    async findAlike(object, options) {
      const { value, source } = await answers.ask('findAlike', object, options);
      if (value === null) return null;
      return toFoundObjects({ value, source }, null).map((found, i) => {
        return { found, likeness: value.likeness[i] ?? 0 };
      });
    },
    findSkills: (request, options) => findSkills(answers, request, options),
    tagText: (text, lang, options) => tagText(answers, { text, lang }, options),
    complete: (keywords, options) => complete({ answers, clock }, keywords, options),
    planFromText: (request, options) =>
      planFromText({ answers, search: searchOnce, count }, request, options),
    lists: (options) => readLists(answers, options),
  };
}

/** A provider that misses the short deadline of ways out is not marked as slow for other searches. */
function withoutNoting({ slowProviders }: SearchDeps): Pick<SearchDeps, 'slowProviders'> {
  return slowProviders === undefined ? {} : { slowProviders: { ...slowProviders, add: () => undefined } };
}

async function complete(
  { answers, clock }: Pick<DiscoveryDeps, 'answers' | 'clock'>,
  keywords: string,
  options?: CallOptions,
): Promise<Completions> {
  if (keywords.trim() === '')
    return { suggestions: [], source: { upstream: null, freshness: 'fresh', answeredAt: clock.now() } };
  const { value, source } = await answers.ask('suggest', { keywords }, options);
  return { suggestions: value.suggestions, source };
}

interface TextToTag {
  readonly text: string;
  /** Two-letter code; found out when absent. */
  readonly lang?: string | undefined;
}

export async function tagText(
  answers: TenantAnswers,
  { text, lang: given }: TextToTag,
  { guesses = false, spans = false, max, ...options }: TagOptions = {},
): Promise<TagsFound> {
  const { lang, isLangDetected } =
    given === undefined
      ? await detectLanguage(text, (await findTextLanguages(answers, options)).languages)
      : { lang: given, isLangDetected: false };
  const wanted = { ...(guesses && { guesses }), ...(spans && { spans }), ...(max !== undefined && { max }) };
  const { value, source } = await answers.ask('tagger', { text, lang, ...wanted }, options);
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

/** Each is read by itself, so that one failure does not take the others away. A late one is still read to its end, and is there
 *  for the next request. */
export async function readLists(
  answers: TenantAnswers,
  { signal, timeoutMs }: ListsOptions = {},
): Promise<Lists> {
  const missing: ListName[] = [];

  async function read<T>(name: ListName, work: Promise<Answered<readonly T[]>>): Promise<readonly T[]> {
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
    read('providers', answers.ask('listProviders', {}, { signal })),
    read('types', answers.ask('listTypes', {}, { signal })),
    read('blooms', answers.ask('listBlooms', {}, { signal })),
    read('languages', answers.ask('listLanguages', {}, { signal })),
  ]);
  return { providers, types, blooms, languages, missing };
}
