import { findTypos, type TypoTable } from '../text/typo-table.ts';

/** Short words have many; a label of several words has but few of them. */
const MAX_TYPOS = 32;

export interface Spelling {
  /** Words one edit away, in the order of the alphabet; never the word itself. Words of fewer than 4 letters are left out. */
  findTypos(word: string): number[];
}

export function openSpelling(table: TypoTable, words: readonly string[]): Spelling {
  return {
    findTypos(word) {
      const near = findTypos(table, word, (other) => words[other]!);
      return Array.from(near.filter((other) => words[other] !== word).subarray(0, MAX_TYPOS));
    },
  };
}
