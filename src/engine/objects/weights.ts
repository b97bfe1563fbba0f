/** BM25F: the weight of a word in each field, how strongly long fields are damped (`b`), and the
 *  length in words at which a field is neither damped nor favoured (`pivot`). Fixed pivots instead
 *  of averages, so that impacts depend on nothing but the document. Source: Robertson & Zaragoza,
 *  "The Probabilistic Relevance Framework", 2009, section 3.5. */
export const fieldWeights = {
  title: { weight: 4, b: 0.4, pivot: 8 },
  keywords: { weight: 2, b: 0.4, pivot: 16 },
  description: { weight: 0.5, b: 0.7, pivot: 40 },
  names: { weight: 1, b: 0.3, pivot: 4 },
  types: { weight: 1, b: 0.3, pivot: 4 },
} as const;

export const K1 = 1.2;

/** Saturates a weighted frequency, in 255 steps. */
export const toImpact = (weighted: number): number => Math.max(1, Math.round((255 * weighted) / (K1 + weighted)));

/** The weight of a match in another form, against 1 for the word itself. */
export const matchWeights = {
  /** Another word with the same stem, or the word itself in the description. */
  stem: 0.85,
  joined: 0.9,
  synonym: 0.8,
  typo: 0.7,
  prefix: 0.6,
  derived: 0.5,
  related: 0.3,
} as const;

/** The share of its idf that a request word (`learn`) counts beside words that name the subject. */
export const REQUEST_SHARE = 0.2;

/** With this many words that name its subject, a query is a sentence that has frame words. */
export const SENTENCE_WORDS = 4;
/** A frame word is in the title or keywords of fewer than this share of its documents. */
export const TOPICAL_SHARE = 0.5;
/** A term in a title or keywords has this impact; a few mentions in a description have less. */
export const TOPICAL_IMPACT = 128;

/** The share of its idf that a word of the context (`nurses`) counts; the idf itself counts at most
 *  like that of the rarest word of the subject. */
export const CONTEXT_SHARE = 0.9;

/** A query is in a language if this share of the evidence is for it. */
export const LANGUAGE_SHARE = 0.7;
/** It is in the person's language if each word has this share of its best frequency there. */
export const PREFERRED_SHARE = 0.02;

/** A hit fits if it reaches this share of the score of a document with all words of the query in
 *  its title (impacts near 255), … */
export const FITTING_EVIDENCE = 0.4;
/** … and has this share of the subject's idf, as one word of two is often another subject, … */
export const FITTING_COVERAGE = 0.7;
/** … or if it has all words of a phrase, and this share of the full score of the words it has. */
export const FITTING_PHRASE = 0.5;
/** With a lower share of the full score, a document only mentions a word. */
export const MIN_EVIDENCE = 0.25;

/** The weights of likeness in meaning: 0 is the usual nearness of documents, 1 the same meaning.
 *  They belong to the table in `data/meaning`; another table needs others. Chosen on the open
 *  needs, the last one on the 629 of all sets but the fifth. */
export const meaningWeights = {
  /** The worth of a likeness of 1 in the order of hits, as a share of the full score. */
  order: 0.6,
  /** A document with some of the words fits from this likeness on. */
  fitting: 0.6,
  /** A document is close from this likeness on, whatever its words are. */
  near: 0.75,
  /** A document with some of the words is not close below this likeness. */
  close: 0.2,
} as const;
/** Among more documents, a search looks for near ones only if words find fewer than
 *  ENOUGH_FITTING fitting hits: reading the vectors of a million takes 10 ms. */
export const LARGE = 200_000;
export const ENOUGH_FITTING = 20;

/** With fewer documents, their usual nearness is unknown; then meaning only changes the order. */
export const MIN_DOCUMENTS_FOR_NEARNESS = 100;

/** Factors of relevance, so small that no hit overtakes one of a better tier. */
export const tierFactors = { fitting: 1, 'other-language': 2 ** -40, close: 2 ** -80 } as const;
/** Upper bounds of ranks: in another language, close, and close in another language. */
export const BELOW = { spoken: 2 ** -30, fitting: 2 ** -70, close: 2 ** -110 } as const;

/** A function word is evidence for its languages like a word that this many documents have. */
export const FUNCTION_WORD_DOCUMENTS = 50;
/** A word that no document of a language has counts as if this many had it. */
export const UNSEEN_DOCUMENTS = 0.1;

/** Scores are integers: an impact (1 to 255) times this many steps of idf and match weight. So sums
 *  do not depend on the order of terms, and equal hits never swap after a merge or on another host.
 *  With the largest idf (about 22) and 24 words they stay below 2^32. */
export const SCORE_STEPS = 4096;

/** A hit of the extended model must cover this share of the query's idf mass. */
export const CONFIDENCE_FLOOR = 0.3;

/** Popularity multiplies relevance by 1 to 1 + this, so it decides among comparable hits. */
export const POPULARITY_LIFT = 0.25;

/** The popularity of a dead document, which leaves a quarter of its relevance. */
export const DEAD_POPULARITY = -3;

/** The factor for failing a filter that is not strict; its square root if the fact is unknown. */
export const yieldFactors = {
  popularity: 0.85,
  age: 0.75,
  learningTime: 0.65,
  level: 0.6,
  bloom: 0.55,
  day: 0.5,
  type: 0.45,
  publisher: 0.35,
  topic: 0.35,
  distance: 0.3,
  free: 0.25,
  marks: 0.25,
  lang: 0.2,
  provider: 0.15,
} as const;

/** The exponent of the factor of a wish, which orders documents about the topic. */
export const WISH_EXPONENT = 0.5;

/** The term frequencies of a topic of a document, and of a wider topic. */
export const topicFrequencies = { direct: 1, wider: 0.25 } as const;
/** The minimum impact of a topic that the document itself is about. */
export const DIRECT_TOPIC_IMPACT = toImpact(topicFrequencies.direct);

export const alikeWeights = {
  title: 1,
  keywords: 1,
  description: 0.4,
  /** The maximum weight of a word in several of these fields. */
  most: 2,
  topic: 0.8,
  /** A topic of the text that is a wider topic of the other document. */
  widerTopic: 0.3,
  /** A word with the same spelling in another language. */
  foreign: 0.7,
} as const;

/** Words of the same family are searched for if fewer documents have the word itself. */
export const FAMILY_BELOW = 100;
/** Related phrases are searched for if fewer documents have the word itself. */
export const RELATED_BELOW = 1_000;

/** A prefix is completed to at most this many of the commonest words. */
export const MAX_PREFIX_EXPANSIONS = 64;
/** A mistyped word is replaced by at most this many of the commonest similar words. */
export const MAX_TYPO_EXPANSIONS = 16;

/** The steps of a factor that `sort: random` tells apart: with three tiers and 32 bits of
 *  shuffle they fit into a float. */
export const SHUFFLE_STEPS = 2 ** 19;
