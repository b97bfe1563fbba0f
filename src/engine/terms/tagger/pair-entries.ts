import { mixBits } from '../../hash.ts';

/** Numbers of 32 bits for each entry of a `PairTable`. */
export const WORDS_OF_ENTRY = 2;
/** The highest bound that a byte can hold and a floor can still lie under. */
export const MOST_STEPS = 254;
/** Strengths in a byte are rounded up to steps. */
const STEPS_PER_UNIT = 32;
const BOUND_SHIFT = 24;
const TAG_SHIFT = 16;
const BYTE = 0xff;
/** Of `pairCheck`: the marks of the terms of which a text must have one. */
const MARKS = 0xffff;
/** Takes the four highest of 32 bits. */
const MARK_SHIFT = 28;

/** Of two terms in either order; its low bits are the pair's place, its highest byte the tag. */
export function pairHash(one: number, other: number): number {
  const low = one < other ? one : other;
  return mixBits(Math.imul(low, 0x9e3779b1) ^ (low ^ one ^ other));
}

/** The highest byte that stands for strengths below this one only. */
export function strengthStep(strength: number): number {
  return Math.min(MOST_STEPS + 1, Math.floor(strength * STEPS_PER_UNIT));
}

/** One of 16 bits for a term. */
export function markOf(term: number): number {
  return 1 << (Math.imul(term, 0x9e3779b1) >>> MARK_SHIFT);
}

/** What is known of a label under a pair without a look at its record, in one number.
 *  @param hash of the pair: other pairs share its place
 *  @param marks of the terms of which a text must have one beside the pair; 0 where the pair is enough */
export function pairCheck(hash: number, { strength, marks }: { strength: number; marks: number }): number {
  const bound = Math.min(BYTE, strengthStep(strength) + 1);
  return ((bound << BOUND_SHIFT) | ((hash >>> 24) << TAG_SHIFT) | (marks === 0 ? MARKS : marks)) >>> 0;
}

/** The most that the label can be worth, as a `strengthStep` and one. */
export function boundOf(check: number): number {
  return check >>> BOUND_SHIFT;
}

/** @param marks of all terms of the text */
export function mayHold(check: number, hash: number, marks: number): boolean {
  return ((check >>> TAG_SHIFT) & BYTE) === hash >>> 24 && (check & marks) !== 0;
}
