import { type LearningObject, toLearningMinutes } from '#domain/learning-object';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import { findDayNumber, listObjectMarks, toDayNumber } from '#domain/object-facts';

/** Maximum number of objects in a page, by the specification. */
export const PAGE_SIZE = 20;
/** Stands for any language, which the specification cannot express: the filter is loose. */
const USUAL_LANGUAGE = 'en';

/** The fields of a query of each filter; the likeliest reason for an empty result comes first. */
const fieldsOf: Readonly<Record<QueryFilter, readonly (keyof LearningObjectQuery)[]>> = {
  has: ['has'],
  newerThan: ['newerThan'],
  provider: ['providers'],
  type: ['types'],
  lang: ['lang'],
  bloom: ['blooms'],
  free: ['free'],
  distance: ['address', 'distanceMax'],
  learningTime: ['learningTimeMin', 'learningTimeMax'],
  level: ['levelMin', 'levelMax'],
  publisher: ['publisher'],
  age: ['ageMin', 'ageMax'],
  popularity: ['popularityMin'],
};
const filters = Object.keys(fieldsOf) as QueryFilter[];

export function listQueryFilters(query: LearningObjectQuery): readonly QueryFilter[] {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return filters.filter((filter) => fieldsOf[filter].some((field) => isGiven(query[field])));
}

/** Lists excluding filters first, then by how likely they are the reason for an empty result. */
export function listQueryFiltersLikeliestFirst(query: LearningObjectQuery): readonly QueryFilter[] {
  const excludes = (filter: QueryFilter) =>
    filter === 'provider' ||
    filter === 'has' ||
    filter === 'newerThan' ||
    query.match === 'strict' ||
    query.important.has(filter);
  return listQueryFilters(query).toSorted((a, b) => Number(excludes(b)) - Number(excludes(a)));
}

export function dropQueryFilter(query: LearningObjectQuery, filter: QueryFilter): LearningObjectQuery {
  const dropped: readonly string[] = fieldsOf[filter];
  const isKept = ([field]: [string, unknown]) => !dropped.includes(field);
  const remaining: Partial<LearningObjectQuery> = Object.fromEntries(Object.entries(query).filter(isKept));
  const important = new Set([...query.important].filter((name) => name !== filter));
  const emptyLists = { providers: [], types: [], blooms: [] };
  return { ...emptyLists, ...remaining, important } as LearningObjectQuery;
}

export function dropQueryFilters(query: LearningObjectQuery): LearningObjectQuery {
  return listQueryFilters(query).reduce(dropQueryFilter, query);
}

/** Reduces a query to one provider and to the specified parameters. The provider is a strict
 *  filter: otherwise a provider without hits would return objects of others. A strict search
 *  without a language marks each filter as important: `match` also makes the language strict. */
export function toProviderQuery(query: LearningObjectQuery, providerId: string, page: number): LearningObjectQuery {
  const isLoose = query.lang === undefined;
  const isStrictByFilter = isLoose && query.match === 'strict';
  const filters = isStrictByFilter ? listQueryFilters(query) : query.important;
  const important = new Set<QueryFilter>([...filters, 'provider']);
  for (const filter of unspecifiedFilters) important.delete(filter);
  if (isLoose) important.delete('lang');
  const { has: _, newerThan: __, ...specified } = query;
  return {
    ...specified,
    providers: [providerId],
    types: [],
    blooms: [],
    lang: query.lang ?? USUAL_LANGUAGE,
    sort: query.sort === 'random' ? 'random' : 'popularity',
    match: isStrictByFilter ? 'best-effort' : query.match,
    max: PAGE_SIZE,
    page,
    important,
  };
}

/** Whether an object fits a filter; `unknown` if the metadata of the object lack the value. */
export type FilterFit = 'fits' | 'unknown' | 'fails';

/** A filter without metadata, such as the popularity, fails: the search excluded the object. */
export function judgeQueryFilter(object: LearningObject, query: LearningObjectQuery, filter: QueryFilter): FilterFit {
  switch (filter) {
    case 'type':
      return judgeListFilter(object.type, query.types);
    case 'bloom':
      return judgeListFilter(object.bloom, query.blooms);
    case 'lang':
      return judgeListFilter(object.lang?.slice(0, 2) ?? [], query.lang ?? []);
    case 'free':
      if (object.price === undefined) return 'unknown';
      return object.price.free === query.free ? 'fits' : 'fails';
    case 'level':
      return judgeRangeFilter(object.level, query.levelMin, query.levelMax);
    case 'learningTime':
      return judgeRangeFilter(toLearningMinutes(object.learningTime), query.learningTimeMin, query.learningTimeMax);
    case 'has': {
      const marks = listObjectMarks(object);
      return (query.has ?? []).every((mark) => marks.includes(mark)) ? 'fits' : 'unknown';
    }
    case 'newerThan': {
      if (query.newerThan === undefined) return 'fits';
      return judgeRangeFilter(findDayNumber(object), toDayNumber(query.newerThan));
    }
    case 'distance':
      return object.address === undefined ? 'unknown' : 'fails';
    default:
      return 'fails';
  }
}

function judgeRangeFilter(value: number | undefined, min = -Infinity, max = Infinity): FilterFit {
  if (value === undefined) return 'unknown';
  return value >= min && value <= max ? 'fits' : 'fails';
}

function judgeListFilter(values: string | readonly string[], accepted: string | readonly string[]): FilterFit {
  const acceptedNames = new Set([accepted].flat().map((name) => name.toLowerCase()));
  const names = [values].flat();
  if (acceptedNames.size === 0) return 'fits';
  if (names.length === 0) return 'unknown';
  return names.some((name) => acceptedNames.has(name.toLowerCase())) ? 'fits' : 'fails';
}

/** The specification does not have these filters, so its answers are filtered here. */
const unspecifiedFilters = ['type', 'bloom', 'has', 'newerThan'] as const;

/** Judges an object by the filters that the specification does not have. An object without metadata
 *  passes a loose filter on types and objectives. */
export function fitsQueryFilters(object: LearningObject, query: LearningObjectQuery): boolean {
  const isStrict = (filter: QueryFilter) =>
    query.match === 'strict' || filter === 'has' || filter === 'newerThan' || query.important.has(filter);
  return unspecifiedFilters.every((filter) => {
    const fit = judgeQueryFilter(object, query, filter);
    return fit === 'fits' || (fit === 'unknown' && !isStrict(filter));
  });
}
