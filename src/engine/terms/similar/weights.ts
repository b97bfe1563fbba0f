/** Score of a label with the same words as the query. */
export const EXACT_SCORE = 1;
export const STEM_SCORE = 0.93;
/** Score of a label with the same words in another order; partial matches get a share of it. */
export const PARTIAL_SCORE = 0.89;
/** With a lower similarity of n-grams, two words share a syllable, but no meaning. */
export const NEAR_WORD_FLOOR = 0.25;
/** Maximum number of words of the index that one word of a query may match. */
export const MAX_NEAR_WORDS = 64;
/** The similarity of a word of which that of the query may be a typo. */
export const TYPO_WEIGHT = 0.9;
/** The factors by role of a label: a preferred label says more of its concept than others. */
export const LABEL_FACTORS: readonly number[] = [1, 0.9, 0.995, 1, 0.89];
/** Share of the term vectors in a score, beside the letters. */
export const MEANING_SHARE = 0.17;
/** The same for an exact match, where it decides among concepts with the same label. */
export const MEANING_SHARE_OF_EXACT = 0.02;
export const OTHER_LANGUAGE_FACTOR = 0.96;
/** Matches with a lower score are left out, … */
export const SIMILAR_FLOOR = 0.2;
/** … and those with a lower share of the best score. */
export const SHARE_OF_BEST = 0.4;
/** Linked concepts of matches with this score are returned, too. */
export const STRONG_SCORE = 0.8;
/** The same floors for matches by n-grams only (`infirme` for `infirmier`). */
export const GRAMS_SHARE_OF_BEST = 0.5;
export const GRAMS_FLOOR = 0.25;
export const SYNONYM_SHARE = 0.8;
export const MAX_SYNONYMS = 5;
/** Share of nearness in meaning in a score, beside words. */
export const NEARNESS_SHARE = 0.7;
/** Minimum nearness of a concept that shares no word with the keywords. */
export const MIN_NEARNESS = 0.45;
