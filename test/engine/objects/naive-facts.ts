import type { FilterName, ObjectDocument, ObjectFilters, RangeFilter } from '../../../src/engine/objects/types.ts';
import { DEAD_POPULARITY, WISH_EXPONENT, yieldFactors } from '../../../src/engine/objects/weights.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';

export type Judgement = 'meets' | 'unknown' | 'fails';
export interface Judged {
  readonly name: FilterName;
  readonly strict: boolean;
  readonly isWish: boolean;
  readonly judgement: Judgement;
}

/** Every filter of a query on one document, read off the document itself. */
export function judge(document: ObjectDocument, filters: ObjectFilters): Judged[] {
  const facts: Record<FilterName, () => Judgement> = {
    provider: () => anyOf([document.provider], filters.provider!.values),
    type: () => anyOf(document.types, filters.type!.values),
    bloom: () => anyOf(document.blooms, filters.bloom!.values),
    lang: () => anyOf([document.lang], filters.lang!.values),
    topic: () => say(filters.topic!.values.every((id) => document.topics?.includes(id) ?? false)),
    publisher: () => allWords(document.publishers.flatMap(tokenize), tokenize(filters.publisher!.name)),
    level: () => within(document.level, filters.level!),
    learningTime: () => within(document.minutes, filters.learningTime!),
    popularity: () => within(popularityOf(document), filters.popularity!),
    age: () => agesMeet(document, filters.age!),
    free: () => (document.free === undefined ? 'unknown' : say(document.free === filters.free!.value)),
    marks: () => (filters.marks!.values.every((mark) => document.marks?.includes(mark)) ? 'meets' : 'unknown'),
    day: () => within(document.day, filters.day!),
    distance: () => near(document, filters.distance!),
  };
  return (Object.keys(facts) as FilterName[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => ({
      name,
      strict: filters[name]!.strict,
      isWish: filters[name]!.isWish === true,
      judgement: facts[name](),
    }));
}

export function popularityOf({ isDead, popularity }: ObjectDocument): number | undefined {
  return isDead ? DEAD_POPULARITY : popularity;
}

/** What filters that are not strict leave of the relevance. */
export function keptShare(judged: readonly Judged[]): number {
  return judged.reduce((kept, { name, isWish, judgement }) => {
    if (judgement === 'meets') return kept;
    const factor = isWish ? yieldFactors[name] ** WISH_EXPONENT : yieldFactors[name];
    return kept * (judgement === 'unknown' ? Math.sqrt(factor) : factor);
  }, 1);
}

function say(isMet: boolean): Judgement {
  return isMet ? 'meets' : 'fails';
}

function anyOf(own: readonly string[], wanted: readonly string[]): Judgement {
  if (own.some((value) => wanted.includes(value))) return 'meets';
  return own.length === 0 ? 'unknown' : 'fails';
}

function allWords(own: readonly string[], wanted: readonly string[]): Judgement {
  if (wanted.length > 0 && wanted.every((word) => own.includes(word))) return 'meets';
  return own.length === 0 ? 'unknown' : 'fails';
}

function within(value: number | undefined, { min, max }: RangeFilter): Judgement {
  if (value === undefined) return 'unknown';
  return say((min === undefined || value >= min) && (max === undefined || value <= max));
}

function agesMeet({ ageMin, ageMax }: ObjectDocument, { min = 0, max = 200 }: RangeFilter): Judgement {
  if (ageMin === undefined && ageMax === undefined) return 'unknown';
  return say((ageMin ?? 0) <= max && (ageMax ?? 200) >= min);
}

/** By the chord between two points on the unit sphere, not by the haversine. */
function near({ lat, lon }: ObjectDocument, from: NonNullable<ObjectFilters['distance']>): Judgement {
  if (lat === undefined || lon === undefined) return 'unknown';
  const point = (latitude: number, longitude: number): number[] => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const there = point(lat, lon);
  const chord = Math.hypot(...point(from.lat, from.lon).map((value, i) => value - there[i]!));
  return say(2 * 6371.0088 * Math.asin(chord / 2) <= from.km);
}
