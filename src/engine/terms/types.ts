import type { TextEncoding } from '../vectors/vectors.ts';

export const conceptKinds = ['skill', 'topic', 'occupation', 'domain'] as const;
export type ConceptKind = (typeof conceptKinds)[number];

/** `essential` and `optional` go from an occupation to the skills it needs; the other names are SKOS's. */
export const linkNames = ['broader', 'narrower', 'related', 'sameAs', 'essential', 'optional'] as const;
export type LinkName = (typeof linkNames)[number];

/** An entry of a taxonomy. Languages are two-letter codes. */
export interface Concept {
  /** Unique over all taxonomies of the index. */
  readonly id: string;
  /** Name of the taxonomy, as shown: `Skilldock`, `ISCO-08`. */
  readonly source: string;
  readonly kind: ConceptKind;
  /** The one preferred label by language. */
  readonly labels: Readonly<Record<string, string>>;
  readonly altLabels: Readonly<Record<string, readonly string[]>>;
  /** By language. */
  readonly description?: Readonly<Record<string, string>>;
  /** Ids of other concepts; ids that the index does not have are passed over. */
  readonly links?: Readonly<Partial<Record<LinkName, readonly string[]>>>;
}

/** A phrase that is suggested but belongs to no concept: a catalogue title, a keyword. */
export interface SuggestPhrase {
  readonly text: string;
  readonly lang: string;
  /** 0 to 1: how likely people want it. */
  readonly weight: number;
}

export interface TermIndexOptions {
  /** The taxonomy that comes first in `similar`. */
  readonly ownSource: string;
  readonly phrases?: readonly SuggestPhrase[];
  /** Gives labels vectors; absent where they are to be found by words alone. */
  readonly encoder?: TextEncoding | undefined;
}

/** How a term was found, best first: for otherwise equal matches the score falls in this order. */
export type MatchStage = 'exact' | 'stem' | 'partial' | 'typo' | 'ngram' | 'meaning' | 'related';

/** What the tagger reads at once. */
export interface TextSentence {
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
}

export interface SimilarQuery {
  readonly keywords: string;
  /** Language of the answers, and the one preferred for the keywords; labels of every language are searched. */
  readonly lang: string;
  readonly source?: string;
  /** At least 1. */
  readonly max: number;
}

export interface SimilarTerm {
  readonly label: string;
  readonly source: string;
  /** 0 to 1. */
  readonly score: number;
  readonly conceptId: string;
  readonly match: MatchStage;
}

export interface TagQuery {
  readonly text: string;
  readonly lang: string;
  readonly source?: string;
  /** At least 1. */
  readonly max: number;
  /** Also what the text has no evidence for at one place, all in the order of their strength; only the others when absent. */
  readonly guesses?: boolean;
  /** Also where the evidence stands. */
  readonly spans?: boolean;
  /** Guesses by words alone, and not by what the text means. */
  readonly byWords?: boolean;
}

export interface Tag {
  readonly label: string;
  readonly conceptId: string;
  readonly source: string;
  /** 0 to 1. */
  readonly score: number;
  /** Where its evidence stands in the text: half-open, in UTF-16 units; absent where it was not asked for, and for guesses. */
  readonly span?: readonly [start: number, end: number];
}

export interface TagAnswer {
  /** The folded words of the text joined by a space. */
  readonly tokenizedText: string;
  /** What the text asks for comes first, then what it names; of each, and of all where guesses are asked for, the best. */
  readonly tags: readonly Tag[];
}

export interface TermSuggestQuery {
  readonly keywords: string;
  /** At least 1. */
  readonly max: number;
  /** Completed as well, as the index does not have them. */
  readonly phrases?: readonly OpenPhrase[];
}

/** A phrase that is suggested, beside the index. */
export interface OpenPhrase extends Pick<SuggestPhrase, 'text' | 'weight'> {
  /** Folded. */
  readonly words: readonly string[];
}

export interface TermSuggestion {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
}

export interface TermSuggestAnswer {
  /** The words that were used: folded, without function words, corrected where a typo was. */
  readonly keywordsTransformed: readonly string[];
  readonly suggestions: readonly TermSuggestion[];
  /** `exact`: all words were completed as typed; `loose`: by a typo, in part, or by relation only; `none`: nothing. */
  readonly quality: 'exact' | 'loose' | 'none';
}

/** Other words for the words `start` to `end` (half-open) of a query. Each phrase is its folded words, without function words. */
export interface TermExpansion {
  readonly start: number;
  readonly end: number;
  /** Other labels of the same concepts, of all languages; at most 8. */
  readonly synonyms: readonly TermPhrase[];
  /** Labels of related and narrower concepts; at most 8. */
  readonly related: readonly TermPhrase[];
}

/** Folded words of a label, and its language. */
export interface TermPhrase {
  readonly words: readonly string[];
  /** Two-letter code. */
  readonly lang: string;
}

/** A concept as it is in the index. */
export interface ConceptEntry extends Pick<Concept, 'id' | 'source' | 'kind'> {
  /** The preferred one of each language. */
  readonly labels: readonly { readonly text: string; readonly lang: string }[];
  /** Alternative ones. */
  readonly others: readonly { readonly text: string; readonly lang: string }[];
  readonly links: readonly { readonly name: LinkName; readonly id: string }[];
}

export interface TermCounts {
  readonly concepts: number;
  /** Preferred and alternative labels. */
  readonly labels: number;
}

/** Answers about the concepts of all taxonomies. Immutable; no method throws, whatever text it is given. */
export interface TermIndex {
  /** Terms like the keywords: the own taxonomy and its synonyms first, then the others, each part best first. */
  similar(query: SimilarQuery): readonly SimilarTerm[];
  /** What a text is about; the time is linear in the text's length. */
  tag(query: TagQuery): TagAnswer;
  /** Complete what is being typed, in any language of the index. */
  suggest(query: TermSuggestQuery): TermSuggestAnswer;
  /** Other words for spans of a query's folded words; with no `lang`, in any language. */
  expansionsOf(words: readonly string[], lang?: string): readonly TermExpansion[];
  /** By its id; null where there is none. */
  findConcept(id: string): ConceptEntry | null;
  readonly counts: TermCounts;
}
