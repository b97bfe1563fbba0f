import { toForeignText } from '#domain/text';

const BYTES_PER_TEN = 6_000;
const MAX_BYTES = 30_000;
/** Limit for a text in characters; no tool accepts a longer address. */
const MAX_TEXT = 2_000;

/** Shortens an answer to 6,000 bytes per ten entries, at most 30,000. It loses descriptions, then
 *  the ends of titles, minor fields, and the last entries of the longest lists. All texts lose
 *  invisible characters. @param write makes the answer of data that lack `leftOut` entries */
export function fitAnswer<T extends object, R>(data: T, write: (data: T, leftOut: number) => R): R {
  let fitting = rewriteAnswer(data, (value) => (typeof value === 'string' ? toForeignText(value, MAX_TEXT) : value));
  let leftOut = 0;
  const entries = findAnswerLists(fitting, isObject).reduce((count, { length }) => count + length, 0);
  const maxSize = Math.min(MAX_BYTES, BYTES_PER_TEN * Math.max(1, entries / 10));
  let written = write(fitting, leftOut);
  let size = countAnswerBytes(written);
  for (const shrink of shrinkings) {
    if (size <= maxSize) return written;
    fitting = rewriteAnswer(fitting, shrink);
    written = write(fitting, leftOut);
    size = countAnswerBytes(written);
  }
  for (const isEntry of [isObject, () => true])
    for (let list = findLongest(fitting, isEntry); size > maxSize && list; list = findLongest(fitting, isEntry)) {
      leftOut += list.splice(-Math.ceil((list.length * (1 - maxSize / size)) / 2)).length;
      written = write(fitting, leftOut);
      size = countAnswerBytes(written);
    }
  return written;
}

type Rewrite = (value: unknown, name: string) => unknown;

const cutAnswerTexts =
  (field: string, max: number): Rewrite =>
  (value, name) =>
    name === field && typeof value === 'string' ? toForeignText(value, max) : value;
const dropAnswerFields =
  (...fields: readonly string[]): Rewrite =>
  (value, name) =>
    fields.includes(name) ? undefined : value;

const shrinkings: readonly Rewrite[] = [
  cutAnswerTexts('description', 120),
  cutAnswerTexts('description', 60),
  dropAnswerFields('description', 'quote'),
  cutAnswerTexts('title', 60),
  cutAnswerTexts('title', 30),
  dropAnswerFields('type', 'bloom', 'provider', 'accessibilitySummary', 'educationalLevel'),
];

function rewriteAnswer<T>(value: T, change: Rewrite, name = ''): T {
  const changed = change(value, name);
  if (Array.isArray(changed)) return changed.map((each) => rewriteAnswer(each, change)) as T;
  if (!isObject(changed)) return changed as T;
  const fields: Record<string, unknown> = {};
  for (const [field, each] of Object.entries(changed)) {
    const rewritten = rewriteAnswer(each, change, field);
    if (rewritten !== undefined) fields[field] = rewritten;
  }
  return fields as T;
}

/** Finds the innermost lists with such entries: in a plan, the objects of each skill. */
function findAnswerLists(value: unknown, isEntry: (value: unknown) => boolean): unknown[][] {
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap((each) => findAnswerLists(each, isEntry));
  return inner.length === 0 && Array.isArray(value) && value.some(isEntry) ? [value] : inner;
}

function findLongest(value: unknown, isEntry: (value: unknown) => boolean): unknown[] | undefined {
  const lists = findAnswerLists(value, isEntry).map((list) => ({ list, size: countAnswerBytes(list) }));
  return lists.sort((a, b) => b.size - a.size)[0]?.list;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const countAnswerBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
