import type { TextEncoding } from '../vectors/vector-rows.ts';

/** A learning object as the index sees it. A fact that is absent is unknown. */
export interface ObjectDocument {
  /** Unique over the index. */
  readonly id: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly description: string;
  /** Organisations, for keywords and the `publisher` filter. */
  readonly publishers: readonly string[];
  readonly authors: readonly string[];
  /** Two-letter code; chooses the stemmer. */
  readonly lang: string;
  readonly provider: string;
  readonly types: readonly string[];
  readonly blooms: readonly string[];
  /** Ids of its topics, for browsing; keywords do not match them. */
  readonly topics?: readonly string[];
  /** Ids of topics that contain those topics. Documents about a topic itself come before these. */
  readonly widerTopics?: readonly string[];
  /** From -1, for beginners, to 1. */
  readonly level?: number;
  readonly minutes?: number;
  /** 0 to 1. */
  readonly popularity?: number;
  /** Its address no longer answers, so it ranks far below comparable documents. */
  readonly isDead?: boolean;
  /** Whole years, 0 to 120. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  /** The place of a training, in degrees. */
  readonly lat?: number;
  readonly lon?: number;
  readonly free?: boolean;
  readonly marks?: readonly DocumentMark[];
  /** Day of its last change, counted from the year 0; below 2²⁴. */
  readonly day?: number;
  /** The vector of its texts, of length 1. */
  readonly vector?: Float32Array;
}

/** Facts that a filter may require; at most eight. */
export const documentMarks = ['mayShare', 'mayAdapt', 'captions'] as const;
export type DocumentMark = (typeof documentMarks)[number];
export type ObjectText = Pick<ObjectDocument, 'id' | 'title' | 'keywords' | 'description' | 'lang'>;

/** Fields that are filtered and counted by value; the index has a bitset for each value. */
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
  | 'free'
  | 'marks'
  | 'day';

/** A strict filter excludes documents that do not meet it; others rank them lower. */
export interface Strictness {
  readonly strict: boolean;
  /** Set for a wish in the words of the query, which ranks less than a chosen filter. */
  readonly isWish?: boolean;
}

/** A range with inclusive ends; an absent end is open. */
export type RangeFilter = Strictness & { readonly min?: number; readonly max?: number };

/** The document has one of the values; of topics, every one. */
type ValueFilter = Strictness & { readonly values: readonly string[] };

export interface ObjectFilters {
  readonly provider?: ValueFilter;
  readonly type?: ValueFilter;
  readonly bloom?: ValueFilter;
  readonly lang?: ValueFilter;
  readonly topic?: ValueFilter;
  /** Every word of `name` must be in the document's publishers. */
  readonly publisher?: Strictness & { readonly name: string };
  /** A range of years that overlaps with the age range of the document. */
  readonly age?: RangeFilter;
  /** A range of minutes. */
  readonly learningTime?: RangeFilter;
  readonly level?: RangeFilter;
  readonly popularity?: RangeFilter;
  readonly distance?: Strictness & { readonly lat: number; readonly lon: number; readonly km: number };
  readonly free?: Strictness & { readonly value: boolean };
  readonly marks?: Strictness & { readonly values: readonly DocumentMark[] };
  readonly day?: RangeFilter;
}

/** Other phrases for words from `start` to `end` (exclusive) of the query. */
export interface Expansion {
  readonly start: number;
  readonly end: number;
  readonly synonyms: readonly Phrase[];
  /** Phrases with a related meaning, for the extended model. */
  readonly related: readonly Phrase[];
}

export interface Phrase {
  /** Folded words, without function words. */
  readonly words: readonly string[];
  /** Two-letter code of the stemmer; in other languages, words match as they are written. */
  readonly lang: string;
}

/** Encodes keywords as a vector that is compared with the vectors of documents. */
export type ObjectMeaning = Pick<TextEncoding, 'encode' | 'langs'>;

export interface ObjectQuery {
  readonly keywords: string;
  /** Words that add to the score and are not required, such as those of an audience. */
  readonly context?: string;
  /** The whole typed text, if the keywords are a part of it, for detecting the language. */
  readonly written?: string;
  /** Returns all documents that pass the filters, the most popular first, ignoring keywords. */
  readonly isBrowsing?: boolean;
  /** Returns the documents similar to this one, ignoring keywords, filters and sort order. */
  readonly likeTo?: ObjectText & Pick<ObjectDocument, 'topics'>;
  /** Languages whose stemmers are applied to the keywords; in others, words match as written. By
   *  default the language of the query, else `prefer`, else every language of the index. */
  readonly langs?: readonly string[];
  /** The person's language comes first, unless the keywords are clearly in another one. */
  readonly prefer?: string;
  /** Language whose documents come first, in whatever language the keywords are. */
  readonly instruction?: string;
  /** `strict`: every word or a synonym of it. `extended`: some words, or similar ones. */
  readonly model: 'strict' | 'extended';
  readonly filters: ObjectFilters;
  readonly sort: 'popularity' | 'shortest' | 'newest' | 'random';
  /** The seed of the shuffle of `sort: 'random'`. */
  readonly seed?: string;
  /** For the extended model: also ranks by nearness in meaning, and finds documents by it. */
  readonly meaning?: ObjectMeaning;
  /** For the extended model: also returns documents that share little with the keywords, from this
   *  share of the full score on. */
  readonly looseFrom?: number;
  /** Counts all fitting documents; an engine that reads only the first hits would count fewer. */
  readonly countsFitting?: boolean;
  /** The last word is a prefix, for search as you type. */
  readonly prefix?: boolean;
  /** The rank of the first hit to return, from 0. */
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
  /** Also returns facets and the terms that matched. */
  readonly details?: boolean;
  /** Other phrases for the query's words, which are folded and without function words. */
  readonly expand?: (words: readonly string[], lang: string | undefined) => readonly Expansion[];
}

/** From the best to the worst: all hits of a tier precede those of the next. A `close` hit only
 *  shares something with the query. */
export type HitTier = 'fitting' | 'other-language' | 'close';

export interface ObjectHit {
  readonly id: string;
  /** The score, which compares within one answer and has no unit. */
  readonly score: number;
  readonly tier: HitTier;
  readonly lang: string;
  readonly provider: string;
  /** Likeness in meaning, 0 to 1, as far as it is evidence. */
  readonly likeness: number;
  /** The filters that the document does not meet, if they are not strict. */
  readonly unmet: readonly FilterName[];
  /** Tells that the document has every word of the query, in any of its forms or as a synonym. */
  readonly complete: boolean;
}

export type Facets = Readonly<Record<ValueField, ReadonlyMap<string, number>>>;

export interface TopicCount {
  readonly all: number;
  /** The number in the preferred language of the query; all if it has none. */
  readonly preferred: number;
}

export interface ObjectAnswer {
  readonly hits: readonly ObjectHit[];
  readonly total: number;
  /** The number of matches that are not only close. */
  readonly fitting: number;
  /** Set if the first `limit` hits meet every filter and have every word, whatever `offset` is. */
  readonly exact: boolean;
  /** Folded words without documents → the words searched for instead; absent if there are none. */
  readonly corrections?: ReadonlyMap<string, string>;
  /** With `details`: by value, the number of matches without the filter on its field. */
  readonly facets?: Facets;
  /** With `details`, when browsing: by topic, the number of matches. */
  readonly topics?: ReadonlyMap<string, TopicCount>;
  /** With `details`: the terms that matched, for `findMatches`. */
  readonly terms?: ReadonlySet<string>;
}
