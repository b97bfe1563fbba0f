import { type LearningObject, toLearningMinutes } from './learning-object.ts';

/** The minutes of a longer replacement are positive; an unknown price is null. */
export type ObjectDifference =
  | { readonly kind: 'length'; readonly minutes: number }
  | { readonly kind: 'language'; readonly lang: string }
  | { readonly kind: 'level'; readonly isHarder: boolean }
  | { readonly kind: 'type'; readonly types: readonly string[] }
  | { readonly kind: 'price'; readonly isFree: boolean | null };

/** Types that do not count as different. */
const typeGroups: readonly (readonly string[])[] = [
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

/** Lists the differences between known values, the most important first. */
export function listObjectDifferences(
  object: LearningObject,
  replacement: LearningObject,
): readonly ObjectDifference[] {
  const differences: ObjectDifference[] = [];
  const { lang, level, price, type } = replacement;
  if (object.lang !== undefined && lang !== undefined && lang !== object.lang)
    differences.push({ kind: 'language', lang });
  if (object.price?.free === true && price?.free !== true)
    differences.push({ kind: 'price', isFree: price === undefined ? null : false });
  if (object.price?.free === false && price?.free === true) differences.push({ kind: 'price', isFree: true });
  const haveBothTypes = object.type.length > 0 && type.length > 0;
  const isSimilarType = typeGroups.some((group) =>
    [object.type, type].every((types) => types.some((name) => group.includes(name))),
  );
  if (haveBothTypes && !isSimilarType) differences.push({ kind: 'type', types: type });
  if (object.level !== undefined && level !== undefined && Math.abs(object.level - level) > LEVEL_STEP)
    differences.push({ kind: 'level', isHarder: level > object.level });
  const before = toLearningMinutes(object.learningTime);
  const after = toLearningMinutes(replacement.learningTime);
  if (before !== undefined && after !== undefined && (after / before > 1.25 || after / before < 0.8))
    differences.push({ kind: 'length', minutes: after - before });
  return differences;
}
