import type { ConceptKind } from '../types.ts';

/** The minimum share of a label that a text must have. */
const MIN_COVERAGE = 0.5;
/** The minimum confidence of a tag of several words, or of a whole label. */
export const TAG_FLOOR = 0.3;
/** The same beside a tag of the sentence with at least SURE_CONFIDENCE. One word of a longer label
 *  is a guess, which counts only beside such a tag. */
export const COMPANION_FLOOR = 0.25;
export const SURE_CONFIDENCE = 0.35;
/** The strength whose confidence is one half. */
const HALF_STRENGTH = 0.5;
/** The most labels of a taxonomy for which one word is enough, beside those that consist of it. */
export const MAX_GUESSES_OF_WORD = 8;
/** The bonus of a label whose stems are in a row. */
const PHRASE_BONUS = 0.5;
/** The factor of such a label in another language. */
export const FOREIGN_PHRASE_FACTOR = 0.7;
/** What a repetition of a whole label in further sentences adds to its strength. */
const REPETITION_GAIN = 0.1;
/** The factor of the strength of a guess: a whole label comes first unless it is much weaker. */
export const GUESS_FACTOR = 0.8;
/** The factors by role: of equal matches the preferred label comes first, then an alternative. */
export const ROLE_FACTORS: readonly number[] = [1, 0.985, 0.96, 1, 0.96];

/** The factors by kind: skills precede the trade or group that they belong to. */
export const KIND_FACTORS: Readonly<Record<ConceptKind, number>> = {
  skill: 1,
  topic: 1,
  occupation: 0.3,
  domain: 0.1,
};
/** The logarithm of the strength, plus the first weight for each unit of nearness above the usual
 *  one, minus the second for each term of the preferred label above two. */
const NEARNESS_WEIGHT = 5.4;
const USUAL_NEARNESS = 0.5;
const LENGTH_WEIGHT = 0.39;
const USUAL_LENGTH = 2;

export function weighTagRepetition(sentences: number): number {
  return sentences < 2 ? 1 : 1 + REPETITION_GAIN * Math.log(sentences);
}

/** Converts a strength, which has no upper bound, to a confidence from 0 to 1. */
export const toTagConfidence = (strength: number): number => strength / (strength + HALF_STRENGTH);

export const toTagStrength = (confidence: number): number => (confidence * HALF_STRENGTH) / (1 - confidence);

/** Weighs a label in a text: its share in the text, cubed, times its mass; a whole label has a
 *  bonus.
 *  Units: multiples of the idf of the rarest word. Measured on ESCO. */
export function weighLabelMatch(match: {
  readonly share: number;
  readonly mass: number;
  readonly whole: boolean;
  /** The mass that determines the bonus. */
  readonly phraseMass: number;
}): number {
  const bonus = match.whole ? PHRASE_BONUS * Math.min(1, match.phraseMass) : 0;
  return match.share * match.share * match.share * match.mass + bonus;
}

/** Returns the factor of a strength by nearness (-1 to 1) and terms of the preferred label. */
export function weighTagLift(nearness: number, terms: number): number {
  const near = NEARNESS_WEIGHT * (nearness - USUAL_NEARNESS);
  return Math.exp(near - LENGTH_WEIGHT * (terms - USUAL_LENGTH));
}

/** Returns the minimum share of a label for a tag; above 1 if no share is enough. */
export function findNeededShare(mass: number): number {
  return Math.max(MIN_COVERAGE, Math.cbrt(toTagStrength(COMPANION_FLOOR) / mass));
}

/** Weights of the nearest label and of the score by words, beside 1 for the nearness of the
 *  preferred label. Other weights change little. */
const BEST_LABEL_WEIGHT = 0.5;
const WORDS_WEIGHT = 0.6;

/** Scores a tag by meaning and words together, 0 to 1.
 *  @param preferred nearness of the preferred label, at most 1
 *  @param best nearness of the nearest label @param words score by words, 0 to 1 */
export function weighTagByMeaning(scores: Readonly<Record<'preferred' | 'best' | 'words', number>>): number {
  const { preferred, best, words } = scores;
  const sum = Math.max(0, preferred) + BEST_LABEL_WEIGHT * Math.max(0, best) + WORDS_WEIGHT * words;
  return Math.min(1, sum / (1 + BEST_LABEL_WEIGHT + WORDS_WEIGHT));
}

/** The minimum score of a guess; it must also reach MIN_SHARE_OF_BEST of the best score. On the
 *  validation halves both keep RP@5, and more of the result is right than by words alone (shares of
 *  .55 to .6 do; without one, less on TECH). */
export const MIN_GUESS = 0.3;
/** The minimum score of the best guess of a text, which else has only tags with evidence. These
 *  numbers belong to the table in `data/meaning`, and were chosen on the open talk and the
 *  validation halves; see docs/benchmarks.md. */
export const MIN_BEST_GUESS = {
  plain: { asking: 0.54, other: 0.4, talk: 0.7 },
  chat: { asking: 0.6, other: 0.7, talk: 0.96 },
} as const;
export const MIN_SHARE_OF_BEST = 0.58;
