import { createGrowableUint32 } from '#engine/arrays';
import { mixBits } from '#engine/hash';
import type { PairTable } from '../term-data.ts';
import { MAX_WINDOW_WORDS } from './read-text.ts';
import { weighTagWord } from './tag-weights.ts';

/** Numbers of 32 bits for each entry of a `PairTable`. */
const WORDS_OF_ENTRY = 2;
/** The highest bound that a byte can hold and a floor can still lie under. */
export const MOST_STEPS = 254;
/** Strengths in a byte are rounded up to steps. */
const STEPS_PER_UNIT = 32;
const BOUND_SHIFT = 24;
const TAG_SHIFT = 16;
const BYTE = 0xff;
/** The low bits of a `pairCheck`: marks of the terms, one of which a text must have. */
const MARKS = 0xffff;
/** Takes the four highest of 32 bits. */
const MARK_SHIFT = 28;

/** A label as its record has it. */
export interface LabelMasses {
  /** Rarest first, with their weights. */
  readonly terms: readonly { readonly term: number; readonly weight: number }[];
  readonly mass: number;
  /** The least that a text about the label has of it. */
  readonly needed: number;
}

/** Share of a mass that rounding may take away. */
export const ROUNDING = 1e-6;
/** With this many bits for each place, the processor's cache suffices to reject most pairs that no label has. */
const BITS_PER_PLACE = 8;

/** What each place holds, strongest first.
 *  @param recordStart by label */
export function buildPairs(massesOf: (label: number) => LabelMasses, recordStart: Uint32Array): PairTable {
  const hashes = createGrowableUint32();
  const found = createGrowableUint32();
  const checks = createGrowableUint32();
  for (let label = 0; label + 1 < recordStart.length; label++) {
    forPairs(massesOf(label), (hash, check) => {
      hashes.push(hash);
      found.push(recordStart[label]!);
      checks.push(check);
    });
  }
  const places = 2 ** Math.ceil(Math.log2(hashes.length + 2));
  const { start, order } = groupByPlace(hashes.finish(), places);
  for (let place = 0; place < places; place++) {
    if (start[place + 1]! - start[place]! < 2) continue;
    order
      .subarray(start[place], start[place + 1])
      .sort((a, b) => readPairBound(checks.at(b)) - readPairBound(checks.at(a)) || a - b);
  }
  const entries = new Uint32Array(order.length * WORDS_OF_ENTRY);
  for (const [at, i] of order.entries()) {
    entries[at * WORDS_OF_ENTRY] = found.at(i);
    entries[at * WORDS_OF_ENTRY + 1] = checks.at(i);
  }
  const best = new Uint8Array(places);
  for (let place = 0; place < places; place++) {
    const first = start[place]!;
    if (first < start[place + 1]!) best[place] = readPairBound(entries[first * WORDS_OF_ENTRY + 1]!);
  }
  return { start, entries, best, isKnown: markKnown(hashes.finish(), places * BITS_PER_PLACE) };
}

function markKnown(hashes: Uint32Array, bits: number): Uint8Array {
  const isKnown = new Uint8Array(bits / 8);
  for (const hash of hashes) {
    const bit = hash & (bits - 1);
    isKnown[bit >>> 3]! |= 1 << (bit & 7);
  }
  return isKnown;
}

/** Numbers of the hashes in the order of their places. */
function groupByPlace(hashes: Uint32Array, places: number): { start: Uint32Array; order: Uint32Array } {
  const start = new Uint32Array(places + 1);
  for (const hash of hashes) start[(hash & (places - 1)) + 1]!++;
  for (let place = 0; place < places; place++) start[place + 1]! += start[place]!;
  const next = start.slice();
  const order = new Uint32Array(hashes.length);
  for (let i = 0; i < hashes.length; i++) order[next[hashes[i]! & (places - 1)]!++] = i;
  return { start, order };
}

/** A text that has enough of the label has a first and a second rarest of its terms; the others it has come after those.
 *  @param visit is given the hash of the two, and the `pairCheck` of the label under it */
function forPairs({ terms, mass, needed }: LabelMasses, visit: (hash: number, check: number) => void): void {
  let fromSecond = mass;
  for (let second = 1; second < terms.length; second++) {
    fromSecond -= terms[second - 1]!.weight;
    let marksAfter = 0;
    for (let after = second + 1; after < terms.length; after++)
      marksAfter |= markTermOfPair(terms[after]!.term);
    for (let first = 0; first < second; first++) {
      const found = terms[first]!.weight + fromSecond;
      if (found < needed) continue;
      const whole = second === 1;
      const share = whole ? 1 : found / mass;
      const hash = hashPair(terms[first]!.term, terms[second]!.term);
      const isEnough = terms[first]!.weight + terms[second]!.weight >= needed;
      visit(
        hash,
        pairCheck(hash, {
          strength: weighTagWord({ share, mass, whole, phraseMass: mass }) * (1 + ROUNDING),
          marks: isEnough ? 0 : marksAfter,
        }),
      );
    }
  }
}

/** Of two terms in either order; its low bits are the pair's place, its highest byte the tag. */
function hashPair(one: number, other: number): number {
  const low = one < other ? one : other;
  return mixBits(Math.imul(low, 0x9e3779b1) ^ (low ^ one ^ other));
}

/** The highest byte that stands for strengths below this one only. */
export function toPairStrengthStep(strength: number): number {
  return Math.min(MOST_STEPS + 1, Math.floor(strength * STEPS_PER_UNIT));
}

/** One of 16 bits for a term. */
function markTermOfPair(term: number): number {
  return 1 << (Math.imul(term, 0x9e3779b1) >>> MARK_SHIFT);
}

/** What is known of a label under a pair without a look at its record, in one number.
 *  @param hash of the pair: other pairs share its place
 *  @param marks of the terms, one of which a text must have beside the pair; 0 where the pair is enough */
function pairCheck(hash: number, { strength, marks }: { strength: number; marks: number }): number {
  const bound = Math.min(BYTE, toPairStrengthStep(strength) + 1);
  return ((bound << BOUND_SHIFT) | ((hash >>> 24) << TAG_SHIFT) | (marks === 0 ? MARKS : marks)) >>> 0;
}

/** The most that the label can be worth, as a `toPairStrengthStep` plus one. */
function readPairBound(check: number): number {
  return check >>> BOUND_SHIFT;
}

/** @param marks of all terms of the text */
function mayPairHold(check: number, hash: number, marks: number): boolean {
  return ((check >>> TAG_SHIFT) & BYTE) === hash >>> 24 && (check & marks) !== 0;
}

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
