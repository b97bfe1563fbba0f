import { hashString } from '../../src/engine/hash.ts';
import { required } from '../required.ts';
import { type Random, zipfRank } from './random.ts';

/** Rare words: as a catalog grows, it goes on to bring words never seen before (Heaps' law). They are spliced from the
 *  halves of two real ones, so they are as long and as alike as words are. */
export interface Tail {
  draw(random: Random): string;
}

/** @param size how many rare words there are */
export function createTail(words: readonly string[], size: number): Tail {
  const long = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length >= 6);
  const pickLong = (name: string) => required(long[hashString(name) % long.length], 'word to splice');
  const wordAt = (rank: number): string => {
    const first = pickLong(`a${rank}`);
    const second = pickLong(`b${rank}`);
    return first.slice(0, Math.ceil(first.length / 2)) + second.slice(Math.floor(second.length / 2));
  };
  return { draw: (random) => wordAt(zipfRank(random, size)) };
}

/** Distinct words a catalog of so many objects has: about 60,000 at 100,000 objects and 250,000 at a million. */
export function vocabularySize(documents: number): number {
  return Math.round(60_000 * (documents / 100_000) ** 0.62);
}
