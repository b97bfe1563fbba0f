import type { LearningObjectQuery } from '#domain/learning-object-query';

type Field = Exclude<keyof LearningObjectQuery, 'important'>;

/** Every field has a fixed place, because queries may have theirs in any order. A record, so that none can be forgotten. */
const fields = Object.keys({
  keywords: true,
  lang: true,
  prefer: true,
  without: true,
  providers: true,
  types: true,
  blooms: true,
  sort: true,
  match: true,
  model: true,
  max: true,
  page: true,
  publisher: true,
  ageMin: true,
  ageMax: true,
  learningTimeMin: true,
  learningTimeMax: true,
  levelMin: true,
  levelMax: true,
  popularityMin: true,
  address: true,
  distanceMax: true,
  free: true,
} satisfies Record<Field, true>) as Field[];

/** The same for the same search, and for no other. */
export function makeSearchKey(query: LearningObjectQuery, withDetails: boolean): string {
  const values = fields.map((field) => query[field]);
  return JSON.stringify([...values, [...query.important].sort(), withDetails]);
}
