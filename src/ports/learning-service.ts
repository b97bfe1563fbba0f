import type { Quality, Tier } from '#domain/answer';
import type { ListEntry, Provider, Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { QueryWish } from '#domain/query-wishes';
import type { TenantLayer } from './object-catalog.ts';

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
  /** Id of the concept; of our own engine only, and never on the wire. */
  readonly concept?: string;
}

export interface TaggerRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  readonly lang: string;
  /** Our extra: only tags of this taxonomy. */
  readonly source?: string;
  /** Our extra: at most this many tags, 1 to 50; 10 when absent. */
  readonly max?: number;
  /** Embedded engine only: also tags for which the text has no evidence at one place. */
  readonly guesses?: boolean;
  /** Embedded engine only: also the places of the evidence. */
  readonly spans?: boolean;
  /** Embedded engine only: by words alone, for many texts: a hundredth of the time. */
  readonly byWords?: boolean;
}

/** Half-open, in UTF-16 units. */
export type TextSpan = readonly [start: number, end: number];

export interface TagSet {
  readonly tokenizedText: string;
  readonly lang: string;
  /** Best first. */
  readonly tags: readonly string[];
  /** Place of the evidence for each tag, null for a guess; absent where it was not requested. */
  readonly spans?: readonly (TextSpan | null)[];
  /** Ids of the concepts of the tags; embedded engine only, and never on the wire. */
  readonly concepts?: readonly string[];
}

export interface SuggestRequest {
  readonly keywords: string;
  /** Our extra: two-letter code of the language whose suggestions come first. */
  readonly lang?: string;
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

/** Number of matching objects by value; not on the specified wire. */
export interface Facets {
  readonly provider: ReadonlyMap<string, number>;
  readonly type: ReadonlyMap<string, number>;
  readonly bloom: ReadonlyMap<string, number>;
  readonly lang: ReadonlyMap<string, number>;
}

/** Everything that the filters of a search leave, without words. */
export interface BrowseRequest {
  /** Its words do not count, and whatever `match` is, all of its filters exclude. */
  readonly query: LearningObjectQuery;
  /** Ids; an object has every one of them. */
  readonly topics: readonly string[];
  /** Only how many objects there are is wanted: nothing of them need be counted. */
  readonly isForTotal?: boolean;
}

export interface CountedTopic extends Topic {
  readonly objects: number;
  /** Those in the language of the filter or the preferred one; all without either. */
  readonly preferred: number;
}

export interface BrowseAnswer extends SearchAnswer {
  /** The topics of the request that are known. */
  readonly within: readonly Topic[];
  /** Topics of the matching objects with their numbers; most in the preferred language first. */
  readonly topics: readonly CountedTopic[];
  readonly facets: Facets;
}

export interface AlikeAnswer extends SearchAnswer {
  /** For each object of `content`: share of the given object's topics that it has too, 0 to 1. */
  readonly likeness: readonly number[];
}

export interface CallOptions {
  /** Aborted when nobody waits for the answer any more, so that work on it can be given up. */
  readonly signal?: AbortSignal | undefined;
  /** Changes by administrators, an overlay on the catalogue of the embedded engine. */
  readonly layer?: TenantLayer | undefined;
  /** Whose people ask: the embedded engine takes feedback on a search of this tenant only. */
  readonly tenantId?: string | undefined;
  /** For searches: also facets and highlights, where the service has them. */
  readonly withDetails?: boolean;
}

/** Half-open ranges of UTF-16 offsets, ascending, that a face can mark. */
export interface Highlight {
  readonly title: readonly (readonly [start: number, end: number])[];
  readonly description: readonly (readonly [start: number, end: number])[];
}

/** A provider whose objects are not, or not all, in an answer: it answered too late, it failed, or
 *  there were too many to ask it as well. */
export interface MissingPart {
  readonly id: string;
  readonly why: 'late' | 'failed' | 'not-asked';
}

export interface SearchAnswer {
  /** Signed identifier of this search, for feedback. */
  readonly requestId: string;
  readonly content: readonly LearningObject[];
  /** The page given, from 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
  /** False where `totalItems` is about so many; true when absent. */
  readonly isTotalExact?: boolean;
  readonly hasMore: boolean;
  readonly quality: Quality;
  /** Not empty; absent where nothing is missing. */
  readonly missing?: readonly MissingPart[];
  /** The corrected search, where a typed word is in no object; else absent. */
  readonly corrected?: string;
  /** Wishes in the query, which rank objects higher; absent where there are none. */
  readonly wishes?: readonly QueryWish[];
  readonly facets?: Facets;
  /** What of each object of `content` matched, in the same order; for our own faces. */
  readonly highlights?: readonly Highlight[];
  /** Tier of each object of `content`; absent where all fit, or the service gives none. */
  readonly tiers?: readonly Tier[];
  /** `requestId` of the search that gave each object of `content`, in the same order, where one
   *  answer was put together of several; absent where `requestId` is that of all. */
  readonly requestIds?: readonly string[];
}

export interface Feedback {
  /** Our own id, the same each time it is sent, so that the receiver can recognise a repetition. */
  readonly id?: string;
  /** Address of the learning object. */
  readonly url: string;
  readonly comment?: string;
  /** `requestId` of the search that returned the object. */
  readonly requestId: string;
  readonly email: string;
  /** Address of the page or application the feedback is sent from. */
  readonly source: string;
}

/** An operation: what is asked and what is answered. */
interface Exchange<Request, Answer> {
  readonly request: Request;
  readonly answer: Answer;
}

/** The request of an operation without parameters: `{}`. */
type NoParameters = Readonly<Record<string, never>>;

/** The operations that have an address: the nine of the specification and `searchMany`.
 *  `operations` in `contract/operations.ts` says how each is written on the wire. */
interface WireOperations {
  similar: Exchange<SimilarRequest, readonly Term[]>;
  tagger: Exchange<TaggerRequest, TagSet>;
  suggest: Exchange<SuggestRequest, SuggestAnswer>;
  listProviders: Exchange<NoParameters, readonly Provider[]>;
  listTypes: Exchange<NoParameters, readonly ListEntry[]>;
  listBlooms: Exchange<NoParameters, readonly ListEntry[]>;
  listLanguages: Exchange<NoParameters, readonly ListEntry[]>;
  /** Search as specified: one provider, one language, neither types nor objectives (see
   *  `isSpecifiedLearningQuery`). */
  searchProvider: Exchange<LearningObjectQuery, SearchAnswer>;
  /** Our extension: any number of providers at once, none meaning all; any language; types and
   *  objectives. Null where the service does not have it; `services/searching/discovery` makes up
   *  for that. */
  searchMany: Exchange<LearningObjectQuery, SearchAnswer | null>;
  feedback: Exchange<Feedback, void>;
}

/** All operations. Without an address: of the embedded engine only, null from other services. */
export interface Operations extends WireOperations {
  /** Objects by what they are about. Errors: PROVIDER_UNKNOWN. */
  browse: Exchange<BrowseRequest, BrowseAnswer | null>;
  /** Objects similar to another one, in any language, most similar first; 100 at most. */
  findAlike: Exchange<LearningObject, AlikeAnswer | null>;
}

export type OperationName = keyof Operations;
export type WireOperationName = keyof WireOperations;
/** The operations that change nothing. */
export type QuestionName = Exclude<OperationName, 'feedback'>;
export type OperationRequest<N extends OperationName> = Operations[N]['request'];
export type OperationAnswer<N extends OperationName> = Operations[N]['answer'];
/** The answer of a service that has the operation: not null. */
// biome-ignore lint/complexity/noBannedTypes: what TypeScript makes of a value that is not null
export type PresentAnswer<N extends OperationName> = OperationAnswer<N> & ({} | undefined);

/** Answers the operations, from the embedded engine (`adapters/local`) or an upstream
 *  (`remote`). */
export interface LearningService {
  /** Errors: PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of feedback. Of an
   *  upstream also UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED,
   *  UPSTREAM_THROTTLED, UPSTREAM_FAILED, UPSTREAM_PAUSED, UPSTREAM_BUSY, UPSTREAM_ADDRESS_REFUSED
   *  and RESPONSE_INVALID, and PARAMETERS_INVALID where it refuses what was asked.
   *  @example await learning.ask('searchProvider', query, { signal }) */
  ask<N extends OperationName>(
    operation: N,
    request: OperationRequest<N>,
    options?: CallOptions,
  ): Promise<OperationAnswer<N>>;
}

/** How a service answers each operation. */
export type OperationHandlers = {
  readonly [N in OperationName]: (request: OperationRequest<N>, options: CallOptions) => Promise<OperationAnswer<N>>;
};
