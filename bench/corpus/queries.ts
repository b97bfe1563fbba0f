import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { isStopword } from '../../src/engine/text/stopwords.ts';
import { tokenize } from '../../src/engine/text/tokenize.ts';
import { types } from './generate.ts';
import { below, createRandom, pick, type Random } from './random.ts';

export const kinds = ['any-term', 'all-terms', 'prefix', 'typo'] as const;
export type Kind = (typeof kinds)[number];

export interface BenchQuery {
  readonly kind: Kind;
  readonly keywords: string;
  /** The filter, which a quarter of the documents meets. */
  readonly type: string;
}

/** The same 1 to 3 words of a title four times: as they are (twice), with the last one begun, and
 *  with one mistyped. */
export function makeQueries(sample: readonly ObjectDocument[], count: number): Record<Kind, BenchQuery[]> {
  const random = createRandom(4);
  const queries: Record<Kind, BenchQuery[]> = { 'any-term': [], 'all-terms': [], prefix: [], typo: [] };
  while (queries.typo.length < count) {
    const words = wordsOf(pick(random, sample), random);
    if (words === null) continue;
    const type = pick(random, types);
    const add = (kind: Kind, changed: readonly string[]) =>
      queries[kind].push({ kind, keywords: changed.join(' '), type });
    add('any-term', words);
    add('all-terms', words);
    add('prefix', [...words.slice(0, -1), begin(words.at(-1) ?? '')]);
    add('typo', mistypeLongest(words, random));
  }
  return queries;
}

/** Neighbouring words of a title, the last of them long enough to be begun or mistyped; null where
 *  there are none. */
function wordsOf(document: ObjectDocument, random: Random): string[] | null {
  const words = tokenize(fold(document.title)).filter((word) => !isStopword(word) && /^\p{L}{3,}$/u.test(word));
  const length = 1 + below(random, 3);
  const start = below(random, Math.max(1, words.length - length + 1));
  const chosen = [...new Set(words.slice(start, start + length))];
  return chosen.some((word) => word.length >= 5) && (chosen.at(-1)?.length ?? 0) >= 4 ? chosen : null;
}

function begin(word: string): string {
  return word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)));
}

function mistypeLongest(words: readonly string[], random: Random): string[] {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
  return words.map((word) => (word === longest ? mistype(word, random) : word));
}

/** One letter left out, doubled, replaced, or swapped with its neighbour; never the first. */
function mistype(word: string, random: Random): string {
  const at = 1 + below(random, word.length - 2);
  const edits = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at + 1) + word.slice(at),
    `${word.slice(0, at)}x${word.slice(at + 1)}`,
    word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ];
  return pick(random, edits);
}
