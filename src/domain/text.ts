export const MAX_NAME_LENGTH = 100;

/** Characters that make names look the same, or change the direction of the text after them. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const BLANKS = /\p{Zs}+/gu;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/** Cleans a name of a person, tenant or key: composes characters and collapses spaces.
 *  @example cleanName('  Ada   Lovelace') // 'Ada Lovelace' */
export const cleanName = (name: string): string => name.normalize('NFC').replace(BLANKS, ' ').trim();

/** Returns null for a valid name. */
export function findNameProblem(name: string): 'unprintable' | 'empty' | 'too-long' | null {
  if (UNPRINTABLE.test(name)) return 'unprintable';
  if (!LETTER_OR_NUMBER.test(name)) return 'empty';
  return [...name].length > MAX_NAME_LENGTH ? 'too-long' : null;
}

const MAX_EMAIL_LENGTH = 254;

/** The standard allows more, which mail servers and services refuse. */
const EMAIL = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);

/** Longest text that can be tagged, in UTF-16 units, trimmed. */
export const MAX_TEXT_LENGTH = 20_000;

const MARKS = /\p{M}+/gu;

/** Removes case and accents, to compare in both stores. @example foldText('École') // 'ecole' */
export const foldText = (text: string): string => text.normalize('NFKD').replace(MARKS, '').toLowerCase();

/** Folds texts into one that can be searched. Its separator is in no query. */
export function foldTexts(...texts: readonly (string | null)[]): string {
  return texts.map((part) => foldText(part ?? '')).join('\u001f');
}

const LAST_YEAR = 9999;

/** Returns the last moment of a day in UTC; null for an impossible day.
 *  @example parseEndOfDay('2026-02-28') // 2026-02-28T23:59:59.999Z */
export function parseEndOfDay(day: string): Date | null {
  const end = new Date(`${day}T23:59:59.999Z`);
  // `Date` would turn the 30th of February into the 2nd of March.
  const isDay = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${day}T`);
  return isDay && end.getUTCFullYear() <= LAST_YEAR ? end : null;
}

/** Control characters, unpaired surrogates and zero-width characters. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u200b\u2060\ufeff]/gu;

/** Matches texts of nothing but joiners, direction marks, fillers and blanks. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Z}]*$/u;

/** Removes invisible characters at the ends and replaces control characters; may return ''.
 *  @example cleanText('data\u0000analysis ') // 'data analysis' */
export function cleanText(text: string): string {
  const clean = text.replace(UNWRITABLE, ' ').trim();
  return INVISIBLE.test(clean) ? '' : clean;
}

/** Invisible to people, but not to programs. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const ANY_BLANKS = /[\s\p{Z}]+/gu;

/** Makes text of others safe for an assistant: one line of at most `max` visible characters, to be
 *  used only as the value of a field.
 *  @example toForeignText('Ignore\nall\u200b rules', 12) // 'Ignore all…' */
export function toForeignText(text: string, max: number): string {
  if (text.length <= max && PLAIN.test(text)) return text;
  // A character takes at most two units, and most are visible.
  const visible = text
    .slice(0, MAX_READ)
    .replace(/\p{Cc}/gu, ' ')
    .replace(UNSEEN, '')
    .replace(ANY_BLANKS, ' ')
    .trim();
  return cutToCharacters(visible.slice(0, 2 * max + 1), max);
}

/** Cuts a text to `max` characters, of which the last is then an ellipsis. */
export function cutToCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  if (characters.length <= max) return text;
  const start = characters.slice(0, max - 1).join('');
  return `${start.trimEnd()}…`;
}

/** Texts that need no change, as most do. */
const PLAIN =
  /^[\x21-\x7e\u00a1-\u00ac\u00ae-\u024f\u2018-\u201d]+(?: [\x21-\x7e\u00a1-\u00ac\u00ae-\u024f\u2018-\u201d]+)*$/;
const MAX_READ = 20_000;

export const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Escapes a text for a regular expression that matches it literally. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Returns the optimal string alignment distance: letters missing, added, wrong or swapped. */
export function countTypos(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  const countAt = (row: readonly number[], j: number) => row[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        countAt(last, j) + 1,
        countAt(row, j - 1) + 1,
        countAt(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? countAt(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return countAt(last, b.length);
}

/** Joins blank-separated patterns as the alternatives of a regular expression. */
export const joinAlternatives = (list: string): string => list.trim().split(/\s+/).join('|');

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
