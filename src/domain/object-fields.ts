import type { LearningObject } from './learning-object.ts';

/** Fields of a learning object that an administrator may edit. Null means unknown. */
export interface ObjectFields {
  readonly title: string;
  readonly description: string;
  /** Its name. */
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

/** Most characters (UTF-16 units) of texts. */
export const objectTextLimits = { title: 300, description: 400, provider: 120, name: 120 } as const;
/** Most keywords, publishers and authors, each. */
export const MAX_OBJECT_NAMES = 20;

/** The changed fields only. */
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
] as const satisfies readonly (keyof ObjectFields)[];

/** The fields that differ in `after`. */
export function findObjectEdits(before: ObjectFields, after: ObjectFields): ObjectEdits {
  const changed = objectFieldNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** An object with edits applied. */
export function applyObjectEdits(object: LearningObject, edits: ObjectEdits): LearningObject {
  const { level, learningTime, price, picture, ...rest } = object;
  const {
    keywords: _keywords,
    level: newLevel = level,
    minutes,
    free,
    picture: newPicture = picture,
    ...texts
  } = edits;
  const newTime = minutes === undefined ? learningTime : minutes === null ? null : toLearningTime(minutes);
  const newPrice = free === undefined ? price : free === null ? null : { ...price, free };
  return {
    ...rest,
    ...texts,
    ...(newLevel != null && { level: newLevel }),
    ...(newTime != null && { learningTime: newTime }),
    ...(newPrice != null && { price: newPrice }),
    ...(newPicture != null && { picture: newPicture }),
  };
}

/** The learning object with these fields. */
export function toPlainObject({
  url,
  fields,
}: {
  readonly url: string;
  readonly fields: ObjectFields;
}): LearningObject {
  const { keywords: _, level, minutes, free, picture, ...texts } = fields;
  return {
    url,
    ...texts,
    ...(level !== null && { level }),
    ...(minutes !== null && { learningTime: toLearningTime(minutes) }),
    ...(free !== null && { price: { free } }),
    ...(picture !== null && { picture }),
  };
}

export function toLearningTime(minutes: number): { readonly value: number; readonly unit: 'h' | 'min' } {
  return minutes % 60 === 0 ? { value: minutes / 60, unit: 'h' } : { value: minutes, unit: 'min' };
}
