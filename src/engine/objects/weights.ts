/** BM25F: how much a word in each field counts, how strongly long fields are damped (`b`), and the length in words at
 *  which a field is neither damped nor favoured. The pivots are fixed rather than averages of the corpus: so the impact
 *  of a document depends on nothing but itself, and adding one document never makes another one stale.
 *  Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.5. */
export const fieldWeights = {
  title: { weight: 4, b: 0.4, pivot: 8 },
  keywords: { weight: 2, b: 0.4, pivot: 16 },
  description: { weight: 0.5, b: 0.7, pivot: 40 },
  names: { weight: 1, b: 0.3, pivot: 4 },
  types: { weight: 1, b: 0.3, pivot: 4 },
} as const;

/** Saturation of term frequency. */
export const K1 = 1.2;

/** Of a weighted frequency: its saturation in 255 steps. */
export function toImpact(weighted: number): number {
  return Math.max(1, Math.round((255 * weighted) / (K1 + weighted)));
}

/** Worth of a word found in another form than asked for, against 1 for the word itself. */
export const matchWeights = {
  joined: 0.9,
  synonym: 0.8,
  typo: 0.7,
  prefix: 0.6,
  derived: 0.5,
  related: 0.3,
} as const;

/** A word that only asks for learning, beside others that name the subject, counts this share of its idf. */
export const REQUEST_SHARE = 0.2;

/** A query is in a language when this share of the evidence speaks for it. */
export const LANGUAGE_SHARE = 0.7;
/** It is the person's when each word is at least this share as frequent in that as in any other language. */
export const PREFERRED_SHARE = 0.05;

/** A hit fits when it has this share of what a document would have that says all of the query in its title, where impacts are near 255. */
export const FITTING_EVIDENCE = 0.4;
/** And this share of the subject's idf: one word of two is another subject. */
export const FITTING_COVERAGE = 0.6;
/** Or when it has all words of a phrase, and this share of what a document would have that says as many in its title. */
export const FITTING_PHRASE = 0.5;
/** With less, a word is only mentioned, as in a description. */
export const LEAST_EVIDENCE = 0.25;

/** Nearness in meaning, 0 to 1 from what documents usually have to what says the same. They belong to the table in `data/meaning`:
 *  another one wants others. */
export const meaningWeights = {
  /** What the same is worth, of what a document would have that says all of the query in its title. */
  order: 0.6,
  /** From here on a document fits that has some of the words. */
  fitting: 0.5,
  /** From here on it is close whatever its words are. */
  near: 0.65,
} as const;
/** Of fewer documents it cannot be said how near they usually are: then meaning only orders. */
export const LEAST_USUAL = 100;

/** What is left of the relevance in each tier: so little that none overtakes one before it. */
export const tierFactors = { fitting: 1, 'other-language': 2 ** -40, close: 2 ** -80 } as const;

/** A function word speaks for its languages like a word that so many documents have. */
export const FUNCTION_WORD_DOCUMENTS = 50;
/** A word that no document of a language has counts like a word of so many. */
export const UNSEEN_DOCUMENTS = 0.1;

/** Relevance is counted in whole steps: 255 of an impact times this many of idf and match weight. Sums of whole numbers do not
 *  depend on the order of the terms, so a merge or another host never swaps two equal hits. The largest idf (about 22) of 24
 *  words stays below 2^32. */
export const SCORE_STEPS = 4096;

/** A hit of the extended model must cover this share of the query's idf mass; less is not confident enough to show. */
export const CONFIDENCE_FLOOR = 0.3;

/** `sort: popularity` multiplies relevance by 1 to 1 + this, so it decides among comparably relevant documents only. */
export const POPULARITY_LIFT = 0.25;

/** Stands for the popularity of a document that is dead: a quarter of its relevance is left. */
export const DEAD_POPULARITY = -3;

/** The share of relevance that a filter that is not strict leaves to a document that does not meet it; the first named yields
 *  first. A document whose fact is unknown loses half as much (the square root). */
export const yieldFactors = {
  popularity: 0.85,
  age: 0.75,
  learningTime: 0.65,
  level: 0.6,
  bloom: 0.55,
  type: 0.45,
  publisher: 0.35,
  topic: 0.35,
  distance: 0.3,
  free: 0.25,
  lang: 0.2,
  provider: 0.15,
} as const;

/** Frequencies that stand for a topic of a document, and for one that only holds what it is about. */
export const topicFrequencies = { own: 1, wider: 0.25 } as const;
/** The least impact of a topic that the document itself is about. */
export const OWN_TOPIC_IMPACT = toImpact(topicFrequencies.own);

/** Documents that are like another one: what each of its words and topics says of it, and what they are worth elsewhere. */
export const alikeWeights = {
  title: 1,
  keywords: 1,
  description: 0.4,
  /** Of a word that is in several of them. */
  most: 2,
  topic: 0.8,
  /** Of a topic that the other one only holds. */
  widerTopic: 0.3,
  /** Of a word that is written so in another language. */
  foreign: 0.7,
} as const;

/** Words of the same family are looked for where fewer documents have the word itself: with more of them no guesses are needed. */
export const FAMILY_BELOW = 100;
/** What is near in meaning is looked for where fewer documents have the word itself. */
export const RELATED_BELOW = 1_000;

/** A word being typed is completed to the commonest words, at most this many. */
export const MAX_PREFIX_EXPANSIONS = 64;
/** A mistyped word is taken for the commonest words one edit away, at most this many. */
export const MAX_TYPO_EXPANSIONS = 16;

/** `sort: random` distinguishes this many steps of what the filters leave; in three tiers, with 32 bits of shuffle, they fit a float
 *  exactly. */
export const SHUFFLE_STEPS = 2 ** 19;
