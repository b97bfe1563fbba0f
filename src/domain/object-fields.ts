import type { LearningObject } from './learning-object.ts';
import { editObjectFacts, type FactEdits, factNames } from './object-facts.ts';

/** Fields that an administrator may edit. Null or an absent fact is unknown. */
export interface ObjectFields extends FactEdits {
  readonly title: string;
  readonly description: string;
  readonly provider: string;
  readonly type: readonly string[];
  readonly bloom: readonly string[];
  /** Two-letter code. */
  readonly lang: string;
  readonly keywords: readonly string[];
  readonly publisher: readonly string[];
  readonly author: readonly string[];
  /** -1 (beginner) to 1 (advanced). */
  readonly level: number | null;
  readonly minutes: number | null;
  readonly free: boolean | null;
  readonly picture: string | null;
}

/** UTF-16 units. */
export const objectTextLimits = { title: 300, description: 400, provider: 120, name: 120 } as const;
/** Of keywords, publishers and authors, each. */
export const MAX_OBJECT_NAMES = 20;

export type ObjectEdits = Partial<ObjectFields>;

export const objectFieldNames = [
  'title',
  'description',
  'provider',
  'type',
  'bloom',
  'lang',
  'keywords',
  'publisher',
  'author',
  'level',
  'minutes',
  'free',
  'picture',
  ...factNames,
] as const satisfies readonly (keyof ObjectFields)[];

export function findObjectEdits(before: ObjectFields, after: ObjectFields): ObjectEdits {
  const textOf = (fields: ObjectFields, name: keyof ObjectFields) => JSON.stringify(fields[name] ?? null);
  const changed = objectFieldNames.filter((name) => textOf(before, name) !== textOf(after, name));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

export function applyObjectEdits(object: LearningObject, edits: ObjectEdits): LearningObject {
  const { level, learningTime, price, picture, ...rest } = object;
  const { keywords: _, level: newLevel = level, minutes, free, picture: newPicture = picture, ...texts } = edits;
  const newTime = minutes === undefined ? learningTime : minutes === null ? null : toLearningTime(minutes);
  const newPrice = free === undefined ? price : free === null ? null : { ...price, free };
  return {
    ...omitFactFields(rest),
    ...omitFactFields(texts),
    ...(newLevel != null && { level: newLevel }),
    ...(newTime != null && { learningTime: newTime }),
    ...(newPrice != null && { price: newPrice }),
    ...(newPicture != null && { picture: newPicture }),
    ...editObjectFacts(object, edits),
  };
}

export interface PlainObjectSource {
  readonly url: string;
  readonly fields: ObjectFields;
  /** Broad field of ISCED-F. */
  readonly field?: string | undefined;
}

export function toPlainObjectFields({ url, fields, field }: PlainObjectSource): LearningObject {
  const { title, publisher, author, type, bloom } = fields;
  return applyObjectEdits({ url, title, publisher, author, type, bloom, ...(field && { field }) }, fields);
}

function omitFactFields<T extends FactEdits>(fields: T): Omit<T, keyof FactEdits> {
  const rest: Partial<T> = { ...fields };
  for (const name of factNames) delete rest[name];
  return rest as Omit<T, keyof FactEdits>;
}

export function toLearningTime(minutes: number): { readonly value: number; readonly unit: 'h' | 'min' } {
  return minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
}
