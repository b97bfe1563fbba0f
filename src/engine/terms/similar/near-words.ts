import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { GRAM_SLOTS, listGrams, measureGrams } from './grams.ts';
import { MAX_NEAR_WORDS, NEAR_WORD_FLOOR, TYPO_WEIGHT } from './weights.ts';

/** A word of the index that is similar to a word of a query. */
export interface NearWord {
  readonly word: number;
  /** Product of the n-gram vectors of the two words. */
  readonly product: number;
  /** 0 to 1. */
  readonly similarity: number;
  /** `same`: the word itself. `typo`: one edit away from a word that no label has. */
  readonly by: 'same' | 'typo' | 'grams';
}

export interface NearWords {
  /** Similar words, most similar first. */
  find(word: string): NearWord[];
  /** Only the word itself, if labels have it. */
  findSame(word: string): NearWord[];
  /** Length of the sum of the n-gram vectors of words. */
  lengthOf(words: readonly string[]): number;
}

/** Finds words of the index that are similar to a word. */
export function createNearWords({ grams, lexicon, spelling }: OpenTerms): NearWords {
  const { gramStart, gramWords, weight, wordLength } = grams;
  const product = new Float32Array(lexicon.words.length);
  const touched = new Uint32Array(lexicon.words.length);
  const count = new Uint16Array(GRAM_SLOTS);
  const lengthOf = (words: readonly string[]) => measureGrams(words.map(listGrams), weight, count);

  /** The words that share an n-gram. Their products are in `product`, and must be reset to 0. */
  function multiply(wordGrams: readonly number[]): Uint32Array {
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

  function findByGrams(word: string, length: number): NearWord[] {
    const shared = multiply(listGrams(word));
    const near: NearWord[] = [];
    for (const other of shared) {
      const similarity = Math.min(1, product[other]! / (length * wordLength[other]!));
      if (similarity >= NEAR_WORD_FLOOR) {
        near.push({
          word: other,
          product: product[other]!,
          similarity,
          by: lexicon.words[other] === word ? 'same' : 'grams',
        });
      }
      product[other] = 0;
    }
    return near;
  }

  function findTypos(word: string, length: number): NearWord[] {
    if (lexicon.findWord(word) !== NONE) return [];
    return spelling.findTypos(word).map((other) => ({
      word: other,
      product: TYPO_WEIGHT * length * wordLength[other]!,
      similarity: TYPO_WEIGHT,
      by: 'typo',
    }));
  }

  return {
    lengthOf,
    findSame(word) {
      const same = lexicon.findWord(word);
      if (same === NONE) return [];
      return [{ word: same, product: wordLength[same]! ** 2, similarity: 1, by: 'same' }];
    },
    find(word) {
      const length = lengthOf([word]);
      const typos = findTypos(word, length);
      const typoWords = new Set(typos.map((near) => near.word));
      return [...typos, ...findByGrams(word, length).filter((near) => !typoWords.has(near.word))]
        .sort((a, b) => b.similarity - a.similarity || a.word - b.word)
        .slice(0, MAX_NEAR_WORDS);
    },
  };
}
