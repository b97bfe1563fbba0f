import { createGrowableUint32 } from '#engine/arrays';
import { mixBits } from '#engine/hash';
import type { PairTable } from '../term-data.ts';
import { weighTagWord } from './tag-weights.ts';

/** Numbers of 32 bits for each entry of a `PairTable`. */
export const WORDS_OF_ENTRY = 2;
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
export function hashPair(one: number, other: number): number {
  const low = one < other ? one : other;
  return mixBits(Math.imul(low, 0x9e3779b1) ^ (low ^ one ^ other));
}

/** The highest byte that stands for strengths below this one only. */
export function toPairStrengthStep(strength: number): number {
  return Math.min(MOST_STEPS + 1, Math.floor(strength * STEPS_PER_UNIT));
}

/** One of 16 bits for a term. */
export function markTermOfPair(term: number): number {
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
export function readPairBound(check: number): number {
  return check >>> BOUND_SHIFT;
}

/** @param marks of all terms of the text */
export function mayPairHold(check: number, hash: number, marks: number): boolean {
  return ((check >>> TAG_SHIFT) & BYTE) === hash >>> 24 && (check & marks) !== 0;
}
