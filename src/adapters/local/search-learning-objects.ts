import { LRUCache } from 'lru-cache';
import type { Quality } from '#domain/answer';
import { LANGUAGES_FIELD } from '#domain/catalog';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { limitEntries } from '#domain/limit-entries';
import { omitUndefined } from '#domain/omit-undefined';
import type { LearntLanguage } from '#domain/query-intent/language-learning';
import { type QueryWish, type ReadQuery, readQueryWishes } from '#domain/query-wishes';
import { getOrAdd } from '#engine/maps';
import type { ObjectSearch } from '#engine/objects/object-view';
import type { ObjectAnswer, ObjectFilters, ObjectHit, ObjectMeaning, ObjectQuery } from '#engine/objects/types';
import { tierFactors } from '#engine/objects/weights';
import { fold } from '#engine/text/fold';
import { stemmedLanguages } from '#engine/text/stem';
import type { Clock } from '#ports/clock';
import type { CallOptions } from '#ports/learning-service';
import type { Geocoder } from './gazetteer.ts';
import type { RelaxableFilter } from './object-filters.ts';
import { buildObjectFilters, getFilterPlace, listOpenWishes } from './object-filters.ts';

export type Search = (query: LearningObjectQuery, options: CallOptions) => Promise<SearchResult>;

export interface SearchDeps {
  readonly objects: Pick<ObjectSearch, 'search'>;
  readonly geocoder: Geocoder;
  readonly clock: Clock;
  readonly expand: NonNullable<ObjectQuery['expand']>;
  readonly meaning?: ObjectMeaning;
}

export interface SearchResult {
  readonly answer: ObjectAnswer;
  readonly quality: Quality;
  readonly wishes: readonly QueryWish[];
}

/** The filters that are relaxed, in turn, until an object fits. The language is first: another
 *  language of the chosen provider is closer to the query than another provider. */
const RELAXATIONS: readonly (readonly RelaxableFilter[])[] = [['lang'], ['provider'], ['lang', 'provider']];

/** An object with a lower share of the full score has too little of the words to be close. */
const LOOSE = 0.1;
/** The most close objects that are shown if no object fits, whatever their likeness in meaning. */
const MAX_CLOSE = 2;
/** The most that are shown if those after the first MAX_CLOSE have at least the likeness NEAR. */
const MAX_NEAR = 5;
const NEAR = 0.5;

/** Searches the words of a request as they are meant, and corrects typos. Shape: one page;
 *  `quality` is always that of the first page. Errors: PLACE_UNKNOWN. */
export async function searchLearningObjects(
  request: LearningObjectQuery,
  deps: SearchDeps & CallOptions,
): Promise<SearchResult> {
  const typed = await searchAsTyped(request, deps);
  const { corrections } = typed.answer;
  if (corrections === undefined) return typed;
  // Wishes and requests are read in corrected words: `begginer` asks for a level.
  const keywords = correctKeywords(request.keywords, corrections, []);
  const corrected = await searchAsTyped({ ...request, keywords }, deps);
  if (corrected.answer.total === 0) return typed;
  return toSearchResult({ ...corrected.answer, corrections, exact: false }, corrected.wishes);
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Replaces corrected words of the typed text in the spelling of the results, that is with accents.
 *  @param corrections by folded word @param texts of the results, such as titles */
export function correctKeywords(
  keywords: string,
  corrections: ReadonlyMap<string, string>,
  texts: readonly string[],
): string {
  const words = texts.flatMap((text) => text.toLowerCase().match(WORD) ?? []);
  return keywords.replace(WORD, (word) => {
    const correction = corrections.get(fold(word));
    if (correction === undefined) return word;
    return words.find((candidate) => fold(candidate) === correction) ?? correction;
  });
}

/** Searches with these filters relaxed, and with these changes of the query. */
type SearchWith = (relaxed: readonly RelaxableFilter[], changes?: Partial<ObjectQuery>) => Promise<ObjectAnswer>;

async function searchAsTyped(
  request: LearningObjectQuery,
  { withDetails = false, ...deps }: SearchDeps & CallOptions,
): Promise<SearchResult> {
  const intent = readCachedWishes(request, deps.geocoder);
  const { topic, context, learns } = intent;
  const query = { ...request, keywords: topic };
  const place = await getFilterPlace(query, deps.geocoder);
  const wishes = listOpenWishes(query, place, intent.wishes);
  const expand = learns === undefined ? deps.expand : addLanguageNames(deps.expand, learns);
  const engineQuery = {
    ...toEngineQuery(query, { ...deps, expand }),
    written: request.keywords,
    ...(context !== undefined && { context }),
    // Language learners are taught in their language.
    ...(learns && request.prefer !== undefined && { instruction: request.prefer }),
    details: withDetails,
  };
  const search: SearchWith = async (relaxed, { filters, ...changes } = {}) =>
    deps.objects.search({
      ...engineQuery,
      ...changes,
      ...chooseStemmers(query, relaxed),
      filters: { ...buildObjectFilters(query, place, { relaxed, wishes }), ...filters },
    });
  const lessons = await findLessons(query, intent, search);
  return toSearchResult(lessons ?? (await findBestAnswer(query, search)), wishes);
}

/** Finds lessons of the learnt language, or null. Any of them will do; one for the level, the
 *  skill or the exam comes first. */
async function findLessons(
  query: LearningObjectQuery,
  { topic, context, learns }: ReadQuery,
  search: SearchWith,
): Promise<ObjectAnswer | null> {
  if (learns === undefined) return null;
  const filters = filterLanguageLessons(query, learns);
  const lessons = await search([], { keywords: learns.subject, context: [topic, context].join(' '), filters });
  return lessons.fitting > 0 ? lessons : null;
}

/** Relaxes first the filters and then the words, until an object fits; else finds close objects. */
async function findBestAnswer(query: LearningObjectQuery, search: SearchWith): Promise<ObjectAnswer> {
  const first = await search([]);
  if (first.fitting > 0) return first;
  for (const relaxed of listRelaxations(query)) {
    const answer = await search(relaxed);
    if (answer.fitting > 0) return answer;
  }
  if (query.model === 'strict' && first.total > 0) return first;
  // No object has all words of the topic; some may be about it.
  const partial = query.model === 'strict' ? await search([], { model: 'extended', countsFitting: true }) : first;
  if (partial.fitting > 0) return keepFitting(partial, query);
  const isLoose = partial.total === 0 && query.match !== 'strict';
  const loose = { model: 'extended', ...(isLoose && { looseFrom: LOOSE }), offset: 0, limit: CANDIDATES } as const;
  const hasAllClose = !isLoose && query.page === 0 && partial.total <= partial.hits.length;
  const close = hasAllClose ? partial : await search([], loose);
  // With a preferred language, close objects in other languages are hidden, except English ones.
  if (query.prefer === undefined || query.lang !== undefined) return keepClosestObjects(close, query);
  const english = await search([], { ...loose, filters: { lang: { values: ['en'], strict: true } } });
  return keepClosestObjects(keepNative(close, english), query);
}

const MAX_READ = 1_000;
const readQueries = new WeakMap<Geocoder, LRUCache<string, ReadQuery>>();

/** Reads the wishes with a cache, as people change filters and turn pages with the same words. */
function readCachedWishes({ keywords, without }: LearningObjectQuery, geocoder: Geocoder): ReadQuery {
  const cache = getOrAdd(readQueries, geocoder, () => new LRUCache<string, ReadQuery>(limitEntries(MAX_READ)));
  return getOrAdd<string, ReadQuery>(cache, `${without} ${keywords}`, () =>
    readQueryWishes(keywords, without, geocoder.findCity),
  );
}

/** Keeps close objects in the query's language, and adds English ones as foreign ones. */
function keepNative(close: ObjectAnswer, english: ObjectAnswer): ObjectAnswer {
  const native = close.hits.filter(({ score }) => score >= MIN_NATIVE_RANK);
  const ids = new Set(native.map(({ id }) => id));
  const foreign = english.hits.filter(({ id }) => !ids.has(id));
  const hits = [...native, ...foreign.map((hit) => ({ ...hit, score: hit.score * tierFactors['other-language'] }))];
  return { ...close, hits, total: hits.length };
}

/** The number of close objects that are compared across languages. */
const CANDIDATES = 50;
/** The factor of the rank of a close object in another language than the query's. */
const FOREIGN_SHARE = 0.85;
/** A lower rank is that of a close object in another language. */
const MIN_NATIVE_RANK = Math.sqrt(tierFactors.close * tierFactors['other-language'] * tierFactors.close);

/** Sorts close objects, of which one with more of the words in another language is better than one
 *  with few in the query's, and keeps the closest, without facets, which would count all. */
function keepClosestObjects(
  { facets: _, ...answer }: ObjectAnswer,
  { sort, page, max }: LearningObjectQuery,
): ObjectAnswer {
  const rankOf = ({ score }: ObjectHit) =>
    score < MIN_NATIVE_RANK ? (score / tierFactors['other-language']) * FOREIGN_SHARE : score;
  const hits = sort === 'popularity' ? answer.hits.toSorted((a, b) => rankOf(b) - rankOf(a)) : answer.hits;
  const far = hits.findIndex(({ likeness }, i) => i >= MAX_CLOSE && likeness < NEAR);
  const closest = hits.slice(0, Math.min(far < 0 ? hits.length : far, MAX_NEAR));
  const pageHits = closest.slice(page * max, (page + 1) * max);
  return { ...answer, total: closest.length, exact: false, hits: pageHits };
}

/** Keeps the fitting objects, which come first, without facets, which would count all. */
function keepFitting({ facets: _, ...answer }: ObjectAnswer, { page, max }: LearningObjectQuery): ObjectAnswer {
  const { fitting, hits } = answer;
  return { ...answer, total: fitting, exact: false, hits: hits.slice(0, Math.max(0, fitting - page * max)) };
}

/** Restricts to lessons of languages, in the person's language or the learnt one. */
function filterLanguageLessons({ prefer, lang }: LearningObjectQuery, { code }: LearntLanguage): ObjectFilters {
  return {
    topic: { values: [LANGUAGES_FIELD], strict: true },
    ...(lang === undefined &&
      prefer !== undefined &&
      prefer !== code && { lang: { values: [prefer, code], strict: true } }),
  };
}

/** Adds the names of the learnt language, which taxonomies have in some languages only. */
function addLanguageNames(expand: SearchDeps['expand'], { names }: LearntLanguage): SearchDeps['expand'] {
  const synonyms = names.map((name) => ({ words: [name], lang: '' }));
  return (words, lang) => [
    ...expand(words, lang),
    ...words.flatMap((word, i) => (names.includes(word) ? [{ start: i, end: i + 1, synonyms, related: [] }] : [])),
  ];
}

function toSearchResult(answer: ObjectAnswer, wishes: readonly QueryWish[]): SearchResult {
  const foundQuality = answer.exact ? 'A00' : 'B00';
  return { answer, quality: answer.total === 0 ? 'C00' : foundQuality, wishes };
}

function listRelaxations(query: LearningObjectQuery): readonly (readonly RelaxableFilter[])[] {
  if (query.match === 'strict') return [];
  const canRelax: Record<RelaxableFilter, boolean> = {
    lang: query.lang !== undefined && !query.important.has('lang'),
    provider: query.providers.length > 0 && !query.important.has('provider'),
  };
  return RELAXATIONS.filter((step) => step.every((name) => canRelax[name]));
}

/** Chooses the stemmer of the language, or all if the language is open or has none. If the query
 *  has the person's preferred language, a filter does not change the stemmers, so that it finds as
 *  many objects as its facet counted. */
function chooseStemmers(
  { lang, prefer }: LearningObjectQuery,
  relaxed: readonly RelaxableFilter[],
): Pick<ObjectQuery, 'langs'> {
  const isFixed =
    prefer === undefined && lang !== undefined && stemmedLanguages.includes(lang) && !relaxed.includes('lang');
  return isFixed ? { langs: [lang] } : {};
}

function toEngineQuery(
  query: LearningObjectQuery,
  { clock, expand, meaning }: Pick<SearchDeps, 'clock' | 'expand' | 'meaning'>,
): Omit<ObjectQuery, 'filters' | 'langs'> {
  const { keywords, prefer, model, sort, lang, providers } = query;
  return {
    keywords,
    model,
    sort,
    ...omitUndefined({ prefer }),
    // The same for all pages of a query on one day.
    ...(sort === 'random' && { seed: JSON.stringify([readSearchDay(clock), keywords, lang, providers]) }),
    offset: query.page * query.max,
    limit: query.max,
    expand,
    ...(meaning && { meaning }),
  };
}

const readSearchDay = (clock: Clock): string => clock.now().toISOString().slice(0, 10);

/** Cached answers, of a few kB at most: ids and counts. */
const MAX_ANSWERS = 2_000;

/** Caches answers of one catalogue version without expiry: the key has the day of a shuffle. */
export function cacheSearches(clock: Clock, search: Search): Search {
  const answers = new LRUCache<string, SearchResult>({ max: MAX_ANSWERS });
  return async (query, options) => {
    const day = query.sort === 'random' ? readSearchDay(clock) : '';
    const { withDetails = false, layer } = options;
    const key = JSON.stringify([query, [...query.important].sort(), withDetails, day, layer?.stamp ?? '']);
    const cached = answers.get(key);
    if (cached !== undefined) return cached;
    const answer = await search(query, options);
    answers.set(key, answer);
    return answer;
  };
}
