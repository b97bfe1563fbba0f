import { ELISION } from './elision.ts';
import { fold } from './fold.ts';

/** A word is letters and digits; `c++`, `c#` and `f#` keep their sign, because they are names. */
const WORD = /[\p{L}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
/** The same for folded text without letters beyond ASCII, which is nearly all, in half the time. */
const ASCII_WORD = /[a-z0-9]+(?:\+\+|#(?![a-z0-9]))?/g;
const ASCII_ONLY = /^[\0-\x7f]*$/;

const HAS_APOSTROPHE = /['’]/;

/** Longest word kept whole; the rest is cut, so that no input can fill the dictionary with monsters. */
export const MAX_WORD_LENGTH = 40;

/** Folded words of a text in order. */
export function tokenize(text: string): string[] {
  const folded = fold(HAS_APOSTROPHE.test(text) ? text.replace(ELISION, '$1') : text);
  const words = folded.match(ASCII_ONLY.test(folded) ? ASCII_WORD : WORD);
  if (words === null) return [];
  return words.map(cutWord);
}

/** At most MAX_WORD_LENGTH code units, never half a letter. */
export function cutWord(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  return word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
