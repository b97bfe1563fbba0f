/** `similar`: score of a label that has the same words, or the same stems, and of one that covers the query and is
 *  covered by it completely in another order. Everything partial is a share of the last. */
export const EXACT_SCORE = 1;
export const STEM_SCORE = 0.93;
export const PARTIAL_SCORE = 0.85;
/** Worth of one word found through one edit, or of one that shares all its character n-grams, against 1 for itself. */
export const TYPO_WEIGHT = 0.9;
export const NGRAM_WEIGHT = 0.75;
/** Of two equal matches the preferred label's comes first, then an alternative's, then one cut out of a label. */
export const ROLE_FACTORS: readonly number[] = [1, 0.985, 0.96];
/** A label of another language than the one asked for. */
export const OTHER_LANGUAGE_FACTOR = 0.96;
/** How far the character n-grams of whole labels may lower a partial match: they decide among equal words. */
export const NGRAM_SHARE = 0.3;
/** Less is not worth showing; nor is a partial match of less than this share of the best one. */
export const SIMILAR_FLOOR = 0.25;
export const SHARE_OF_BEST = 0.45;
/** Matches this good make their neighbours worth showing. */
export const STRONG_SCORE = 0.8;
/** Below the first, unknown words are taken for mistyped ones; below the second, all words are. */
export const UNKNOWN_WORDS_BELOW = 0.8;
export const ALL_WORDS_BELOW = 0.5;
/** What is left of a synonym's score beside its concept's. */
export const SYNONYM_SHARE = 0.8;
export const MAX_SYNONYMS = 5;

/** Tagger: a label of which less is found is not looked at. */
const MIN_COVERAGE = 0.5;
/** Tags with less confidence are not returned. */
export const TAG_FLOOR = 0.3;
/** The same for a label of several words of which one is there; and what another tag of the sentence must have for it. */
export const GUESS_FLOOR = 0.33;
export const SURE_CONFIDENCE = 0.35;
/** A tag is worth `strength / (strength + this)`. */
const TAG_HALF_STRENGTH = 0.5;

/** 0 to 1, rising with the strength. */
export function confidenceOf(strength: number): number {
  return strength / (strength + TAG_HALF_STRENGTH);
}

/** Strength of a label by what a text has of it: the share found, squared, times the mass found.
 *  Units: the label's idf mass as a multiple of the rarest word's. Source: facts on taggers, measured on ESCO. */
export function coverageStrength(share: number, mass: number): number {
  return share * share * share * mass;
}

/** The least share of a label that gives a tag; above 1 when no share does. */
export function leastShare(mass: number): number {
  const strengthFloor = (TAG_FLOOR * TAG_HALF_STRENGTH) / (1 - TAG_FLOOR);
  return Math.max(MIN_COVERAGE, Math.cbrt(strengthFloor / mass));
}
/** Added to a label whose stems stand in the text one after the other; and what is left of a phrase of another language. */
export const PHRASE_BONUS = 0.5;
export const FOREIGN_PHRASE_FACTOR = 0.7;
/** Suggest: worth of a completion through a typo, and of a term that only resembles the query. */
export const SUGGEST_TYPO_FACTOR = 0.75;
export const SUGGEST_SIMILAR_FACTOR = 0.6;
