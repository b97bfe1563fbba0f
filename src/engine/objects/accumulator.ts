import { type Bitset, hasBit } from '../bitset.ts';
import type { Source } from './posting-sources.ts';
import { seekDoc } from './seek-doc.ts';
import { SCORE_STEPS } from './weights.ts';

/** Scores of one segment's documents, term at a time. Its room is reused from query to query. */
export interface Accumulator {
  /** Add the next group: the best of its sources counts.
   *  @param admitted the documents it is added to */
  addGroup(sources: readonly Source[], idf: number, admitted: Admitted): void;
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

/** The documents a group is added to: those of a bitset, those with any group before, those with all groups before. */
export type Admitted = Bitset | 'touched' | 'complete';

/** What is kept of a document, side by side: a posting then touches one cache line instead of one for each fact. */
const SCORE = 0;
const FOUND = 1;
const EXACT = 2;
/** Worth of the current group. */
const BEST = 3;
const SHIFT = 2;

/** A list this many times longer than there are candidates is searched for them instead of read through. */
const SEEK_RATIO = 16;

export function createAccumulator(size: number): Accumulator {
  const state = new Uint32Array(size << SHIFT);
  const touched = new Uint32Array(size);
  let touchedCount = 0;
  let group = 0;
  /** Whether `touched` ascends, as seeking wants it; the several sources of one group leave it out of order. */
  let isOrdered = false;

  function addWorth(doc: number, before: number, worth: number, exactBit: number): void {
    const at = doc << SHIFT;
    const bit = 1 << group;
    state[at + EXACT]! |= exactBit;
    if ((before & bit) === 0) {
      if (before === 0) touched[touchedCount++] = doc;
      state[at + FOUND] = before | bit;
      state[at + SCORE]! += worth;
      state[at + BEST] = worth;
    } else if (worth > state[at + BEST]!) {
      state[at + SCORE]! += worth - state[at + BEST]!;
      state[at + BEST] = worth;
    }
  }

  function addAllowed({ docs, impacts, weight, isExact }: Source, idf: number, allowed: Bitset): void {
    const factor = factorOf(idf, weight);
    const exactBit = isExact ? 1 << group : 0;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (!hasBit(allowed, doc)) continue;
      addWorth(doc, state[(doc << SHIFT) + FOUND]!, factor * impacts[i]!, exactBit);
    }
  }

  function addMatched({ docs, impacts, weight, isExact }: Source, idf: number, wanted: number): void {
    const factor = factorOf(idf, weight);
    const exactBit = isExact ? 1 << group : 0;
    for (let i = 0; i < docs.length; i++) {
      const before = state[(docs[i]! << SHIFT) + FOUND]!;
      if (before !== 0 && (before & wanted) === wanted)
        addWorth(docs[i]!, before, factor * impacts[i]!, exactBit);
    }
  }

  /** As `addMatched`, from the side of the candidates. */
  function seekMatched({ docs, impacts, weight, isExact }: Source, idf: number, wanted: number): void {
    const factor = factorOf(idf, weight);
    const exactBit = isExact ? 1 << group : 0;
    if (!isOrdered) touched.subarray(0, touchedCount).sort();
    isOrdered = true;
    let position = 0;
    for (let i = 0; i < touchedCount; i++) {
      const before = state[(touched[i]! << SHIFT) + FOUND]!;
      if ((before & wanted) !== wanted) continue;
      position = seekDoc(docs, touched[i]!, position);
      if (docs[position] === touched[i]) addWorth(touched[i]!, before, factor * impacts[position]!, exactBit);
    }
  }

  return {
    touched,
    get touchedCount() {
      return touchedCount;
    },
    addGroup(sources, idf, admitted) {
      const wanted = admitted === 'complete' ? (1 << group) - 1 : 0;
      for (const source of sources) {
        if (typeof admitted !== 'string') addAllowed(source, idf, admitted);
        else if (source.docs.length > SEEK_RATIO * touchedCount) seekMatched(source, idf, wanted);
        else addMatched(source, idf, wanted);
      }
      if (typeof admitted !== 'string') isOrdered = group === 0 && sources.length === 1;
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
