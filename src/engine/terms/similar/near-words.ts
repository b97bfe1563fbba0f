import { findLabelTypos, type OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { GRAM_SLOTS, listGrams, measureGrams } from './grams.ts';
import { MAX_NEAR_WORDS, NEAR_WORD_FLOOR, TYPO_WEIGHT } from './weights.ts';

export interface NearWord {
  /** Its ordinal. */
  readonly word: number;
  /** The dot product of its n-gram vector and that of the query word. */
  readonly product: number;
  /** 0 to 1. */
  readonly similarity: number;
  /** `typo`: no label has the query word, which may be a typo of it. `grams`: shares n-grams. */
  readonly by: 'same' | 'typo' | 'grams';
}

export type NearWords = ReturnType<typeof openNearWords>;

/** Adds the working memory to an index. */
export function openNearWords(terms: OpenTerms) {
  const { length } = terms.lexicon.words;
  return {
    terms,
    /** By word: the product of its n-gram vector with that of the query word; 0 between
     *  searches. */
    product: new Float32Array(length),
    /** The words with a product; only the entries that the current search wrote are valid. */
    touched: new Uint32Array(length),
    gramCounts: new Uint16Array(GRAM_SLOTS),
  };
}

/** Measures the length of the sum of the n-gram vectors of words. */
export function measureWords({ terms, gramCounts }: NearWords, words: readonly string[]): number {
  return measureGrams(words.map(listGrams), terms.grams.weight, gramCounts);
}

/** Returns the word itself as the only near word; empty if no label has it. */
export function findSameWord({ terms: { lexicon, grams } }: NearWords, word: string): NearWord[] {
  const same = lexicon.findWord(word);
  if (same === NONE) return [];
  return [{ word: same, product: grams.wordLength[same]! ** 2, similarity: 1, by: 'same' }];
}

/** Finds the words of labels that resemble a word, the most similar first. */
export function findNearWords(index: NearWords, word: string): NearWord[] {
  const length = measureWords(index, [word]);
  const typos = findNearTypos(index.terms, word, length);
  const typoWords = new Set(typos.map((near) => near.word));
  const byGrams = findNearWordsByGrams(index, word, length).filter((near) => !typoWords.has(near.word));
  return [...typos, ...byGrams].sort((a, b) => b.similarity - a.similarity || a.word - b.word).slice(0, MAX_NEAR_WORDS);
}

function findNearTypos(terms: OpenTerms, word: string, length: number): NearWord[] {
  const { lexicon, grams } = terms;
  if (lexicon.findWord(word) !== NONE) return [];
  return findLabelTypos(terms, word).map((near) => ({
    word: near,
    product: TYPO_WEIGHT * length * grams.wordLength[near]!,
    similarity: TYPO_WEIGHT,
    by: 'typo',
  }));
}

function findNearWordsByGrams(index: NearWords, word: string, length: number): NearWord[] {
  const { terms, product } = index;
  const nearWords: NearWord[] = [];
  for (const near of multiplyGrams(index, listGrams(word))) {
    const similarity = Math.min(1, product[near]! / (length * terms.grams.wordLength[near]!));
    if (similarity >= NEAR_WORD_FLOOR) {
      const by = terms.lexicon.words[near] === word ? 'same' : 'grams';
      nearWords.push({ word: near, product: product[near]!, similarity, by });
    }
    product[near] = 0;
  }
  return nearWords;
}

/** Multiplies a word with all words that share an n-gram. @returns these words, whose products the
 *  caller must reset to 0 */
function multiplyGrams({ terms, product, touched }: NearWords, wordGrams: readonly number[]): Uint32Array {
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
