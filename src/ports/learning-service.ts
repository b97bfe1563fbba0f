import type { Quality, Tier } from '#domain/answer';
import type { ListEntry, Provider, Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { QueryWish } from '#domain/query-wishes';
import type { TenantLayer } from './object-catalog.ts';

export interface SimilarRequest {
  readonly keywords: string;
  readonly lang: string;
  /** Extension: only terms of this taxonomy. */
  readonly source?: string;
  /** Extension: 1 to 100; 20 when absent. */
  readonly max?: number;
}

/** A concept of a taxonomy, as it is published. */
export interface ConceptReference {
  readonly uri: string;
  /** Name of the taxonomy. */
  readonly taxonomy: string;
}

export interface Term {
  readonly label: string;
  readonly source: string;
  /** 0 to 1, higher is better; absent if the service gives none. */
  readonly score?: number;
  /** URI of the concept; from the embedded engine only. */
  readonly concept?: string;
}

export interface TaggerRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  readonly lang: string;
  /** Extension: only tags of this taxonomy. */
  readonly source?: string;
  /** Extension: 1 to 50; 10 when absent. */
  readonly max?: number;
  /** Embedded engine only: includes tags without evidence. */
  readonly guesses?: boolean;
  /** Embedded engine only: includes the places of the evidence. */
  readonly spans?: boolean;
  /** Embedded engine only: without vectors, in a hundredth of the time. */
  readonly byWords?: boolean;
}

/** Start and end (exclusive) of a part of a text, in UTF-16 units. */
export type TextSpan = readonly [start: number, end: number];

export interface TagSet {
  readonly tokenizedText: string;
  readonly lang: string;
  /** Best first. */
  readonly tags: readonly string[];
  /** Place of the evidence of each tag, null for a guess; absent if not requested. */
  readonly spans?: readonly (TextSpan | null)[];
  /** The concept of each tag; from the embedded engine only. */
  readonly concepts?: readonly ConceptReference[];
}

export interface SuggestRequest {
  readonly keywords: string;
  /** Extension: two-letter code of the language whose suggestions come first. */
  readonly lang?: string;
}

export interface Suggestion {
  readonly label: string;
  /** 0 to 1, higher is better. */
  readonly score: number;
  /** Absent for other phrases, and from other services than the embedded engine. */
  readonly concept?: ConceptReference;
}

export interface SuggestAnswer {
  /** The normalized words that were used. */
  readonly keywordsTransformed: readonly string[];
  readonly suggestions: readonly Suggestion[];
  readonly quality: Quality;
}

/** Number of matching objects by value; not on the specified wire. */
export type Facets = Readonly<Record<'provider' | 'type' | 'bloom' | 'lang', ReadonlyMap<string, number>>>;

export interface BrowseRequest {
  /** Words and `match` of the query are ignored: all of its filters exclude. */
  readonly query: LearningObjectQuery;
  /** Ids of topics; an object must have all of them. */
  readonly topics: readonly string[];
  /** Whether the caller needs the total only, without facets or topics. */
  readonly isForTotal?: boolean;
}

export interface CountedTopic extends Topic {
  readonly objects: number;
  /** Objects in the language of the filter or the preferred one; all without either. */
  readonly preferred: number;
}

export interface BrowseAnswer extends SearchAnswer {
  /** The topics of the request that exist. */
  readonly within: readonly Topic[];
  /** Topics of the matching objects with their numbers; most in the preferred language first. */
  readonly topics: readonly CountedTopic[];
  readonly facets: Facets;
}

export interface AlikeAnswer extends SearchAnswer {
  /** Share of the given object's topics that each object of `content` has, 0 to 1. */
  readonly likeness: readonly number[];
}

export interface CallOptions {
  /** The caller aborts it when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Changes by administrators, for the embedded engine. */
  readonly layer?: TenantLayer | undefined;
  /** The embedded engine accepts feedback only on searches of this tenant. */
  readonly tenantId?: string | undefined;
  /** For searches: includes facets and highlights where the service has them. */
  readonly withDetails?: boolean;
}

/** Ascending ranges of UTF-16 offsets, end exclusive. */
export interface Highlight {
  readonly title: readonly TextSpan[];
  readonly description: readonly TextSpan[];
}

/** A provider whose objects are missing from an answer, at least in part: it was too late, it
 *  failed, or there were too many providers to ask. */
export type MissingPart = { readonly id: string; readonly why: 'late' | 'failed' | 'not-asked' };

export interface SearchAnswer {
  /** Signed identifier of this search, for feedback. */
  readonly requestId: string;
  readonly content: readonly LearningObject[];
  /** Number of the page, from 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
  /** False where `totalItems` is an estimate; true when absent. */
  readonly isTotalExact?: boolean;
  readonly hasMore: boolean;
  readonly quality: Quality;
  /** Absent if nothing is missing. */
  readonly missing?: readonly MissingPart[];
  /** The corrected search, where a typed word is in no object. */
  readonly corrected?: string;
  /** Preferences in the query, which rank objects higher. */
  readonly wishes?: readonly QueryWish[];
  readonly facets?: Facets;
  /** Matches in each object of `content`, in the same order. */
  readonly highlights?: readonly Highlight[];
  /** Tier of each object of `content`; absent if all fit, or the service has no tiers. */
  readonly tiers?: readonly Tier[];
  /** `requestId` of each object of `content`, where an answer combines several searches. */
  readonly requestIds?: readonly string[];
}

export interface Feedback {
  /** Id that is the same for each attempt, so that the receiver can recognise a repetition. */
  readonly id?: string;
  readonly url: string;
  readonly comment?: string;
  readonly requestId: string;
  readonly email: string;
  /** Address of the page or application that sends the feedback. */
  readonly source: string;
}

type Exchange<Request, Answer> = { readonly request: Request; readonly answer: Answer };
type NoParameters = Readonly<Record<string, never>>;

/** The operations with an address: the nine of the specification and `searchMany`.
 *  `contract/operations.ts` describes them on the wire. */
interface WireOperations {
  similar: Exchange<SimilarRequest, readonly Term[]>;
  tagger: Exchange<TaggerRequest, TagSet>;
  suggest: Exchange<SuggestRequest, SuggestAnswer>;
  listProviders: Exchange<NoParameters, readonly Provider[]>;
  listTypes: Exchange<NoParameters, readonly ListEntry[]>;
  listBlooms: Exchange<NoParameters, readonly ListEntry[]>;
  listLanguages: Exchange<NoParameters, readonly ListEntry[]>;
  /** One provider and one language, no types or objectives (see `isSpecifiedQuery`). */
  searchProvider: Exchange<LearningObjectQuery, SearchAnswer>;
  /** Extension: any providers (none: all), any language, types and objectives. Null if the
   *  service lacks it; `services/searching/discovery` then combines searches. */
  searchMany: Exchange<LearningObjectQuery, SearchAnswer | null>;
  feedback: Exchange<Feedback, void>;
}

/** Operations without an address exist in the embedded engine only; other services return null. */
export interface Operations extends WireOperations {
  /** Errors: PROVIDER_UNKNOWN. */
  browse: Exchange<BrowseRequest, BrowseAnswer | null>;
  /** Similar objects in any language, most similar first; 100 at most. */
  findAlike: Exchange<LearningObject, AlikeAnswer | null>;
}

export type OperationName = keyof Operations;
export type WireOperationName = keyof WireOperations;
/** The operations that change nothing. */
export type QuestionName = Exclude<OperationName, 'feedback'>;
export type OperationRequest<N extends OperationName> = Operations[N]['request'];
export type OperationAnswer<N extends OperationName> = Operations[N]['answer'];
/** The answer of a service that has the operation, without null. */
// biome-ignore lint/complexity/noBannedTypes: what TypeScript makes of a value that is not null
export type PresentAnswer<N extends OperationName> = OperationAnswer<N> & ({} | undefined);

/** The embedded engine (`adapters/local`) or an upstream (`adapters/remote`). */
export interface LearningService {
  /** Runs an operation. Errors: PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID
   *  of feedback. Of an upstream also UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED,
   *  UPSTREAM_THROTTLED, UPSTREAM_FAILED, UPSTREAM_PAUSED, UPSTREAM_BUSY, UPSTREAM_ADDRESS_REFUSED,
   *  RESPONSE_INVALID and PARAMETERS_INVALID.
   *  @example await learning.ask('searchProvider', query, { signal }) */
  ask<N extends OperationName>(
    operation: N,
    request: OperationRequest<N>,
    options?: CallOptions,
  ): Promise<OperationAnswer<N>>;
}

export type OperationHandlers = {
  readonly [N in OperationName]: (request: OperationRequest<N>, options: CallOptions) => Promise<OperationAnswer<N>>;
};
