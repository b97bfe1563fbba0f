/** `similar`: score of a label that has the same words, or the same stems, and of one that covers the query and is
 *  covered by it completely in another order. Everything partial is a share of the last. */
export const EXACT_SCORE = 1;
export const STEM_SCORE = 0.93;
export const PARTIAL_SCORE = 0.89;
/** Below this likeness of n-grams, words share a syllable, not a meaning; and how many words one word may stand for. */
export const NEAR_WORD_FLOOR = 0.25;
export const MAX_NEAR_WORDS = 64;
/** What a word one edit away is worth against the word itself. */
export const TYPO_WEIGHT = 0.9;
/** `similar`, by role: what a concept is called first says more of it than its other names. */
export const LABEL_FACTORS: readonly number[] = [1, 0.9, 0.995, 1, 0.89];
/** How much the direction of a concept's labels counts beside the likeness of letters. */
export const MEANING_SHARE = 0.17;
/** The same where the words are the very same: it decides among concepts that have one name. */
export const MEANING_SHARE_OF_EXACT = 0.02;
/** A label of another language than the one asked for. */
export const OTHER_LANGUAGE_FACTOR = 0.96;
/** Matches below this are not worth showing; nor are partial ones below this share of the best. */
export const SIMILAR_FLOOR = 0.2;
export const SHARE_OF_BEST = 0.4;
/** Matches this good make their neighbours worth showing. */
export const STRONG_SCORE = 0.8;
/** The same for matches by n-grams of words alone (`infirme` for an `infirmier`), and by typos. */
export const GRAMS_SHARE_OF_BEST = 0.5;
export const GRAMS_FLOOR = 0.25;
/** What is left of a synonym's score beside its concept's. */
export const SYNONYM_SHARE = 0.8;
export const MAX_SYNONYMS = 5;
/** How much nearness in meaning counts beside words. Halves of MELO's French titles chose 0.7 and 0.75. */
export const NEARNESS_SHARE = 0.7;
/** What shares no word with the keywords must be this near. */
export const LEAST_MEANT_NEARNESS = 0.45;
