import { fold } from './fold.ts';
import { termOf } from './term.ts';
import { cutWord } from './tokenize.ts';

const WORD = /[\p{L}\p{N}\p{M}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;

/** Half-open ranges of UTF-16 offsets of the words of a text whose term is among `terms`, ascending. */
export function findMatches(
  text: string,
  lang: string,
  terms: ReadonlySet<string>,
): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (terms.has(termOf(cutWord(fold(word)), lang))) ranges.push([index, index + word.length]);
  }
  return ranges;
}
