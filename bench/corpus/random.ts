import { required } from '../required.ts';
/** A source of numbers from 0 to 1 (excluded) that gives the same ones for the same seed on every machine. */
export type Random = () => number;

/** Source: Tommy Ettinger, mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `end`, excluded. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** Any item of a list that is not empty. */
export function pick<T extends {}>(random: Random, list: readonly T[]): T {
  return required(list[below(random, list.length)], 'item to pick');
}

/** A rank from 0 to `size`, excluded, by Zipf's law with exponent 1: rank r about 1 / (r + 1). */
export function zipfRank(random: Random, size: number): number {
  return Math.min(size - 1, Math.floor((size + 1) ** random()) - 1);
}
