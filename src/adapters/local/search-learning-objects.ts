import { LRUCache } from 'lru-cache';
import type { Quality } from '#domain/answer';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { type QueryWish, readQueryWishes } from '#domain/query-wishes';
import type { ObjectSearch } from '#engine/objects/object-view';
import type { ObjectAnswer, ObjectMeaning, ObjectQuery } from '#engine/objects/types';
import { stemmedLanguages } from '#engine/text/stem';
import type { Clock } from '#ports/clock';
import type { CallOptions } from '#ports/learning-service';
import type { Geocoder } from './gazetteer.ts';
import {
  buildObjectFilters,
  findObjectFilterPlace,
  type LastToYield,
  listOpenWishes,
} from './object-filters.ts';

export type Search = (query: LearningObjectQuery, options: CallOptions) => Promise<FoundObjects>;

const MAX_ANSWERS = 2_000;

/** Where nothing fits, so many that are close. */
const MAX_CLOSE = 2;

export interface SearchDeps {
  readonly objects: Pick<ObjectSearch, 'search'>;
  readonly geocoder: Geocoder;
  readonly clock: Clock;
  readonly expand: NonNullable<ObjectQuery['expand']>;
  readonly meaning?: ObjectMeaning;
}

export interface FoundObjects {
  readonly answer: ObjectAnswer;
  readonly quality: Quality;
  readonly wishes: readonly QueryWish[];
}

/** What yields, in turn, until something is found. Language yields before provider: another language of the chosen
 *  provider is nearer to what was asked than another provider. */
const YIELD_STEPS: readonly (readonly LastToYield[])[] = [['lang'], ['provider'], ['lang', 'provider']];

/** Search the index for a query of the specification.
 *  Shape:  one page; `quality` speaks of the first page, whichever page was asked for.
 *  Errors: PLACE_UNKNOWN. */
export async function searchLearningObjects(
  asked: LearningObjectQuery,
  { withDetails = false, ...deps }: SearchDeps & CallOptions,
): Promise<FoundObjects> {
  const read = readQueryWishes(asked.keywords, asked.without, deps.geocoder.findCity);
  const query = { ...asked, keywords: read.topic };
  const place = await findObjectFilterPlace(query, deps.geocoder);
  const wishes = listOpenWishes(query, place, read.wishes);
  const common = { ...engineQuery(query, deps), written: asked.keywords, details: withDetails };
  const search = async (yielded: readonly LastToYield[], more: Partial<ObjectQuery> = {}) =>
    deps.objects.search({
      ...common,
      ...more,
      ...stemmersFor(query, yielded),
      filters: buildObjectFilters(query, { place, yielded, wishes }),
    });
  const first = await search([]);
  if (first.fitting > 0) return toFound(first, wishes);
  for (const yielded of listYields(query)) {
    const answer = await search(yielded);
    if (answer.fitting > 0) return toFound(answer, wishes);
  }
  const isExact = query.match === 'strict' || query.model === 'strict';
  const close = first.total > 0 || isExact ? first : await search([], { isLoose: true });
  return toFound(keepClosest(close, query), wishes);
}

/** What is counted by value is of all that is close. */
function keepClosest(
  { facets: _, ...close }: ObjectAnswer,
  { page, max }: LearningObjectQuery,
): ObjectAnswer {
  const total = Math.min(close.total, MAX_CLOSE);
  return { ...close, total, hits: close.hits.slice(0, Math.max(0, total - page * max)) };
}

function toFound(answer: ObjectAnswer, wishes: readonly QueryWish[]): FoundObjects {
  const quality = answer.total === 0 ? 'C00' : answer.exact ? 'A00' : 'B00';
  return { answer, quality, wishes };
}

/** Steps that would change nothing, because the filter is not asked for or may not yield, are left out. */
function listYields(query: LearningObjectQuery): readonly (readonly LastToYield[])[] {
  if (query.match === 'strict') return [];
  const canYield: Record<LastToYield, boolean> = {
    lang: query.lang !== undefined && !query.important.has('lang'),
    provider: query.providers.length > 0 && !query.important.has('provider'),
  };
  return YIELD_STEPS.filter((step) => step.every((name) => canYield[name]));
}

/** The language's own stemmer; all stemmers where the language is open, or has none. Where it is known which language the person prefers,
 *  a filter changes nothing about the words: so many are found as its facet counted. */
function stemmersFor(
  { lang, prefer }: LearningObjectQuery,
  yielded: readonly LastToYield[],
): Pick<ObjectQuery, 'langs'> {
  const isKnown =
    prefer === undefined &&
    lang !== undefined &&
    stemmedLanguages.includes(lang) &&
    !yielded.includes('lang');
  return isKnown ? { langs: [lang] } : {};
}

/** Everything that no step changes. */
function engineQuery(
  query: LearningObjectQuery,
  { clock, expand, meaning }: Pick<SearchDeps, 'clock' | 'expand' | 'meaning'>,
): Omit<ObjectQuery, 'filters' | 'langs'> {
  return {
    keywords: query.keywords,
    ...(query.prefer !== undefined && { prefer: query.prefer }),
    model: query.model,
    sort: query.sort,
    ...(query.sort === 'random' && { seed: shuffleSeed(query, clock) }),
    offset: query.page * query.max,
    limit: query.max,
    expand,
    ...(meaning && { meaning }),
  };
}

/** The same over all pages of one query on one day. */
function shuffleSeed({ keywords, lang, providers }: LearningObjectQuery, clock: Clock): string {
  return JSON.stringify([clock.now().toISOString().slice(0, 10), keywords, lang, providers]);
}

/** The same search with a cache of the last answers. They cannot grow old: they are of
 *  one version of the catalogue, and a shuffle is asked for with its day. An answer holds ids and counts, a few kB at the most. */
export function rememberSearches(clock: Clock, search: Search): Search {
  const answers = new LRUCache<string, FoundObjects>({ max: MAX_ANSWERS });
  return async (query, options) => {
    const day = query.sort === 'random' ? clock.now().toISOString().slice(0, 10) : '';
    const key = JSON.stringify([
      query,
      [...query.important].sort(),
      options.withDetails === true,
      day,
      options.layer?.stamp ?? '',
    ]);
    const cached = answers.get(key);
    if (cached !== undefined) return cached;
    const answer = await search(query, options);
    answers.set(key, answer);
    return answer;
  };
}
