import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { GRAM_SLOTS, listGrams, measureGrams } from './grams.ts';
import { MAX_NEAR_WORDS, NEAR_WORD_FLOOR, TYPO_WEIGHT } from './weights.ts';

/** A word of the index that is similar to a word of a query. */
export interface NearWord {
  readonly word: number;
  /** Dot product of the n-gram vectors of the two words. */
  readonly product: number;
  /** Similarity of the two words, from 0 to 1. */
  readonly similarity: number;
  /** How the word matches. `same`: it is the word of the query. `typo`: it is one edit away from a
   *  word of the query that no label has. `grams`: it shares n-grams. */
  readonly by: 'same' | 'typo' | 'grams';
}

export interface NearWords {
  /** Similar words, most similar first. */
  find(word: string): NearWord[];
  /** Finds only the word itself, if a label has it. */
  findSame(word: string): NearWord[];
  /** Length of the sum of the n-gram vectors of words. */
  lengthOf(words: readonly string[]): number;
}

/** The index and the working memory of a search. */
interface Search {
  readonly terms: OpenTerms;
  /** By word: the product of its n-gram vector with that of the query word; zeros between
   *  searches. */
  readonly product: Float32Array;
  /** Words with a product; only the entries that the current search wrote are valid. */
  readonly touched: Uint32Array;
}

/** Finds words of the index that are similar to a word. */
export function createNearWords(terms: OpenTerms): NearWords {
  const { grams, lexicon } = terms;
  const wordCount = lexicon.words.length;
  const search: Search = {
    terms,
    product: new Float32Array(wordCount),
    touched: new Uint32Array(wordCount),
  };
  const gramCounts = new Uint16Array(GRAM_SLOTS);
  const lengthOf = (words: readonly string[]) => measureGrams(words.map(listGrams), grams.weight, gramCounts);
  return {
    lengthOf,
    findSame(word) {
      const same = lexicon.findWord(word);
      if (same === NONE) return [];
      return [{ word: same, product: grams.wordLength[same]! ** 2, similarity: 1, by: 'same' }];
    },
    find(word) {
      const length = lengthOf([word]);
      const typos = findTypos(terms, word, length);
      const typoWords = new Set(typos.map((near) => near.word));
      const byGrams = findByGrams(search, word, length).filter((near) => !typoWords.has(near.word));
      return [...typos, ...byGrams]
        .sort((a, b) => b.similarity - a.similarity || a.word - b.word)
        .slice(0, MAX_NEAR_WORDS);
    },
  };
}

/** @param length length of the word's n-gram vector */
function findTypos({ lexicon, spelling, grams }: OpenTerms, word: string, length: number): NearWord[] {
  if (lexicon.findWord(word) !== NONE) return [];
  return spelling.findTypos(word).map((other) => ({
    word: other,
    product: TYPO_WEIGHT * length * grams.wordLength[other]!,
    similarity: TYPO_WEIGHT,
    by: 'typo',
  }));
}

/** @param length length of the word's n-gram vector */
function findByGrams(search: Search, word: string, length: number): NearWord[] {
  const { terms, product } = search;
  const near: NearWord[] = [];
  for (const other of multiplyGrams(search, listGrams(word))) {
    const similarity = Math.min(1, product[other]! / (length * terms.grams.wordLength[other]!));
    if (similarity >= NEAR_WORD_FLOOR) {
      const by = terms.lexicon.words[other] === word ? 'same' : 'grams';
      near.push({ word: other, product: product[other]!, similarity, by });
    }
    product[other] = 0;
  }
  return near;
}

/** Adds up the dot products of a word and all words that share an n-gram with it.
 *  @returns these words; the caller must reset their products to 0 */
function multiplyGrams({ terms, product, touched }: Search, wordGrams: readonly number[]): Uint32Array {
  const { gramStart, gramWords, weight } = terms.grams;
  let size = 0;
  for (const gram of wordGrams) {
    const worth = weight[gram]!;
    for (let at = gramStart[gram]!; at < gramStart[gram + 1]!; at++) {
      const word = gramWords[at]!;
      if (product[word] === 0) touched[size++] = word;
      product[word]! += worth;
    }
  }
  return touched.subarray(0, size);
}
