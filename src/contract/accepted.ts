import { z } from 'zod';

/** Most characters of a text of a service; longer ones are cut. */
const MAX_NAME_LENGTH = 300;

const MAX_DESCRIPTION_LENGTH = 5_000;

/** Most entries of a list within an item. */
const MAX_ENTRIES = 50;

/** A text, cut to so many UTF-16 units and never within a character. */
export const acceptedTextUpTo = (maxLength: number) =>
  z.string().transform((text) => (text.length <= maxLength ? text : copyStart(text, maxLength)));

/** A copy, because a slice keeps the whole text in memory. */
function copyStart(text: string, length: number): string {
  const start = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return Buffer.from(start).toString();
}

/** A long text, such as a description. */
export const acceptedText = acceptedTextUpTo(MAX_DESCRIPTION_LENGTH);

/** A short text: a name, a place, a currency. */
export const acceptedName = acceptedTextUpTo(MAX_NAME_LENGTH);

/** A value that is sent back to filter by: cut, it would mean something else. */
export const acceptedValue = z.string().min(1).max(MAX_NAME_LENGTH);

/** A description for people; empty where it is not a text. */
export const acceptedDescription = acceptedText.catch('');

/** A number, or a text that is one. */
export const acceptedNumber = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** Undefined where the value is invalid. Not an exact optional: an absent value would be an error
 *  to be caught, which costs more than everything else. */
export const acceptedOrAbsent = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** One entry or many; invalid ones are left out. */
export function acceptedEntries<T>(entry: z.ZodType<T>) {
  return z
    .unknown()
    .optional()
    .transform((given): readonly T[] => {
      if (given === undefined) return [];
      const entries: readonly unknown[] = Array.isArray(given) ? given : [given];
      return entries.slice(0, MAX_ENTRIES).flatMap((each) => entry.safeParse(each).data ?? []);
    });
}

/** The items of an answer. One that cannot be read is left out, as the others are good without it;
 *  where no item can be read, the answer has the problem of the first. */
export function acceptedItems<T>(item: z.ZodType<T>) {
  return z.array(z.unknown()).transform((given, context): readonly T[] => {
    const parsed = given.map((each) => item.safeParse(each));
    const read = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]));
    const [first] = parsed;
    if (first?.error === undefined || read.length > 0) return read;
    for (const { path, message } of first.error.issues)
      context.addIssue({ code: 'custom', path: [0, ...path], message });
    return z.NEVER;
  });
}
