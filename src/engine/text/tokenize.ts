import { fold } from './fold.ts';

/** Letters and digits; `c++`, `c#` and `f#` keep their sign, because they are names. */
const WORD = /[\p{L}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
/** The same for folded ASCII, which nearly all text is, in half the time. */
const ASCII_WORD = /[a-z0-9]+(?:\+\+|#(?![a-z0-9]))?/g;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const HAS_APOSTROPHE = /['’]/;

/** By byte of folded ASCII: 1 for letters and digits. */
export const isAsciiLetter = new Uint8Array(256);
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') isAsciiLetter[letter.charCodeAt(0)] = 1;

/** Articles and pronouns that French and Italian join to the next word with an apostrophe. */
const ELIDED = "(^|[^\\p{L}\\p{N}])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|all|dall|dell|nell|sull|un)['’]";

/** An elided word before its noun (`l'analyse`). The first group is the character before it. */
const ELISION = new RegExp(`${ELIDED}(?=\\p{L})`, 'giu');

/** An elided word at the end of a text that is being typed (`gestion d'`). The first group is the
 *  character before it. */
export const OPEN_ELISION = new RegExp(`${ELIDED}\\s*$`, 'iu');

/** The code units after which words are cut, so that no input fills the vocabulary. */
export const MAX_WORD_LENGTH = 40;

/** The words of a query after which further ones are ignored. */
export const MAX_QUERY_WORDS = 24;

/** A word of capitals and digits, with or without the `s` of a plural: `IT`, `APIs`. */
const ASCII_CAPITALS = /\b[A-Z][A-Z0-9]+(?=s?\b)/g;
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?=s?(?![\p{L}\p{N}]))/gu;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Splits a text into its folded words, in order.
 *  @example tokenize("L'analyse en C++") // ['analyse', 'en', 'c++'] */
export function tokenize(text: string): string[] {
  const folded = fold(dropElisions(text));
  const words = folded.match(ASCII_ONLY.test(folded) ? ASCII_WORD : WORD);
  if (words === null) return [];
  return words.map(cutToken);
}

/** Removes elided words: `l'analyse` becomes `analyse`. */
export function dropElisions(text: string): string {
  return HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text;
}

/** Cuts a word after MAX_WORD_LENGTH code units, without half a surrogate pair at the end. */
export function cutToken(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  return word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** Finds the words in capitals, folded. @example findCapitalTokens('IT and APIs') // it, api */
export function findCapitalTokens(text: string): ReadonlySet<string> {
  const capitals = text.match(ASCII_ONLY.test(text) ? ASCII_CAPITALS : CAPITALS);
  return capitals === null ? NO_WORDS : new Set(capitals.map(fold));
}
