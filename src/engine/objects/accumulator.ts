import { type Bitset, hasBit } from '../bitset.ts';
import type { Source } from './posting-sources.ts';
import { SCORE_STEPS } from './weights.ts';

/** Scores of one segment's documents, term at a time. Its room is reused from query to query. */
export interface Accumulator {
  /** Add a group: the best of its sources counts. With `onlyMatched`, only documents that have all groups before. */
  addGroup(sources: readonly Source[], idf: number, allowed: Bitset, onlyMatched: boolean): void;
  /** Documents with any group, in no order. */
  readonly touched: Uint32Array;
  readonly touchedCount: number;
  score(doc: number): number;
  /** Bit g is set when group g was found, exactly or by a guess. */
  groups(doc: number): number;
  /** Bit g is set when group g was found exactly. */
  exactGroups(doc: number): number;
  /** Forget the query. */
  clear(): void;
}

/** What is kept of a document, side by side: a posting then touches one cache line instead of one for each fact. */
const SCORE = 0;
const FOUND = 1;
const EXACT = 2;
/** Worth of the current group. */
const BEST = 3;
const SHIFT = 2;

export function createAccumulator(size: number): Accumulator {
  const state = new Uint32Array(size << SHIFT);
  const touched = new Uint32Array(size);
  let touchedCount = 0;
  let group = 0;

  function addSingle(
    { docs, impacts, weight, isExact }: Source,
    idf: number,
    allowed: Bitset,
    wanted: number,
  ) {
    const bit = 1 << group;
    const exactBit = isExact ? bit : 0;
    const factor = factorOf(idf, weight);
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const at = doc << SHIFT;
      const before = state[at + FOUND]!;
      if (wanted !== 0 ? before !== wanted : !hasBit(allowed, doc)) continue;
      if (before === 0) touched[touchedCount++] = doc;
      state[at + SCORE]! += factor * impacts[i]!;
      state[at + FOUND] = before | bit;
      state[at + EXACT]! |= exactBit;
    }
  }

  function addBestOf(source: Source, idf: number, allowed: Bitset, wanted: number) {
    const { docs, impacts, weight, isExact } = source;
    const bit = 1 << group;
    const exactBit = isExact ? bit : 0;
    const factor = factorOf(idf, weight);
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const at = doc << SHIFT;
      const before = state[at + FOUND]!;
      if (wanted !== 0 ? (before & ~bit) !== wanted : !hasBit(allowed, doc)) continue;
      if ((before & bit) === 0) {
        if (before === 0) touched[touchedCount++] = doc;
        state[at + FOUND] = before | bit;
        state[at + BEST] = 0;
      }
      state[at + EXACT]! |= exactBit;
      const worth = factor * impacts[i]!;
      const best = state[at + BEST]!;
      if (worth > best) {
        state[at + SCORE]! += worth - best;
        state[at + BEST] = worth;
      }
    }
  }

  return {
    touched,
    get touchedCount() {
      return touchedCount;
    },
    addGroup(sources, idf, allowed, onlyMatched) {
      const wanted = onlyMatched ? 2 ** group - 1 : 0;
      const add = sources.length === 1 ? addSingle : addBestOf;
      for (const source of sources) add(source, idf, allowed, wanted);
      group++;
    },
    score: (doc) => state[(doc << SHIFT) + SCORE]! / (255 * SCORE_STEPS),
    groups: (doc) => state[(doc << SHIFT) + FOUND]!,
    exactGroups: (doc) => state[(doc << SHIFT) + EXACT]!,
    clear() {
      for (let i = 0; i < touchedCount; i++) {
        const at = touched[i]! << SHIFT;
        state[at + SCORE] = 0;
        state[at + FOUND] = 0;
        state[at + EXACT] = 0;
      }
      touchedCount = 0;
      group = 0;
    },
  };
}

/** Whole steps, see SCORE_STEPS; at least one, so that no match is worth nothing. */
function factorOf(idf: number, weight: number): number {
  return Math.max(1, Math.round(idf * weight * SCORE_STEPS));
}
