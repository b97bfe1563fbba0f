import type { LearningObject } from '../domain/learning-object.ts';
import type { LearningObjectQuery } from '../domain/learning-object-query.ts';
import type { ListEntry, Provider } from '../domain/lists.ts';
import type { Quality } from '../domain/quality.ts';

export interface SimilarRequest {
  readonly keywords: string;
  /** Two-letter code of the query's language. */
  readonly lang: string;
  /** Our extra: only terms of this taxonomy. */
  readonly source?: string;
  /** Our extra: at most this many terms, 1 to 100; 20 when absent. */
  readonly max?: number;
}

export interface Term {
  readonly label: string;
  /** Name of the taxonomy the term belongs to. */
  readonly source: string;
  /** 0 to 1, higher is better; absent where the service gives none. */
  readonly score?: number;
}

export interface TaggerRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  readonly lang: string;
  /** Our extra: only tags of this taxonomy. */
  readonly source?: string;
  /** Our extra: at most this many tags, 1 to 50; 10 when absent. */
  readonly max?: number;
}

export interface TagSet {
  readonly tokenizedText: string;
  readonly lang: string;
  /** Best first. */
  readonly tags: readonly string[];
}

export interface SuggestRequest {
  readonly keywords: string;
}

export interface Suggestion {
  readonly label: string;
  /** 0 to 1, higher is better. */
  readonly score: number;
}

export interface SuggestAnswer {
  /** The normalised words that were used. */
  readonly keywordsTransformed: readonly string[];
  readonly suggestions: readonly Suggestion[];
  readonly quality: Quality;
}

/** How many matching objects have each value; computed for our own faces, absent over the specified wire. */
export interface Facets {
  readonly provider: ReadonlyMap<string, number>;
  readonly type: ReadonlyMap<string, number>;
  readonly bloom: ReadonlyMap<string, number>;
  readonly lang: ReadonlyMap<string, number>;
}

export interface SearchOptions {
  /** Also give facets and highlights where the service can; for our own faces. */
  readonly withDetails?: boolean;
}

/** Half-open ranges of UTF-16 offsets, ascending, that a face can mark. */
export interface Highlight {
  readonly title: readonly (readonly [start: number, end: number])[];
  readonly description: readonly (readonly [start: number, end: number])[];
}

export interface SearchAnswer {
  /** Signed identifier of this search, for feedback. */
  readonly requestId: string;
  readonly content: readonly LearningObject[];
  /** The page given, from 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
  readonly hasMore: boolean;
  readonly quality: Quality;
  readonly facets?: Facets;
  /** What of each object of `content` matched, in the same order; for our own faces. */
  readonly highlights?: readonly Highlight[];
}

export interface Feedback {
  /** Address of the learning object. */
  readonly url: string;
  readonly comment?: string;
  /** `requestId` of the search that returned the object. */
  readonly requestId: string;
  readonly email: string;
  /** Address of the page or application the feedback is sent from. */
  readonly source: string;
}

/** The specification's nine operations. `adapters/local` answers from our engine; an upstream can stand behind it as well.
 *  Errors: PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of feedback. */
export interface LearningService {
  similar(request: SimilarRequest): Promise<readonly Term[]>;
  tagger(request: TaggerRequest): Promise<TagSet>;
  suggest(request: SuggestRequest): Promise<SuggestAnswer>;
  listProviders(): Promise<readonly Provider[]>;
  listTypes(): Promise<readonly ListEntry[]>;
  listBlooms(): Promise<readonly ListEntry[]>;
  listLanguages(): Promise<readonly ListEntry[]>;
  /** Search one provider, or, with none or several in `query.providers`, our extension over many at once. */
  searchProvider(query: LearningObjectQuery, options?: SearchOptions): Promise<SearchAnswer>;
  feedback(feedback: Feedback): Promise<void>;
}
