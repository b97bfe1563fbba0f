import { createGrowableUint32, enlarge, groupByKey } from '#engine/arrays';
import { mixHash } from '#engine/hash';
import type { PairTable } from '../term-data.ts';
import { MAX_WINDOW_WORDS } from './read-text.ts';
import { weighLabelMatch } from './tag-weights.ts';

/** Words of 32 bits for each entry of a `PairTable`. */
const WORDS_OF_ENTRY = 2;
/** The highest step of a floor; one more fits into a byte as a bound above it. */
export const MAX_STEP = 254;
/** Steps of a unit of strength. */
const STEPS_PER_UNIT = 32;
/** A pair check has, from its highest bit on, a byte of the bound, a byte of the hash (tag) … */
const BOUND_SHIFT = 24;
const TAG_SHIFT = 16;
const BYTE = 0xff;
/** … and 16 bits for the marks of terms, one of which the text must have. */
const MARKS = 0xffff;
/** Shifts the four highest of 32 bits to the lowest. */
const MARK_SHIFT = 28;

export interface LabelMasses {
  /** Rarest first, with their weights. */
  readonly terms: readonly { readonly term: number; readonly weight: number }[];
  readonly mass: number;
  /** The minimum mass of the label that a text must have. */
  readonly needed: number;
}

/** The maximum rounding error of a mass, as a share. */
export const ROUNDING = 1e-6;
/** The bits of the filter for each place: enough to reject most pairs without a label, and few
 *  enough for the processor's cache. */
const BITS_PER_PLACE = 8;

/** @param recordStart by label: the start of its record */
export function buildPairs(readMasses: (label: number) => LabelMasses, recordStart: Uint32Array): PairTable {
  const hashes = createGrowableUint32();
  const records = createGrowableUint32();
  const checks = createGrowableUint32();
  for (let label = 0; label + 1 < recordStart.length; label++) {
    forEachPair(readMasses(label), (hash, check) => {
      hashes.push(hash);
      records.push(recordStart[label]!);
      checks.push(check);
    });
  }
  const places = 2 ** Math.ceil(Math.log2(hashes.length + 2));
  const placeOf = hashes.finish().map((hash) => hash & (places - 1));
  const { start, values: order } = groupByKey(placeOf, places);
  for (let place = 0; place < places; place++) {
    if (start[place + 1]! - start[place]! < 2) continue;
    order
      .subarray(start[place], start[place + 1])
      .sort((a, b) => readPairBound(checks.at(b)) - readPairBound(checks.at(a)) || a - b);
  }
  const entries = new Uint32Array(order.length * WORDS_OF_ENTRY);
  for (const [at, i] of order.entries()) {
    entries[at * WORDS_OF_ENTRY] = records.at(i);
    entries[at * WORDS_OF_ENTRY + 1] = checks.at(i);
  }
  const best = new Uint8Array(places);
  for (let place = 0; place < places; place++) {
    const first = start[place]!;
    if (first < start[place + 1]!) best[place] = readPairBound(entries[first * WORDS_OF_ENTRY + 1]!);
  }
  return { start, entries, best, filter: buildPairFilter(hashes.finish(), places * BITS_PER_PLACE) };
}

function buildPairFilter(hashes: Uint32Array, bits: number): Uint8Array {
  const filter = new Uint8Array(bits / 8);
  for (const hash of hashes) {
    const bit = hash & (bits - 1);
    filter[bit >>> 3]! |= 1 << (bit & 7);
  }
  return filter;
}

/** Visits each pair of terms that can be the two rarest in a text with enough of the label.
 *  @param visit receives the hash of the pair, and the label's pair check under it */
function forEachPair({ terms, mass, needed }: LabelMasses, visit: (hash: number, check: number) => void): void {
  let fromSecond = mass;
  for (let second = 1; second < terms.length; second++) {
    fromSecond -= terms[second - 1]!.weight;
    let marksAfter = 0;
    for (let after = second + 1; after < terms.length; after++) marksAfter |= markTermOfPair(terms[after]!.term);
    for (let first = 0; first < second; first++) {
      const pairMass = terms[first]!.weight + fromSecond;
      if (pairMass < needed) continue;
      const whole = second === 1;
      const share = whole ? 1 : pairMass / mass;
      const hash = hashPair(terms[first]!.term, terms[second]!.term);
      const isEnough = terms[first]!.weight + terms[second]!.weight >= needed;
      visit(
        hash,
        makePairCheck(hash, {
          strength: weighLabelMatch({ share, mass, whole, phraseMass: mass }) * (1 + ROUNDING),
          marks: isEnough ? 0 : marksAfter,
        }),
      );
    }
  }
}

/** Hashes two terms in any order: the low bits are the place, the highest byte is the tag. */
function hashPair(a: number, b: number): number {
  const low = a < b ? a : b;
  return mixHash(Math.imul(low, 0x9e3779b1) ^ (low ^ a ^ b));
}

/** Rounds a strength down to a step. */
export function toStrengthStep(strength: number): number {
  return Math.min(MAX_STEP + 1, Math.floor(strength * STEPS_PER_UNIT));
}

/** Returns one of 16 bits, by the hash of a term. */
const markTermOfPair = (term: number): number => 1 << (Math.imul(term, 0x9e3779b1) >>> MARK_SHIFT);

/** Makes the number that rejects a label under a pair before its record is read.
 *  @param hash that of the pair, as other pairs share its place
 *  @param marks those of the terms of which a text must have one, too; 0 if the pair is enough */
function makePairCheck(hash: number, { strength, marks }: { strength: number; marks: number }): number {
  const bound = Math.min(BYTE, toStrengthStep(strength) + 1);
  return ((bound << BOUND_SHIFT) | ((hash >>> 24) << TAG_SHIFT) | (marks === 0 ? MARKS : marks)) >>> 0;
}

/** Reads the upper bound of the label's strength, as a step plus one. */
const readPairBound = (check: number): number => check >>> BOUND_SHIFT;

/** Tells whether the label of an entry can be in the text. @param marks those of all its terms */
function mayHavePair(check: number, hash: number, marks: number): boolean {
  return ((check >>> TAG_SHIFT) & BYTE) === hash >>> 24 && (check & marks) !== 0;
}

const MAX_PAIRS = (MAX_WINDOW_WORDS * (MAX_WINDOW_WORDS - 1)) / 2;
const INITIAL_CAPACITY = 1024;

export interface GatheredPairs {
  records: Uint32Array;
  /** The upper bound of each label's strength, as a step plus one. */
  bounds: Uint8Array;
  /** The place of the later term of the pair among the terms of the window. */
  turns: Uint8Array;
  count: number;
}

/** Creates a function that looks up all pairs of a window's distinct terms; a result is valid
 *  until the next call. Each pair is at another place in memory, so nearly all time is spent
 *  waiting for it. Therefore each table has a branchless loop: the processor then reads many
 *  places at once. */
export function createPairGatherer({ start, entries, best, filter }: PairTable) {
  const bitMask = filter.length * 8 - 1;
  const placeMask = best.length - 1;
  const hashes = new Uint32Array(MAX_PAIRS + 1);
  const turnOf = new Uint8Array(MAX_PAIRS + 1);
  const gatherPairEntries = createEntryGatherer({ start, entries, best }, hashes, turnOf);

  /** @returns the number of pairs that some label may have */
  function selectPossiblePairs(terms: Uint32Array, termCount: number): number {
    let selected = 0;
    for (let turn = 1; turn < termCount; turn++) {
      const term = terms[turn]!;
      for (let earlier = 0; earlier < turn; earlier++) {
        const hash = hashPair(term, terms[earlier]!);
        const bit = hash & bitMask;
        hashes[selected] = hash;
        turnOf[selected] = turn;
        selected += (filter[bit >>> 3]! >>> (bit & 7)) & 1;
      }
    }
    return selected;
  }

  /** @returns the number of pairs with a label that may exceed the step */
  function selectStrongPairs(count: number, minStep: number): number {
    let selected = 0;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]!;
      hashes[selected] = hash;
      turnOf[selected] = turnOf[i]!;
      selected += best[hash & placeMask]! > minStep ? 1 : 0;
    }
    return selected;
  }

  /** @param minStep the step that the strength of a label must exceed */
  return (terms: Uint32Array, termCount: number, minStep: number): GatheredPairs => {
    const count = selectStrongPairs(selectPossiblePairs(terms, termCount), minStep);
    let marks = 0;
    for (let i = 0; i < termCount; i++) marks |= markTermOfPair(terms[i]!);
    return gatherPairEntries(count, minStep, marks);
  };
}

/** @param hashes those of the selected pairs @param turnOf the place of the later term of each */
function createEntryGatherer(
  { start, entries, best }: Pick<PairTable, 'start' | 'entries' | 'best'>,
  hashes: Uint32Array,
  turnOf: Uint8Array,
) {
  const placeMask = best.length - 1;
  const from = new Uint32Array(hashes.length);
  const to = new Uint32Array(hashes.length);
  const gathered: GatheredPairs = {
    records: new Uint32Array(INITIAL_CAPACITY),
    bounds: new Uint8Array(INITIAL_CAPACITY),
    turns: new Uint8Array(INITIAL_CAPACITY),
    count: 0,
  };

  function findPairEntries(count: number): void {
    for (let i = 0; i < count; i++) {
      const place = hashes[i]! & placeMask;
      from[i] = start[place]!;
      to[i] = start[place + 1]!;
    }
  }

  /** @param marks of all terms of the window */
  return (count: number, minStep: number, marks: number): GatheredPairs => {
    findPairEntries(count);
    gathered.count = 0;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]!;
      for (let at = from[i]!; at < to[i]!; at++) {
        const check = entries[at * WORDS_OF_ENTRY + 1]!;
        // The entries of a place are sorted by their bounds.
        if (readPairBound(check) <= minStep) break;
        if (!mayHavePair(check, hash, marks)) continue;
        if (gathered.count === gathered.records.length) enlargeGatheredPairs(gathered);
        gathered.records[gathered.count] = entries[at * WORDS_OF_ENTRY]!;
        gathered.bounds[gathered.count] = readPairBound(check);
        gathered.turns[gathered.count++] = turnOf[i]!;
      }
    }
    return gathered;
  };
}

function enlargeGatheredPairs(gathered: GatheredPairs): void {
  gathered.records = enlarge(gathered.records);
  gathered.bounds = enlarge(gathered.bounds);
  gathered.turns = enlarge(gathered.turns);
}
