import { type LearningObject, toLearningMinutes } from './learning-object.ts';

/** Between an object and its replacement, where both values exist. */
export type ObjectDifference =
  | { readonly kind: 'length' /** Positive where it is longer. */; readonly minutes: number }
  | { readonly kind: 'language'; readonly lang: string }
  | { readonly kind: 'level'; readonly isHarder: boolean }
  | { readonly kind: 'type'; readonly types: readonly string[] }
  | { readonly kind: 'price' /** Unknown where null. */; readonly isFree: boolean | null };

const groups: readonly (readonly string[])[] = [
  ['mooc', 'distance learning', 'training'],
  ['article', 'book', 'ebook', 'tutorial', 'website'],
  ['video'],
  ['podcast'],
  ['app', 'serious game'],
  ['safety sheet'],
  ['career profile'],
];

/** One of the five steps from beginner to advanced. */
const LEVEL_STEP = 0.45;

export function listObjectDifferences(object: LearningObject, other: LearningObject): readonly ObjectDifference[] {
  const differences: ObjectDifference[] = [];
  if (object.lang !== undefined && other.lang !== undefined && other.lang !== object.lang)
    differences.push({ kind: 'language', lang: other.lang });
  const wasFree = object.price?.free === true;
  if (wasFree && other.price?.free !== true)
    differences.push({ kind: 'price', isFree: other.price === undefined ? null : false });
  if (object.price?.free === false && other.price?.free === true) differences.push({ kind: 'price', isFree: true });
  const kindsOf = ({ type }: LearningObject) => groups.filter((group) => type.some((each) => group.includes(each)));
  if (
    object.type.length > 0 &&
    other.type.length > 0 &&
    !kindsOf(object).some((group) => kindsOf(other).includes(group))
  )
    differences.push({ kind: 'type', types: other.type });
  if (object.level !== undefined && other.level !== undefined && Math.abs(object.level - other.level) > LEVEL_STEP)
    differences.push({ kind: 'level', isHarder: other.level > object.level });
  const [minutes, otherMinutes] = [object, other].map(({ learningTime }) => toLearningMinutes(learningTime));
  if (minutes !== undefined && otherMinutes !== undefined) {
    const ratio = otherMinutes / minutes;
    if (ratio > 1.25 || ratio < 0.8) differences.push({ kind: 'length', minutes: otherMinutes - minutes });
  }
  return differences;
}
