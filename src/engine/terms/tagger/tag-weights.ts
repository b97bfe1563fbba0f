import type { ConceptKind } from '../types.ts';

/** A label is passed over where less than this share of it is found. */
const MIN_COVERAGE = 0.5;
/** Strength, as a confidence, that makes a tag of several words, or of a whole label. */
export const TAG_FLOOR = 0.3;
/** The same beside a tag of the sentence that is surer than the second. One word of a longer label
 *  is a guess: it counts in such company only. */
export const COMPANION_FLOOR = 0.25;
export const SURE_CONFIDENCE = 0.35;
/** A strength is worth `strength / (strength + this)`. */
const HALF_STRENGTH = 0.5;
/** Of the labels of one taxonomy that one word is enough of, so many are looked at beside those
 *  that are that word. */
export const MAX_GUESSES_OF_WORD = 8;
/** Added to a label whose stems stand in the text one after the other; and what is left of a phrase
 *  of another language. */
const PHRASE_BONUS = 0.5;
export const FOREIGN_PHRASE_FACTOR = 0.7;
/** How much each further sentence that has the whole label adds. */
const REPETITION_GAIN = 0.1;
/** What is left of a guess when tags are put in order: a label that stands there whole comes first
 *  unless it says far less. */
export const GUESS_FACTOR = 0.8;
/** Tagger, by role: of two equal matches the preferred label's comes first, then an alternative's,
 *  then one cut out of a label. */
export const ROLE_FACTORS: readonly number[] = [1, 0.985, 0.96, 1, 0.96];

/** By kind: a text is tagged for what one can learn. Skills come before the trade that they belong
 *  to and the group that holds them. */
export const KIND_FACTORS: Readonly<Record<ConceptKind, number>> = {
  skill: 1,
  topic: 1,
  occupation: 0.3,
  domain: 0.1,
};
/** The order of tags: the logarithm of the strength, so much for each unit of nearness, and so much
 *  less for each term of the preferred label, counted from a tag that is neither near nor far and
 *  of two terms. */
const NEARNESS_WEIGHT = 5.4;
const USUAL_NEARNESS = 0.5;
const LENGTH_WEIGHT = 0.39;
const USUAL_LENGTH = 2;

/** Raises a strength by the number of sentences that have the whole label. */
export function weighTagRepetition(sentences: number): number {
  return sentences < 2 ? 1 : 1 + REPETITION_GAIN * Math.log(sentences);
}

/** 0 to 1, rising with the strength. */
export function toTagConfidence(strength: number): number {
  return strength / (strength + HALF_STRENGTH);
}

/** The strength that gives a confidence. */
export function toTagStrength(confidence: number): number {
  return (confidence * HALF_STRENGTH) / (1 - confidence);
}

/** Strength of a label by its words: the share found, cubed, times the label's mass; a whole label
 *  has a bonus.
 *  Units: idf masses as multiples of the rarest word's. Source: facts on taggers, measured on
 *  ESCO. */
export function weighTagWord(result: {
  readonly share: number;
  readonly mass: number;
  readonly whole: boolean;
  /** The mass that the bonus goes by. */
  readonly phraseMass: number;
}): number {
  const bonus = result.whole ? PHRASE_BONUS * Math.min(1, result.phraseMass) : 0;
  return result.share * result.share * result.share * result.mass + bonus;
}

/** Factor of a strength by nearness (-1 to 1) and by the number of terms of the preferred label. */
export function weighLift(nearness: number, terms: number): number {
  const near = NEARNESS_WEIGHT * (nearness - USUAL_NEARNESS);
  return Math.exp(near - LENGTH_WEIGHT * (terms - USUAL_LENGTH));
}

/** The least share of a label that gives a tag; above 1 when no share does. */
export function findTagShare(mass: number): number {
  return Math.max(MIN_COVERAGE, Math.cbrt(toTagStrength(COMPANION_FLOOR) / mass));
}

/** What counts of a tag that a text is compared with, beside how near its preferred label is: how
 *  near any of its labels is, and its score by words. Source: facts on meaning; other weights
 *  change little. */
const BEST_LABEL_WEIGHT = 0.5;
const WORDS_WEIGHT = 0.6;

/** 0 to 1: how sure a tag is by meaning and words together.
 *  @param preferred nearness of the preferred label, at most 1
 *  @param best the same of whichever label is nearest
 *  @param words score by words, 0 to 1 */
export function weighMeantTag({
  preferred,
  best,
  words,
}: Readonly<Record<'preferred' | 'best' | 'words', number>>): number {
  const sum = Math.max(0, preferred) + BEST_LABEL_WEIGHT * Math.max(0, best) + WORDS_WEIGHT * words;
  return Math.min(1, sum / (1 + BEST_LABEL_WEIGHT + WORDS_WEIGHT));
}

/** What is less sure than this, or than this share of the best, is no guess either. On the
 *  validation halves they keep RP@5, and of what is returned more is right than by words alone
 *  (shares of .55 to .6 do; without one, less on TECH). */
export const LEAST_MEANT_GUESS = 0.3;
/** A text of which nothing is as sure as this has no guesses, only what it has evidence for. They
 *  belong to the table in `data/meaning`, and were chosen on the open talk and the validation
 *  halves; see docs/benchmarks.md. */
export const LEAST_BEST_GUESS = {
  plain: { asking: 0.54, other: 0.4, talk: 0.7 },
  chat: { asking: 0.6, other: 0.7, talk: 0.96 },
} as const;
export const LEAST_SHARE_OF_BEST = 0.58;
