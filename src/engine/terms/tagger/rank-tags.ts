import { findConceptLabel, type OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { recordFields, WORDS_OF_TERM } from './label-records.ts';
import type { WindowContent } from './read-text.ts';
import {
  allTagWays,
  GUESS_FACTOR,
  KIND_FACTORS,
  type TagWays,
  weighLift,
  weighTagWord,
} from './tag-weights.ts';

export interface RankedTag extends TagCandidate {
  /** The cosine of the window's direction and that of the concept's name; null where it is not looked at. */
  readonly nearness: number | null;
}

interface TaggedText {
  readonly contents: readonly WindowContent[];
  /** Two-letter code. */
  readonly lang: string;
  /** Asked before the closer look, which takes most of the time of a short text.
   *  @param share of the label that the window has, by weight */
  isWanted(candidate: TagCandidate, share: number): boolean;
}

/** Puts the candidates of a text in order by a closer look than finding them affords: words that stand steadily for their
 *  concepts weigh more, a preferred label that points the way of its sentence comes first, and a short one before a long one. */
export function createTagRanker(terms: OpenTerms, ways: TagWays = allTagWays) {
  const { concepts, labels, vocabulary, coverage, vectors } = terms;
  const { dim } = vectors;
  const directions = new Int8Array(vectors.terms.buffer, vectors.terms.byteOffset, vectors.terms.length);
  const ofKind = conceptKinds.map((kind) => (ways.kinds ? KIND_FACTORS[kind] : 1));
  const ownDirection = new Float32Array(dim);
  const weights = ways.steadiness ? coverage.steadyIdf : vocabulary.idf;

  /** Sum of the directions of distinct terms, weighted by idf, into an array; of length 1, or zero. */
  function pointOf(sequence: ArrayLike<number>, sum: Float32Array): Float32Array {
    sum.fill(0);
    for (let i = 0; i < sequence.length; i++) {
      const term = sequence[i]!;
      if (term === NONE || isAmongFirst(sequence, i, term)) continue;
      const weight = vocabulary.idf[term]!;
      for (let k = 0, at = term * dim; k < dim; k++, at++) sum[k]! += weight * directions[at]!;
    }
    const length = Math.sqrt(dot(sum, sum)) || 1;
    for (let k = 0; k < dim; k++) sum[k]! /= length;
    return sum;
  }

  function weighWords({ label, whole }: TagCandidate, here: readonly number[]) {
    let found = 0;
    let mass = 0;
    const record = coverage.recordStart[label]!;
    const termCount = coverage.records[record + recordFields.termCount]!;
    for (let i = 0; i < termCount; i++) {
      const term = coverage.records[record + recordFields.terms + i * WORDS_OF_TERM]!;
      mass += weights[term]!;
      if (whole || here.includes(term)) found += weights[term]!;
    }
    const most = vocabulary.maxIdf[labels.langOf[label]!]!;
    const share = found / mass;
    const phraseMass = labels.mass[label]! / most;
    return { share, strength: weighTagWord({ share, mass: mass / most, whole, phraseMass }) };
  }

  return (candidates: readonly TagCandidate[], { contents, lang, isWanted }: TaggedText): RankedTag[] => {
    const ofWindow = new Map<number, Float32Array>();
    const windowDirection = (window: number) => {
      let known = ofWindow.get(window);
      if (known === undefined) {
        known = pointOf(contents[window]!.terms, new Float32Array(dim));
        ofWindow.set(window, known);
      }
      return known;
    };
    const ranked: RankedTag[] = [];
    for (const candidate of candidates) {
      const { share, strength } = weighWords(candidate, contents[candidate.window]!.terms);
      if (!isWanted(candidate, share)) continue;
      const preferred = findConceptLabel(terms, candidate.concept, lang);
      const own = labels.terms.subarray(labels.termStart[preferred], labels.termStart[preferred + 1]);
      const nearness = ways.vectors
        ? dot(windowDirection(candidate.window), pointOf(own, ownDirection))
        : null;
      const lift = weighLift(nearness, ways.length ? own.length : null);
      const guess = candidate.isOneWord && !candidate.whole ? GUESS_FACTOR : 1;
      const factor = candidate.factor * ofKind[concepts.kindOf[candidate.concept]!]! * lift * guess;
      // Spelt out: spreading into a longer object takes half as long again as all the rest.
      const { concept, label, window, whole, isOneWord } = candidate;
      ranked.push({
        concept,
        label,
        window,
        whole,
        isOneWord,
        strength: strength * factor,
        factor: candidate.factor,
        nearness,
      });
    }
    return ranked.sort((a, b) => b.strength - a.strength || a.concept - b.concept);
  };
}

/** Sequences are short: a scan is faster than a set. */
function isAmongFirst(sequence: ArrayLike<number>, count: number, value: number): boolean {
  for (let i = 0; i < count; i++) if (sequence[i] === value) return true;
  return false;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += one[k]! * other[k]!;
  return sum;
}

export interface TagCandidate {
  readonly concept: number;
  readonly label: number;
  /** Where it was found at its strongest. */
  readonly window: number;
  /** The whole label stands there. */
  readonly whole: boolean;
  /** The window has one word of it only. */
  readonly isOneWord: boolean;
  readonly strength: number;
  /** The part of the strength that does not come from the words, but from the label's role and repetition. */
  readonly factor: number;
}

interface Kept {
  readonly candidate: TagCandidate;
  /** The label's distinct terms that the window has. */
  readonly words: readonly number[];
}

/** Partial matches of the same words that are kept beside the first. */
const MAX_PARTIAL_OF_SAME_WORDS = 2;

/** Drop tags that rest on words a stronger tag of the same window has explained: a shorter phrase within a longer one, a
 *  partial match of no other words. Equal phrases stay (one word can be a label of several taxonomies).
 *  Shape: the candidates come best first and stay so. */
export function pruneTags<T extends TagCandidate>(
  terms: OpenTerms,
  candidates: readonly T[],
  termsOfWindow: (window: number) => readonly number[],
): T[] {
  const kept = new Map<number, Kept[]>();
  return candidates.filter((candidate) => {
    const { window } = candidate;
    const before = kept.get(window) ?? [];
    const words = wordsOf(terms, candidate, termsOfWindow(window));
    if (isExplained({ candidate, words }, before)) return false;
    before.push({ candidate, words });
    kept.set(window, before);
    return true;
  });
}

function isExplained({ candidate: { whole }, words }: Kept, before: readonly Kept[]): boolean {
  const covering = before.filter((other) => isSubset(words, other.words));
  if (covering.some((other) => other.candidate.whole && other.words.length > words.length)) return true;
  return (
    !whole && (covering.some((other) => other.candidate.whole) || covering.length > MAX_PARTIAL_OF_SAME_WORDS)
  );
}

/** A phrase of another language has none of the window's terms: its own stand for them. */
function wordsOf({ labels }: OpenTerms, { label, whole }: TagCandidate, here: readonly number[]): number[] {
  const words: number[] = [];
  for (let at = labels.termStart[label]!; at < labels.termStart[label + 1]!; at++) {
    const term = labels.terms[at]!;
    if (!words.includes(term) && (whole || here.includes(term))) words.push(term);
  }
  return words;
}

function isSubset(part: readonly number[], whole: readonly number[]): boolean {
  return part.length <= whole.length && part.every((value) => whole.includes(value));
}
