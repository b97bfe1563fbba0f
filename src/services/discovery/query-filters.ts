import type { LearningObjectQuery, QueryFilter } from '../../domain/learning-object-query.ts';

/** What of a query belongs to each filter. */
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
export function activeFilters(query: LearningObjectQuery): readonly QueryFilter[] {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return filters.filter((filter) => fieldsOf[filter].some((field) => isGiven(query[field])));
}

const byPromise: readonly QueryFilter[] = [
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

/** The filters that a query has, first those that exclude, then the others, and among them the likeliest first to be why
 *  nothing is found. */
export function filtersByPromise(query: LearningObjectQuery): readonly QueryFilter[] {
  const excludes = (filter: QueryFilter) =>
    filter === 'provider' || query.match === 'strict' || query.important.has(filter);
  return activeFilters(query).toSorted(
    (a, b) => Number(excludes(b)) - Number(excludes(a)) || byPromise.indexOf(a) - byPromise.indexOf(b),
  );
}

export function withoutFilter(query: LearningObjectQuery, filter: QueryFilter): LearningObjectQuery {
  const dropped: readonly string[] = fieldsOf[filter];
  const kept: Partial<LearningObjectQuery> = Object.fromEntries(
    Object.entries(query).filter(([field]) => !dropped.includes(field)),
  );
  const important = new Set([...query.important].filter((name) => name !== filter));
  const lists = { providers: [], types: [], blooms: [] };
  return { ...lists, ...kept, important } as LearningObjectQuery;
}

export function withoutFilters(query: LearningObjectQuery): LearningObjectQuery {
  return activeFilters(query).reduce(withoutFilter, query);
}
