import type { Expansion } from '../objects/types.ts';
import type { TextEncoding } from '../vectors/vector-rows.ts';

export const conceptKinds = ['skill', 'topic', 'occupation', 'domain'] as const;
export type ConceptKind = (typeof conceptKinds)[number];

/** `essential` and `optional` lead from an occupation to its skills; the others are SKOS's. */
export const linkNames = ['broader', 'narrower', 'related', 'sameAs', 'essential', 'optional'] as const;
export type LinkName = (typeof linkNames)[number];

/** Names of the links from a skill to the occupations that need it. */
export const inverseLinkNames = ['essentialFor', 'optionalFor'] as const;
type InverseLinkName = (typeof inverseLinkNames)[number];

/** A concept as it is indexed. Languages are two-letter codes. */
export interface Concept {
  /** Unique over all taxonomies of the index. */
  readonly id: string;
  /** The address that its publisher gave it. */
  readonly uri?: string;
  /** The name of the taxonomy, as shown: `Skilldock`, `ISCO-08`. */
  readonly source: string;
  readonly kind: ConceptKind;
  readonly labels: Readonly<Record<string, string>>;
  readonly altLabels: Readonly<Record<string, readonly string[]>>;
  readonly description?: Readonly<Record<string, string>>;
  /** Ids of other concepts; missing ids are ignored. */
  readonly links?: Readonly<Partial<Record<LinkName, readonly string[]>>>;
}

/** A phrase to suggest that belongs to no concept, such as a title or a keyword. */
export interface SuggestPhrase {
  readonly text: string;
  readonly lang: string;
  /** 0 to 1: how likely people want it. */
  readonly weight: number;
}

export interface TermIndexOptions {
  /** The main taxonomy, which comes first in `similar`. */
  readonly mainSource: string;
  readonly phrases?: readonly SuggestPhrase[];
  /** Encodes labels; without it, labels are found by words only. */
  readonly encoder?: TextEncoding | undefined;
}

/** How a term matches. The score of otherwise equal matches falls in this order. */
export type MatchStage = 'exact' | 'stem' | 'partial' | 'typo' | 'ngram' | 'meaning' | 'related';

export interface SimilarQuery {
  readonly keywords: string;
  /** Language of the answers, and probably of the keywords. All languages are searched. */
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
  /** The address that the concept's publisher gave it, or else its id. */
  readonly uri: string;
  readonly match: MatchStage;
}

export interface TagQuery extends Pick<SimilarQuery, 'source' | 'max'> {
  readonly text: string;
  readonly lang: string;
  /** Includes tags without evidence; all are then sorted by strength. */
  readonly guesses?: boolean;
  /** Returns the spans of evidence. */
  readonly spans?: boolean;
  /** Finds guesses by words alone, not by meaning. */
  readonly byWords?: boolean;
}

export interface Tag extends Omit<SimilarTerm, 'match'> {
  /** Span of its evidence, end exclusive, in UTF-16 code units; absent for guesses. */
  readonly span?: readonly [start: number, end: number];
}

export interface TagAnswer {
  /** The folded words of the text, joined by spaces. */
  readonly tokenizedText: string;
  /** Best first. Without `guesses`, skills that the text asks for come before mentions. */
  readonly tags: readonly Tag[];
}

export interface TermSuggestQuery extends Pick<SimilarQuery, 'keywords' | 'max'> {
  /** The language whose continuations come first; by default that of most of the words. */
  readonly lang?: string;
  /** Further phrases to complete, beside those of the index. */
  readonly phrases?: readonly OpenPhrase[];
}

export interface OpenPhrase extends Pick<SuggestPhrase, 'text' | 'weight'> {
  /** The folded words of the text. */
  readonly words: readonly string[];
}

export interface TermSuggestion {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
  /** Absent for a phrase of no concept. */
  readonly concept?: Pick<ConceptEntry, 'uri' | 'source'>;
}

export interface TermSuggestAnswer {
  /** The words that were searched for: folded, corrected, without function words. */
  readonly keywordsTransformed: readonly string[];
  readonly suggestions: readonly TermSuggestion[];
  /** `exact` if the words were completed as typed; `loose` if they were corrected, or there are
   *  only similar terms. */
  readonly quality: 'exact' | 'loose' | 'none';
}

export interface ConceptEntry extends Pick<Concept, 'id' | 'source' | 'kind'> {
  /** The address that its publisher gave it, or else its id. */
  readonly uri: string;
  /** The preferred label of each language. */
  readonly labels: readonly { readonly text: string; readonly lang: string }[];
  /** The alternative labels. */
  readonly alternativeLabels: readonly { readonly text: string; readonly lang: string }[];
  readonly links: readonly { readonly name: LinkName | InverseLinkName; readonly id: string; readonly uri: string }[];
}

export interface TermCounts {
  readonly concepts: number;
  /** The number of preferred and alternative labels. */
  readonly labels: number;
}

/** Answers about the concepts of all taxonomies. Immutable; no method throws for any text. */
export interface TermIndex {
  /** Finds terms similar to the keywords: those of the main taxonomy and their synonyms first, then
   *  those of other taxonomies; each part best first. */
  similar(query: SimilarQuery): readonly SimilarTerm[];
  /** Finds the concepts that a text is about, in time linear in its length. */
  tag(query: TagQuery): TagAnswer;
  suggest(query: TermSuggestQuery): TermSuggestAnswer;
  /** Finds other phrases for spans of a query's folded words; without `lang`, in all languages.
   *  The synonyms of a span are at most 8 other labels of the same concepts, of all languages;
   *  its related phrases are at most 8 labels of related and narrower concepts. */
  expansionsOf(words: readonly string[], lang?: string): readonly Expansion[];
  findConcept(id: string): ConceptEntry | null;
  /** Lists the concepts of a taxonomy, in the order of the index. */
  listConcepts(source: string): Iterable<ConceptEntry>;
  readonly counts: TermCounts;
}
