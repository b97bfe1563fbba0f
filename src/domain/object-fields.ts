import type { LearningObject } from './learning-object.ts';
import { editObjectFacts, type FactEdits, factNames } from './object-facts.ts';
import { omitUndefined } from './omit-undefined.ts';

/** Fields that an administrator may edit. A null value or an absent fact is unknown. */
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

/** Limits in UTF-16 units. */
export const objectTextLimits = { title: 300, description: 400, provider: 120, name: 120 } as const;
/** Limit of the keywords, of the publishers, and of the authors of an object. */
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

/** Returns the changed fields with their new values. */
export function findObjectEdits(before: ObjectFields, after: ObjectFields): ObjectEdits {
  const textOf = (fields: ObjectFields, name: keyof ObjectFields) => JSON.stringify(fields[name] ?? null);
  const changed = objectFieldNames.filter((name) => textOf(before, name) !== textOf(after, name));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

export function applyObjectEdits(object: LearningObject, edits: ObjectEdits): LearningObject {
  const { level, learningTime, price, picture, ...otherFields } = object;
  const { keywords: _, level: newLevel, minutes, free, picture: newPicture, ...texts } = edits;
  const newTime = minutes == null ? minutes : toLearningTime(minutes);
  const newPrice = free == null ? free : { ...price, free };
  return {
    ...omitFactFields(otherFields),
    ...omitFactFields(texts),
    ...omitUndefined({
      level: applyFieldEdit(level, newLevel),
      learningTime: applyFieldEdit(learningTime, newTime),
      price: applyFieldEdit(price, newPrice),
      picture: applyFieldEdit(picture, newPicture),
    }),
    ...editObjectFacts(object, edits),
  };
}

/** An absent edit keeps the value; null removes it. */
const applyFieldEdit = <T>(value: T | undefined, edit: T | null | undefined): T | undefined =>
  edit === undefined ? value : (edit ?? undefined);

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
  const otherFields: Partial<T> = { ...fields };
  for (const name of factNames) delete otherFields[name];
  return otherFields as Omit<T, keyof FactEdits>;
}

export function toLearningTime(minutes: number): { readonly value: number; readonly unit: 'h' | 'min' } {
  return minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
}
