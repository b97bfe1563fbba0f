import type { TextEncoding } from '../vectors/vectors.ts';

/** A learning object as the index sees it. Absent means unknown. */
export interface ObjectDocument {
  /** Unique over the index; a document with the same id replaces the one before. */
  readonly id: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly description: string;
  /** Organisations; searchable as text and by the `publisher` filter. */
  readonly publishers: readonly string[];
  readonly authors: readonly string[];
  /** Two-letter code; chooses the stemmer. */
  readonly lang: string;
  readonly provider: string;
  readonly types: readonly string[];
  readonly blooms: readonly string[];
  /** Ids of what it is about, to browse by; not searched for. */
  readonly topics?: readonly string[];
  /** Those that only hold what it is about: of all that has such a topic, it comes after what is about the topic itself. */
  readonly widerTopics?: readonly string[];
  /** -1 to 1. */
  readonly level?: number;
  readonly minutes?: number;
  /** 0 to 1. */
  readonly popularity?: number;
  /** True where its address no longer answers: it ranks far below comparable ones. */
  readonly isDead?: boolean;
  /** Whole years, 0 to 120. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  /** Degrees. */
  readonly lat?: number;
  readonly lon?: number;
  readonly free?: boolean;
  /** What it means; of length 1. */
  readonly vector?: Float32Array;
}

/** A document as something that others are compared with. */
export type ObjectText = Pick<ObjectDocument, 'id' | 'title' | 'keywords' | 'description' | 'lang'>;

/** The filters by value; each has one bitset per value. */
export const valueFields = ['provider', 'type', 'bloom', 'lang'] as const;
export type ValueField = (typeof valueFields)[number];

export type FilterName =
  | ValueField
  | 'topic'
  | 'publisher'
  | 'age'
  | 'learningTime'
  | 'level'
  | 'popularity'
  | 'distance'
  | 'free';

/** A strict filter excludes what does not meet it; any other one only ranks it lower. */
interface Strictness {
  readonly strict: boolean;
}

/** Both ends included; an absent end is open. */
export interface RangeFilter extends Strictness {
  readonly min?: number;
  readonly max?: number;
}

export interface ObjectFilters {
  readonly provider?: Strictness & { readonly values: readonly string[] };
  readonly type?: Strictness & { readonly values: readonly string[] };
  readonly bloom?: Strictness & { readonly values: readonly string[] };
  readonly lang?: Strictness & { readonly values: readonly string[] };
  /** The document has every one of the topics. */
  readonly topic?: Strictness & { readonly values: readonly string[] };
  /** Every word of `name` is found in the document's publishers. */
  readonly publisher?: Strictness & { readonly name: string };
  /** The ages of the document overlap this range; years. */
  readonly age?: RangeFilter;
  /** Minutes. */
  readonly learningTime?: RangeFilter;
  readonly level?: RangeFilter;
  readonly popularity?: RangeFilter;
  readonly distance?: Strictness & { readonly lat: number; readonly lon: number; readonly km: number };
  readonly free?: Strictness & { readonly value: boolean };
}

/** Other words for a span of the query's words, half-open by word index: what `expand` gives. */
export interface Expansion {
  readonly start: number;
  readonly end: number;
  /** What means the same. */
  readonly synonyms: readonly Phrase[];
  /** What is near in meaning; used by the extended model only. */
  readonly related: readonly Phrase[];
}

export interface Phrase {
  /** Folded. */
  readonly words: readonly string[];
  /** Two-letter code: in other languages the words are found only as they are written. */
  readonly lang: string;
}

/** What turns the keywords into what is compared with the vectors of documents. */
export type ObjectMeaning = Pick<TextEncoding, 'encode' | 'langs'>;

export interface ObjectQuery {
  readonly keywords: string;
  /** All that was typed, where the keywords are only a part of it: its language is theirs. */
  readonly written?: string;
  /** Find all that the filters leave, whatever the keywords are: the most popular first. */
  readonly isBrowsing?: boolean;
  /** Find what says the same as this one, that one left out: keywords, filters and order do not count then. */
  readonly likeTo?: ObjectText & Pick<ObjectDocument, 'topics'>;
  /** Languages whose stemmers are tried on the keywords; absent means that which the keywords speak, or `prefer`, or every language
   *  of the index. In other languages words are found as they are written. */
  readonly langs?: readonly string[];
  /** Language of the person, two-letter code: documents in it come first, unless the keywords are clearly of another one. */
  readonly prefer?: string;
  /** `strict`: every word or a synonym of it is found. `extended`: any word, typos, beginnings, related terms. */
  readonly model: 'strict' | 'extended';
  readonly filters: ObjectFilters;
  readonly sort: 'popularity' | 'shortest' | 'random';
  /** Chooses the shuffle of `sort: 'random'`. */
  readonly seed?: string;
  /** Extended model: what is near in meaning comes before what says as much, and is found where words say too little. */
  readonly meaning?: ObjectMeaning;
  /** Extended model: also what shares little with the keywords. */
  readonly isLoose?: boolean;
  /** Take the last word as the beginning of a word, for search as one types. */
  readonly prefix?: boolean;
  /** Rank of the first hit wanted, from 0. */
  readonly offset: number;
  /** Hits wanted, at least 1. */
  readonly limit: number;
  /** Also count facets and name the stems that matched, for a page that shows them. */
  readonly details?: boolean;
  /** Gives other words for the query's words (folded, without function words). */
  readonly expand?: (words: readonly string[], lang: string | undefined) => readonly Expansion[];
}

/** All of the first come before the next: what fits the keywords in their language, what fits them in another one, and what only
 *  shares something with them. */
export type HitTier = 'fitting' | 'other-language' | 'close';

export interface ObjectHit {
  readonly id: string;
  /** Unitless, comparable within one answer. */
  readonly score: number;
  readonly tier: HitTier;
  /** Filters this document does not meet; only with filters that are not strict. */
  readonly unmet: readonly FilterName[];
  /** Whether every word of the query was found as it is, in another form, or as a synonym. */
  readonly complete: boolean;
}

export type Facets = Readonly<Record<ValueField, ReadonlyMap<string, number>>>;

/** Documents that have a topic. */
export interface TopicCount {
  readonly all: number;
  /** Those in the language that the query prefers; all where it prefers none. */
  readonly preferred: number;
}

export interface ObjectAnswer {
  readonly hits: readonly ObjectHit[];
  readonly total: number;
  /** How many of them are more than close. */
  readonly fitting: number;
  /** Whether the `limit` best hits meet every filter and have every word, whatever `offset` is. */
  readonly exact: boolean;
  /** For folded words of the query that no document has: what each was taken for. Not empty; absent where nothing is found. */
  readonly corrections?: ReadonlyMap<string, string>;
  /** How many matches each value would leave without the filter on its own field; with `details`. */
  readonly facets?: Facets;
  /** How many of the matches have each topic; of what is browsed, with `details`. */
  readonly topics?: ReadonlyMap<string, TopicCount>;
  /** Terms that matched, to mark texts with `findMatches`; with `details`. */
  readonly terms?: ReadonlySet<string>;
}
