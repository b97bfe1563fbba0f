import { type Bitset, createBitset, hasBit, intersectBitsInto, setBit, uniteBitsInto } from '#engine/bitset';
import { findString } from '#engine/string-table';
import { tokenize } from '#engine/text/tokenize';
import { writeFactMarks } from '../segment/collect-facts.ts';
import { forEachPosting, openPostings } from '../segment/postings.ts';
import type { LiveSegment, Segment } from '../segment/segment.ts';
import { NO_AGE, PUBLISHER_MARK, TOPIC_MARK, UNKNOWN_VALUE } from '../segment/segment.ts';
import type { FilterName, ObjectFilters, RangeFilter, Strictness, ValueField } from '../types.ts';
import { valueFields } from '../types.ts';
import { DIRECT_TOPIC_IMPACT, WISH_EXPONENT, yieldFactors } from '../weights.ts';

/** The verdicts of a filter; UNKNOWN if the index does not have the fact. */
export const MEETS = 0;
export const UNKNOWN = 1;
const FAILS = 2;
export type Verdict = typeof MEETS | typeof UNKNOWN | typeof FAILS;

export interface CompiledFilter {
  readonly name: FilterName;
  readonly strict: boolean;
  /** The factors of relevance, by verdict. */
  readonly factors: readonly [1, number, number];
  judge(doc: number): Verdict;
  /** The documents that meet the filter; absent for filters on numbers. */
  readonly set?: Bitset;
}

export function compileFilters(segment: Segment, filters: ObjectFilters): CompiledFilter[] {
  const compiled: CompiledFilter[] = [];
  const add: AddFilter = (name, { strict, isWish = false }, judge, set) => {
    const factor = isWish ? yieldFactors[name] ** WISH_EXPONENT : yieldFactors[name];
    const factors = [1, Math.sqrt(factor), factor] as const;
    compiled.push({ name, strict, factors, judge, ...(set === undefined ? {} : { set }) });
  };
  addSetFilters(segment, filters, add);
  addColumnFilters(segment, filters, add);
  return compiled;
}

type AddFilter = (name: FilterName, strictness: Strictness, judge: (doc: number) => Verdict, set?: Bitset) => void;

function addSetFilters(segment: Segment, filters: ObjectFilters, add: AddFilter): void {
  for (const field of valueFields) {
    const filter = filters[field];
    if (filter === undefined) continue;
    const set = selectByValues(segment, field, filter.values);
    const unstatedSet = filter.strict ? set : selectByValues(segment, field, [UNKNOWN_VALUE]);
    add(field, filter, judgeBySet(set, unstatedSet), set);
  }
  if (filters.topic !== undefined) {
    const set = selectByTopics(segment, filters.topic.values, 0);
    add('topic', filters.topic, judgeBySet(set, set), set);
  }
  if (filters.publisher !== undefined) {
    const { name, strict } = filters.publisher;
    const set = selectByPublisher(segment, tokenize(name));
    const unstatedSet = strict ? set : selectByPublisher(segment, [UNKNOWN_VALUE]);
    add('publisher', filters.publisher, judgeBySet(set, unstatedSet), set);
  }
}

function addColumnFilters({ columns }: Segment, filters: ObjectFilters, add: AddFilter): void {
  const { level, minutes, popularity, ageMin, ageMax, lat, lon, free, marks, day } = columns;
  if (filters.level) add('level', filters.level, judgeByRange(level, filters.level));
  if (filters.learningTime) add('learningTime', filters.learningTime, judgeByRange(minutes, filters.learningTime));
  if (filters.popularity) add('popularity', filters.popularity, judgeByRange(popularity, filters.popularity));
  if (filters.age) add('age', filters.age, judgeByAges(ageMin, ageMax, filters.age));
  if (filters.free) {
    const code = filters.free.value ? 1 : 2;
    add('free', filters.free, (doc) => (free[doc] === 0 ? UNKNOWN : free[doc] === code ? MEETS : FAILS));
  }
  if (filters.marks) {
    const bits = writeFactMarks(filters.marks.values);
    add('marks', filters.marks, (doc) => ((marks[doc]! & bits) === bits ? MEETS : UNKNOWN));
  }
  if (filters.day) add('day', filters.day, judgeByRange(day, filters.day));
  if (filters.distance) {
    const { km } = filters.distance;
    const fromLat = Math.fround(filters.distance.lat);
    const fromLon = Math.fround(filters.distance.lon);
    add('distance', filters.distance, (doc) => {
      const there = lat[doc]!;
      if (Number.isNaN(there)) return UNKNOWN;
      return measureDistanceKm(fromLat, fromLon, there, lon[doc]!) <= km ? MEETS : FAILS;
    });
  }
}

/** Tells whether all documents with the same combination of values get the same verdict. */
export const isByValue = ({ name }: CompiledFilter): boolean => (valueFields as readonly FilterName[]).includes(name);

/** Finds the live documents that pass the strict filters which are sets. */
export function findAllowedDocuments(part: LiveSegment, filters: readonly CompiledFilter[]): Bitset {
  const { segment, live, liveCount } = part;
  const sets = filters.flatMap((filter) => (filter.strict && filter.set !== undefined ? [filter.set] : []));
  if (liveCount < segment.count || sets.length === 0) sets.push(live);
  if (sets.length === 1) return sets[0]!;
  const allowed = sets[0]!.slice();
  for (const set of sets.slice(1)) intersectBitsInto(allowed, set);
  return allowed;
}

/** Selects the documents with any of the values in a field. The set must not be changed. */
export function selectByValues(segment: Segment, field: ValueField, requestedValues: readonly string[]): Bitset {
  const { values, sets } = segment.valueSets[field];
  const selected = values.flatMap((value, i) => (requestedValues.includes(value) ? [sets[i]!] : []));
  if (selected.length === 1) return selected[0]!;
  const union = createBitset(segment.count);
  for (const set of selected) uniteBitsInto(union, set);
  return union;
}

function selectByPublisher(segment: Segment, words: readonly string[]): Bitset {
  const terms = words.map((word) => PUBLISHER_MARK + word);
  return selectByTerms(segment, terms);
}

/** Selects the documents about all of the topics themselves, not about narrower ones. */
export function selectByTopics(segment: Segment, topics: readonly string[], least = DIRECT_TOPIC_IMPACT): Bitset {
  const terms = topics.map((topic) => TOPIC_MARK + topic);
  return selectByTerms(segment, terms, least);
}

/** Selects the documents that have all of the terms; none without terms.
 *  @param least the least impact that counts */
function selectByTerms(segment: Segment, terms: readonly string[], least = 0): Bitset {
  const sets = terms.map((text) => {
    const set = createBitset(segment.count);
    const term = findString(segment.terms, text);
    if (term >= 0)
      forEachPosting(openPostings(segment.postings, term), (doc, impact) => {
        if (impact >= least) setBit(set, doc);
      });
    return set;
  });
  const [selected = createBitset(segment.count), ...furtherSets] = sets;
  for (const set of furtherSets) intersectBitsInto(selected, set);
  return selected;
}

/** For a strict filter, `unknown` may be any set, as it excludes unknown values too. */
function judgeBySet(set: Bitset, unknown: Bitset): (doc: number) => Verdict {
  return (doc) => (hasBit(set, doc) ? MEETS : hasBit(unknown, doc) ? UNKNOWN : FAILS);
}

function judgeByRange(column: Float32Array, { min, max }: RangeFilter): (doc: number) => Verdict {
  // Columns hold 32-bit floats, so the ends are rounded in the same way.
  const low = Math.fround(min ?? Number.NEGATIVE_INFINITY);
  const high = Math.fround(max ?? Number.POSITIVE_INFINITY);
  return (doc) => {
    const value = column[doc]!;
    if (Number.isNaN(value)) return UNKNOWN;
    return value >= low && value <= high ? MEETS : FAILS;
  };
}

function judgeByAges(ageMin: Uint8Array, ageMax: Uint8Array, { min = 0, max = NO_AGE }: RangeFilter) {
  return (doc: number): Verdict => {
    const from = ageMin[doc]!;
    const to = ageMax[doc]!;
    if (from === NO_AGE && to === NO_AGE) return UNKNOWN;
    return (from === NO_AGE || from <= max) && (to === NO_AGE || to >= min) ? MEETS : FAILS;
  };
}

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Measures the distance between two points in degrees.
 *  Source: Sinnott, "Virtues of the Haversine", 1984. */
export function measureDistanceKm(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const half =
    Math.sin(((lat2 - lat1) * RADIANS) / 2) ** 2 +
    Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * Math.sin(((lon2 - lon1) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}
