import { omitUndefined } from '#domain/omit-undefined';
import type { FilterName, ObjectFilters, RangeFilter, Strictness, ValueField } from '#engine/objects/types';
import { valueFields } from '#engine/objects/types';
import { WISH_EXPONENT, yieldFactors } from '#engine/objects/weights';
import { tokenize } from '#engine/text/tokenize';

/** A query in the query DSL of OpenSearch. */
export type Query = Readonly<Record<string, unknown>>;

export interface WrittenFilter {
  readonly name: FilterName;
  readonly strict: boolean;
  /** The factor of the rank of documents that fail the filter, if it is not strict. */
  readonly factor: number;
  readonly meets: Query;
  /** Matches the documents that do not state the value: none for topics, all for marks. */
  readonly unknown: Query;
}

export const all: Query = { match_all: {} };
export const nothing: Query = { match_none: {} };
export const anyOf = (queries: readonly Query[]): Query =>
  only(queries) ?? { bool: { should: queries, minimum_should_match: 1 } };
export const everyOf = (queries: readonly Query[]): Query => only(queries) ?? { bool: { filter: queries } };
const only = (queries: readonly Query[]): Query | undefined => (queries.length === 1 ? queries[0] : undefined);
export const not = (query: Query): Query => ({ bool: { must_not: [query] } });
export const termsFilter = (field: string, values: readonly unknown[]): Query => ({ terms: { [field]: values } });
const missing = (field: string): Query => not({ exists: { field } });

export const isFilterByValue = ({ name }: WrittenFilter): boolean =>
  (valueFields as readonly FilterName[]).includes(name);

/** Writes the filters that `compileFilters` of the embedded engine compiles. */
export function writeFilters(filters: ObjectFilters): WrittenFilter[] {
  const written: WrittenFilter[] = [];
  const add = (name: FilterName, { strict, isWish = false }: Strictness, meets: Query, unknown: Query) => {
    const factor = isWish ? yieldFactors[name] ** WISH_EXPONENT : yieldFactors[name];
    written.push({ name, strict, factor, meets, unknown });
  };
  for (const field of valueFields) {
    const filter = filters[field];
    if (filter) add(field, filter, termsFilter(field, filter.values), missing(field));
  }
  const { topic, publisher, age, learningTime, level, popularity, free, marks, day, distance } = filters;
  if (topic) add('topic', topic, everyTermFilter('topics', topic.values), nothing);
  if (publisher)
    add('publisher', publisher, everyTermFilter('publisherWords', tokenize(publisher.name)), missing('publisherWords'));
  if (level) add('level', level, rangeFilter('level', level), missing('level'));
  if (learningTime) add('learningTime', learningTime, rangeFilter('minutes', learningTime), missing('minutes'));
  if (popularity) add('popularity', popularity, rangeFilter('popularity', popularity), missing('popularity'));
  if (age) add('age', age, ageFilter(age), everyOf([missing('ageMin'), missing('ageMax')]));
  if (free) add('free', free, { term: { free: free.value } }, missing('free'));
  if (marks) add('marks', marks, everyTermFilter('marks', marks.values), all);
  if (day) add('day', day, rangeFilter('day', day), missing('day'));
  if (distance) {
    const { lat, lon, km } = distance;
    add('distance', distance, { geo_distance: { distance: `${km}km`, place: { lat, lon } } }, missing('place'));
  }
  return written;
}

const everyTermFilter = (field: string, values: readonly string[]): Query =>
  values.length === 0 ? nothing : everyOf(values.map((value) => ({ term: { [field]: value } })));

const rangeFilter = (field: string, { min, max }: RangeFilter): Query => ({
  range: { [field]: omitUndefined({ gte: min, lte: max }) },
});

function ageFilter({ min, max }: RangeFilter): Query {
  return everyOf([
    anyOf([{ exists: { field: 'ageMin' } }, { exists: { field: 'ageMax' } }]),
    ...(max === undefined ? [] : [anyOf([{ range: { ageMin: { lte: max } } }, missing('ageMin')])]),
    ...(min === undefined ? [] : [anyOf([{ range: { ageMax: { gte: min } } }, missing('ageMax')])]),
  ]);
}

export type Factor = { readonly weight: number; readonly filter: Query };

/** Writes the factors of filters that rank documents lower instead of excluding them. */
export function writeFactors(filters: readonly WrittenFilter[]): readonly Factor[] {
  return filters
    .filter(({ strict }) => !strict)
    .flatMap(({ factor, meets, unknown }) => [
      { weight: factor, filter: { bool: { must_not: [meets, unknown] } } },
      { weight: Math.sqrt(factor), filter: unknown },
    ]);
}

/** Writes the aggregations that count the values of each field, among the documents that meet the
 *  filters on other fields. @param filters are applied after the aggregations (`post_filter`) */
export function writeFilterFacets(filters: readonly WrittenFilter[]): Record<ValueField, object> {
  const facets = valueFields.map((field) => {
    const filtersOnOthers = filters.filter(({ name }) => name !== field).map(({ meets }) => meets);
    const values = { terms: { field, size: MAX_VALUES } };
    return [
      field,
      { filter: filtersOnOthers.length === 0 ? all : everyOf(filtersOnOthers), aggs: { values } },
    ] as const;
  });
  return Object.fromEntries(facets) as Record<ValueField, object>;
}

/** More values than any catalogue has providers or topics. */
export const MAX_VALUES = 10_000;
