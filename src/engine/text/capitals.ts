import { fold } from './fold.ts';

/** A word of two and more capitals and digits, with the `s` of a plural or without: `IT`, `APIs`. */
const ASCII_CAPITALS = /\b[A-Z][A-Z0-9]+(?=s?\b)/g;
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?=s?(?![\p{L}\p{N}]))/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const NOTHING: ReadonlySet<string> = new Set();

/** The words that a text writes in capitals, folded. */
export function wordsInCapitals(text: string): ReadonlySet<string> {
  const found = text.match(ASCII_ONLY.test(text) ? ASCII_CAPITALS : CAPITALS);
  return found === null ? NOTHING : new Set(found.map(fold));
}
