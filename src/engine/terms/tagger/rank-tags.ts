import { getOrAdd } from '#engine/maps';
import { findConceptLabel, type OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { recordFields, WORDS_OF_TERM } from './label-records.ts';
import type { WindowContent } from './read-text.ts';
import { GUESS_FACTOR, KIND_FACTORS, weighLabelMatch, weighTagLift } from './tag-weights.ts';

export interface TagCandidate {
  readonly concept: number;
  readonly label: number;
  /** The window in which it is strongest. */
  readonly window: number;
  readonly whole: boolean;
  /** Tells that the window has only one word of the label. */
  readonly isOneWord: boolean;
  readonly strength: number;
  /** The part of the strength that does not come from words: role and repetition. */
  readonly factor: number;
}

export interface RankedTag extends TagCandidate {
  /** The cosine of the window and the preferred label. */
  readonly nearness: number;
}

interface TaggedText {
  readonly contents: readonly WindowContent[];
  /** The two-letter code of its language. */
  readonly lang: string;
  /** Called before a candidate is ranked, which takes most of the time of a short text.
   *  @param share the share of the label that the window has, by weight */
  isWanted(candidate: TagCandidate, share: number): boolean;
}

/** Ranks the candidates of a text more closely than finding them can afford: words that stand
 *  steadily for their concepts weigh more, and short or near preferred labels come first. */
export function createTagRanker(terms: OpenTerms) {
  const { labels, concepts, vectors } = terms;
  const kindFactors = conceptKinds.map((kind) => KIND_FACTORS[kind]);
  const weighTagLabel = createLabelWeigher(terms);
  const sumVectors = createVectorSum(terms);
  const labelVector = new Float32Array(vectors.dim);
  return (candidates: readonly TagCandidate[], { contents, lang, isWanted }: TaggedText): RankedTag[] => {
    const windowVectors: (Float32Array | undefined)[] = [];
    const ranked: RankedTag[] = [];
    for (const candidate of candidates) {
      const { concept, label, window, whole, isOneWord } = candidate;
      const windowTerms = contents[window]!.terms;
      const { share, strength } = weighTagLabel(candidate, windowTerms);
      if (!isWanted(candidate, share)) continue;
      const preferred = findConceptLabel(terms, concept, lang);
      const preferredTerms = labels.terms.subarray(labels.termStart[preferred], labels.termStart[preferred + 1]);
      windowVectors[window] ??= sumVectors(windowTerms, new Float32Array(vectors.dim));
      const nearness = dotProduct(windowVectors[window], sumVectors(preferredTerms, labelVector));
      const lift = weighTagLift(nearness, preferredTerms.length);
      const guess = isOneWord && !whole ? GUESS_FACTOR : 1;
      const factor = candidate.factor * kindFactors[concepts.kindOf[concept]!]! * lift * guess;
      // A spread would take half as long again as all the rest.
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

/** Creates a function that weighs a label by the weights of its words in a window, and returns the
 *  share of the label that the window has. */
function createLabelWeigher({ coverage, vocabulary, labels }: OpenTerms) {
  const { recordStart, records, steadyIdf } = coverage;
  return ({ label, whole }: TagCandidate, window: readonly number[]) => {
    let matchedMass = 0;
    let mass = 0;
    const record = recordStart[label]!;
    const termCount = records[record + recordFields.termCount]!;
    for (let i = 0; i < termCount; i++) {
      const term = records[record + recordFields.terms + i * WORDS_OF_TERM]!;
      mass += steadyIdf[term]!;
      if (whole || window.includes(term)) matchedMass += steadyIdf[term]!;
    }
    const max = vocabulary.maxIdf[labels.langOf[label]!]!;
    const share = matchedMass / mass;
    const phraseMass = labels.mass[label]! / max;
    return { share, strength: weighLabelMatch({ share, mass: mass / max, whole, phraseMass }) };
  };
}

/** Creates a function that writes the sum of the vectors of terms, of length 1. */
function createVectorSum({ vectors: { dim, terms: bytes }, vocabulary: { idf } }: OpenTerms) {
  return (sequence: ArrayLike<number>, sum: Float32Array): Float32Array => {
    sum.fill(0);
    for (let i = 0; i < sequence.length; i++) {
      const term = sequence[i]!;
      if (term === NONE || isAmongFirst(sequence, i, term)) continue;
      const weight = idf[term]!;
      for (let k = 0, at = term * dim; k < dim; k++, at++) sum[k]! += weight * bytes[at]!;
    }
    const length = Math.sqrt(dotProduct(sum, sum)) || 1;
    for (let k = 0; k < dim; k++) sum[k]! /= length;
    return sum;
  };
}

/** Tells whether a value is among the first of a sequence. A scan is faster than a set, as
 *  sequences are short. */
function isAmongFirst(sequence: ArrayLike<number>, count: number, value: number): boolean {
  for (let i = 0; i < count; i++) if (sequence[i] === value) return true;
  return false;
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

/** A tag, and the terms of its label that its window has. */
type Explanation = { readonly candidate: TagCandidate; readonly words: readonly number[] };

/** The most tags that match the same words partially. */
const MAX_PARTIAL_OF_SAME_WORDS = 2;

/** Drops tags whose words a stronger tag of the same window explains: a shorter phrase within a
 *  longer one, or a partial match without other words. Equal phrases stay, as several taxonomies
 *  may have them. @param candidates best first; the result has the same order */
export function pruneTags<T extends TagCandidate>(
  terms: OpenTerms,
  candidates: readonly T[],
  termsOfWindow: (window: number) => readonly number[],
): T[] {
  const byWindow = new Map<number, Explanation[]>();
  return candidates.filter((candidate) => {
    const { window } = candidate;
    const stronger = getOrAdd(byWindow, window, () => [] as Explanation[]);
    const words = listTermsOfTag(terms, candidate, termsOfWindow(window));
    if (isTagExplained({ candidate, words }, stronger)) return false;
    stronger.push({ candidate, words });
    return true;
  });
}

function isTagExplained({ candidate: { whole }, words }: Explanation, stronger: readonly Explanation[]): boolean {
  const covering = stronger.filter((explanation) => words.every((word) => explanation.words.includes(word)));
  const coveringLabels = covering.filter(({ candidate }) => candidate.whole);
  if (coveringLabels.some((label) => label.words.length > words.length)) return true;
  if (whole) return false;
  return coveringLabels.length > 0 || covering.length > MAX_PARTIAL_OF_SAME_WORDS;
}

/** Lists the distinct terms of a label in its window; of a whole label, all of them, as a label of
 *  another language has other terms than the window. */
function listTermsOfTag({ labels }: OpenTerms, { label, whole }: TagCandidate, window: readonly number[]): number[] {
  const matched: number[] = [];
  for (let at = labels.termStart[label]!; at < labels.termStart[label + 1]!; at++) {
    const term = labels.terms[at]!;
    if (!matched.includes(term) && (whole || window.includes(term))) matched.push(term);
  }
  return matched;
}
