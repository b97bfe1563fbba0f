import { type LearningObject, toLearningMinutes } from '#domain/learning-object';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';

/** The most that the specification gives in one page. */
export const PAGE_SIZE = 20;

/** Asked for, loosely, where a query has no language: the specification has no parameter for any
 *  language, most objects are in this one, and those in other languages may still match. */
const USUAL_LANGUAGE = 'en';

/** The fields of a query that belong to each filter. */
const fieldsOf: Readonly<Record<QueryFilter, readonly (keyof LearningObjectQuery)[]>> = {
  lang: ['lang'],
  provider: ['providers'],
  publisher: ['publisher'],
  age: ['ageMin', 'ageMax'],
  learningTime: ['learningTimeMin', 'learningTimeMax'],
  level: ['levelMin', 'levelMax'],
  popularity: ['popularityMin'],
  distance: ['address', 'distanceMax'],
  free: ['free'],
  type: ['types'],
  bloom: ['blooms'],
};
const filters = Object.keys(fieldsOf) as QueryFilter[];

/** The filters that a query has. */
export function listQueryFilters(query: LearningObjectQuery): readonly QueryFilter[] {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return filters.filter((filter) => fieldsOf[filter].some((field) => isGiven(query[field])));
}

const byLikelihood: readonly QueryFilter[] = [
  'provider',
  'type',
  'lang',
  'bloom',
  'free',
  'distance',
  'learningTime',
  'level',
  'publisher',
  'age',
  'popularity',
];

/** The filters that a query has: first those that exclude, then the others; within each group, the
 *  likeliest reason for an empty result first. */
export function listQueryFiltersLikeliestFirst(query: LearningObjectQuery): readonly QueryFilter[] {
  const excludes = (filter: QueryFilter) =>
    filter === 'provider' || query.match === 'strict' || query.important.has(filter);
  return listQueryFilters(query).toSorted(
    (a, b) => Number(excludes(b)) - Number(excludes(a)) || byLikelihood.indexOf(a) - byLikelihood.indexOf(b),
  );
}

export function dropQueryFilter(query: LearningObjectQuery, filter: QueryFilter): LearningObjectQuery {
  const dropped: readonly string[] = fieldsOf[filter];
  const kept: Partial<LearningObjectQuery> = Object.fromEntries(
    Object.entries(query).filter(([field]) => !dropped.includes(field)),
  );
  const important = new Set([...query.important].filter((name) => name !== filter));
  const lists = { providers: [], types: [], blooms: [] };
  return { ...lists, ...kept, important } as LearningObjectQuery;
}

export function dropQueryFilters(query: LearningObjectQuery): LearningObjectQuery {
  return listQueryFilters(query).reduce(dropQueryFilter, query);
}

/** A query for one provider, in terms of the specification. It is strict about the provider:
 *  otherwise one without hits would return objects of providers that are asked anyway. A strict
 *  search in any language names every other filter as important, as `match` would make the language
 *  strict too. */
export function toProviderQuery(
  query: LearningObjectQuery,
  providerId: string,
  page: number,
): LearningObjectQuery {
  const isLoose = query.lang === undefined;
  const isStrictByFilter = isLoose && query.match === 'strict';
  const given = isStrictByFilter ? listQueryFilters(query) : query.important;
  const important = new Set<QueryFilter>([...given, 'provider']);
  for (const filter of ['type', 'bloom'] as const) important.delete(filter);
  if (isLoose) important.delete('lang');
  return {
    ...query,
    providers: [providerId],
    types: [],
    blooms: [],
    lang: query.lang ?? USUAL_LANGUAGE,
    sort: query.sort === 'shortest' ? 'popularity' : query.sort,
    match: isStrictByFilter ? 'best-effort' : query.match,
    max: PAGE_SIZE,
    page,
    important,
  };
}

/** Whether an object fits a filter; `unknown` where its metadata do not say. */
export type FilterFit = 'fits' | 'unknown' | 'fails';

/** By the metadata of an object, which have neither its popularity nor its distance. */
export function judgeQueryFilter(
  object: LearningObject,
  query: LearningObjectQuery,
  filter: QueryFilter,
): FilterFit {
  switch (filter) {
    case 'type':
      return among(object.type, query.types);
    case 'bloom':
      return among(object.bloom, query.blooms);
    case 'lang':
      return among(object.lang?.slice(0, 2) ?? [], query.lang ?? []);
    case 'free':
      return object.price === undefined ? 'unknown' : object.price.free === query.free ? 'fits' : 'fails';
    case 'level':
      return within(object.level, query.levelMin, query.levelMax);
    case 'learningTime':
      return within(toLearningMinutes(object.learningTime), query.learningTimeMin, query.learningTimeMax);
    case 'distance':
      return object.address === undefined ? 'unknown' : 'fails';
    default:
      return 'fails';
  }
}

function within(value: number | undefined, min = -Infinity, max = Infinity): FilterFit {
  if (value === undefined) return 'unknown';
  return value >= min && value <= max ? 'fits' : 'fails';
}

function among(given: string | readonly string[], wanted: string | readonly string[]): FilterFit {
  const wants = new Set([wanted].flat().map((name) => name.toLowerCase()));
  const has = [given].flat();
  if (wants.size === 0) return 'fits';
  if (has.length === 0) return 'unknown';
  return has.some((name) => wants.has(name.toLowerCase())) ? 'fits' : 'fails';
}

/** Whether an object has one of the types and one of the objectives of a query. One that does not
 *  say passes where the filters are loose. */
export function fitsQueryFilters(object: LearningObject, query: LearningObjectQuery): boolean {
  const isStrict = (filter: QueryFilter) => query.match === 'strict' || query.important.has(filter);
  return (['type', 'bloom'] as const).every((filter) => {
    const fit = judgeQueryFilter(object, query, filter);
    return fit === 'fits' || (fit === 'unknown' && !isStrict(filter));
  });
}
