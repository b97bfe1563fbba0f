/** Schemas that accept more than the specification allows, for answers of other services. */

import { z } from 'zod';

/** Longer texts of a service are cut. */
const MAX_NAME_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 5_000;
const MAX_ENTRIES = 50;

/** Accepts a text, and cuts it to this number of UTF-16 units, never within a character. */
export const acceptedTextUpTo = (maxLength: number) =>
  z.string().transform((text) => {
    if (text.length <= maxLength) return text;
    // A copy, because a slice keeps the whole text in memory.
    return Buffer.from(text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')).toString();
  });

export const acceptedText = acceptedTextUpTo(MAX_DESCRIPTION_LENGTH);
export const acceptedName = acceptedTextUpTo(MAX_NAME_LENGTH);

/** Accepts a value of a filter, which is not cut: a shortened one would mean something else. */
export const acceptedValue = z.string().min(1).max(MAX_NAME_LENGTH);

/** Accepts anything; the result is empty if it is not a text. */
export const acceptedDescription = acceptedText.catch('');

/** Accepts a number, or a text that is one. */
export const acceptedNumber = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** Accepts anything; an invalid value counts as absent. With an exact optional, each absent value
 *  would throw and catch an error, at a high cost. */
export const acceptedOrAbsent = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** Accepts one entry or many, and drops invalid ones. */
export function acceptedEntries<T>(entry: z.ZodType<T>) {
  return z
    .unknown()
    .optional()
    .transform((input): readonly T[] => {
      if (input === undefined) return [];
      const entries: readonly unknown[] = Array.isArray(input) ? input : [input];
      return entries.slice(0, MAX_ENTRIES).flatMap((value) => entry.safeParse(value).data ?? []);
    });
}

/** Accepts a list, and drops invalid items; if all are invalid, it reports the first one. */
export function acceptedItems<T>(item: z.ZodType<T>) {
  return z.array(z.unknown()).transform((input, context): readonly T[] => {
    const parsed = input.map((value) => item.safeParse(value));
    const items = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]));
    const [first] = parsed;
    if (first?.error === undefined || items.length > 0) return items;
    for (const { path, message } of first.error.issues)
      context.addIssue({ code: 'custom', path: [0, ...path], message });
    return z.NEVER;
  });
}
