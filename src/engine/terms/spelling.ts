import { hashString } from '../hash.ts';
import { buildTypoTable, findTypos } from '../text/typo-table.ts';
import { gramsOf, similarityOfGrams } from './grams.ts';
import type { SpellingTable } from './term-data.ts';

/** Shorter words have too few n-grams to tell by, longer ones are rarely typed. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
const MAX_TYPOS = 8;
/** Below this two words share a syllable, not a meaning. */
const MIN_GRAM_SIMILARITY = 0.4;
const MAX_GRAM_WORDS = 8;
/** Words looked at closer, of those that share any trigram. */
const MAX_GRAM_CANDIDATES = 64;
const BUCKETS = 2 ** 16;
const HAS_DIGIT_OR_SIGN = /[\d+#]/;

export interface NearWord {
  /** Ordinal in the vocabulary. */
  readonly word: number;
  /** 0 to 1. */
  readonly similarity: number;
}

/** Tables by which a word finds those it may have been meant for. Words of fewer than 4 letters are left out. */
export function buildSpelling(words: readonly string[]): SpellingTable {
  return { ...buildTypoTable(words), ...buildGrams(words) };
}

function hasGrams(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !HAS_DIGIT_OR_SIGN.test(word);
}

export interface Spelling {
  /** Words one edit away, in the order of the alphabet; never the word itself. */
  findTypos(word: string): number[];
  /** Words that share many character 3- to 5-grams, most alike first; never the word itself. */
  findWordsByGrams(word: string): NearWord[];
}

export function openSpelling(table: SpellingTable, words: readonly string[]): Spelling {
  // Scratch, clean between calls.
  const shared = new Uint8Array(words.length);

  /** Trigrams of frequent endings are in a tenth of all words, so they are counted in an array, not in a map. */
  function wordsSharingTrigrams(word: string): number[] {
    const { gramStart, gramWords } = table;
    const enough = Math.max(2, Math.ceil(word.length * 0.3));
    const touched: number[] = [];
    const buckets = trigramBuckets(word);
    for (const bucket of buckets) {
      for (let i = gramStart[bucket]!; i < gramStart[bucket + 1]!; i++) {
        if (++shared[gramWords[i]!]! === enough) touched.push(gramWords[i]!);
      }
    }
    touched.sort((a, b) => shared[b]! - shared[a]! || a - b);
    for (const bucket of buckets) {
      for (let i = gramStart[bucket]!; i < gramStart[bucket + 1]!; i++) shared[gramWords[i]!] = 0;
    }
    return touched.slice(0, MAX_GRAM_CANDIDATES);
  }

  return {
    findTypos(word) {
      const near = findTypos(table, word, (other) => words[other]!);
      return Array.from(near.filter((other) => words[other] !== word).subarray(0, MAX_TYPOS));
    },
    findWordsByGrams(word) {
      if (!hasGrams(word)) return [];
      const grams = gramsOf(word);
      return wordsSharingTrigrams(word)
        .filter((near) => words[near] !== word)
        .map((near) => ({ word: near, similarity: similarityOfGrams(grams, words[near]!) }))
        .filter(({ similarity }) => similarity >= MIN_GRAM_SIMILARITY)
        .sort((a, b) => b.similarity - a.similarity || a.word - b.word)
        .slice(0, MAX_GRAM_WORDS);
    },
  };
}

function trigramBuckets(word: string): Set<number> {
  const padded = ` ${word} `;
  const buckets = new Set<number>();
  for (let i = 0; i + 3 <= padded.length; i++) buckets.add(hashString(padded.slice(i, i + 3)) % BUCKETS);
  return buckets;
}

function buildGrams(words: readonly string[]): Pick<SpellingTable, 'gramStart' | 'gramWords'> {
  const gramStart = new Uint32Array(BUCKETS + 1);
  for (const word of words) {
    if (hasGrams(word)) for (const bucket of trigramBuckets(word)) gramStart[bucket + 1]!++;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) gramStart[bucket + 1]! += gramStart[bucket]!;
  const next = gramStart.slice();
  const gramWords = new Uint32Array(gramStart[BUCKETS]!);
  for (const [ordinal, word] of words.entries()) {
    if (hasGrams(word)) for (const bucket of trigramBuckets(word)) gramWords[next[bucket]!++] = ordinal;
  }
  return { gramStart, gramWords };
}
