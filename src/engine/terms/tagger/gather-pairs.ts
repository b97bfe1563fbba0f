import type { PairTable } from '../term-data.ts';
import { hashPair, markTermOfPair, mayPairHold, readPairBound, WORDS_OF_ENTRY } from './pair-table.ts';
import { MAX_WINDOW_WORDS } from './windows.ts';

const MAX_PAIRS = (MAX_WINDOW_WORDS * (MAX_WINDOW_WORDS - 1)) / 2;
const FIRST_ROOM = 1024;

/** The entries under the pairs of a window, in the order of the pairs. */
export interface GatheredPairs {
  /** Where each record begins. */
  records: Uint32Array;
  /** The most that each label can be worth, as a `toPairStrengthStep` plus one. */
  bounds: Uint8Array;
  /** Place of the later of the pair's terms. */
  turns: Uint8Array;
  count: number;
}

/** Looks up the pairs of a window's terms. One for all calls: an answer holds until the next one is asked for.
 *
 *  Nearly all of its time would go to waiting for memory, since each pair lies somewhere else. So there is a loop for each of
 *  the tables, and what passes it is kept without a branch: the processor then asks for many places at once. */
export function createPairGatherer({ start, entries, best, isKnown }: PairTable) {
  const placeMask = best.length - 1;
  const bitMask = isKnown.length * 8 - 1;
  const hashes = new Uint32Array(MAX_PAIRS + 1);
  const turnOf = new Uint8Array(MAX_PAIRS + 1);
  const from = new Uint32Array(MAX_PAIRS + 1);
  const to = new Uint32Array(MAX_PAIRS + 1);
  const gathered: GatheredPairs = {
    records: new Uint32Array(FIRST_ROOM),
    bounds: new Uint8Array(FIRST_ROOM),
    turns: new Uint8Array(FIRST_ROOM),
    count: 0,
  };

  /** @return how many pairs some label may have */
  function findKnown(terms: Uint32Array, termCount: number): number {
    let kept = 0;
    for (let turn = 1; turn < termCount; turn++) {
      const term = terms[turn]!;
      for (let other = 0; other < turn; other++) {
        const hash = hashPair(term, terms[other]!);
        const bit = hash & bitMask;
        hashes[kept] = hash;
        turnOf[kept] = turn;
        kept += (isKnown[bit >>> 3]! >>> (bit & 7)) & 1;
      }
    }
    return kept;
  }

  /** @return how many have a label that is worth more than the step */
  function findWorthy(count: number, leastStep: number): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]!;
      hashes[kept] = hash;
      turnOf[kept] = turnOf[i]!;
      kept += best[hash & placeMask]! > leastStep ? 1 : 0;
    }
    return kept;
  }

  function findPlaces(count: number): void {
    for (let i = 0; i < count; i++) {
      const place = hashes[i]! & placeMask;
      from[i] = start[place]!;
      to[i] = start[place + 1]!;
    }
  }

  function push(record: number, bound: number, turn: number): void {
    if (gathered.count === gathered.records.length) makeRoom(gathered);
    gathered.records[gathered.count] = record;
    gathered.bounds[gathered.count] = bound;
    gathered.turns[gathered.count++] = turn;
  }

  /** @param terms distinct
   *  @param leastStep labels that cannot be worth more are left out */
  return (terms: Uint32Array, termCount: number, leastStep: number): GatheredPairs => {
    gathered.count = 0;
    let marks = 0;
    for (let i = 0; i < termCount; i++) marks |= markTermOfPair(terms[i]!);
    const count = findWorthy(findKnown(terms, termCount), leastStep);
    findPlaces(count);
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]!;
      for (let at = from[i]!; at < to[i]!; at++) {
        const check = entries[at * WORDS_OF_ENTRY + 1]!;
        // The others are weaker still.
        if (readPairBound(check) <= leastStep) break;
        if (mayPairHold(check, hash, marks))
          push(entries[at * WORDS_OF_ENTRY]!, readPairBound(check), turnOf[i]!);
      }
    }
    return gathered;
  };
}

function makeRoom(gathered: GatheredPairs): void {
  const { records, bounds, turns, count } = gathered;
  gathered.records = new Uint32Array(count * 2);
  gathered.bounds = new Uint8Array(count * 2);
  gathered.turns = new Uint8Array(count * 2);
  gathered.records.set(records);
  gathered.bounds.set(bounds);
  gathered.turns.set(turns);
}
