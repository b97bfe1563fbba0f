import type { VectorRows } from '#engine/vectors/vectors';
import type { ObjectListRequest } from '../object-view.ts';
import type { LiveSegment } from '../segment/segment.ts';
import type { Facets, HitTier, ObjectQuery, TopicCount } from '../types.ts';
import type { QueryMeaning } from './meaning.ts';

/** One way of finding a word of a query. */
export interface Way {
  /** Its idf and what a match of this kind is worth: times the share that a term is of a document, its score. */
  readonly worth: number;
  /** For each word its terms, of which a document has one; of several words the mean of them counts. */
  readonly words: readonly (readonly string[])[];
  readonly isExact: boolean;
}

export interface WayGroup {
  readonly ways: readonly Way[];
  readonly idf: number;
  /** Names the subject; any other only asks for learning, and need not be found. */
  readonly isRequired: boolean;
}

/** A query by words, as it is understood. */
export interface WordsPlan {
  readonly kind: 'words';
  readonly query: ObjectQuery;
  readonly groups: readonly WayGroup[];
  /** Numbers of groups that count only together. */
  readonly phrases: readonly (readonly number[])[];
  /** Documents in it come first; null where any language is as good. */
  readonly lang: string | null;
  readonly seed: number;
  /** With what the same is worth, as scores; absent where words alone decide. */
  readonly meaning?: QueryMeaning & { readonly worth: number };
}

/** A query as it is understood: what another engine has to find for it, and by what formula (see DESIGN.md). */
export type ExternalPlan =
  | WordsPlan
  | { readonly kind: 'browse'; readonly query: ObjectQuery }
  | {
      readonly kind: 'alike';
      readonly id: string;
      /** Each term with the score of a document that is nothing else; topics are those of `topicFrequencies`. */
      readonly terms: readonly (readonly [term: string, worth: number])[];
      readonly topics: readonly (readonly [topic: string, own: number, wider: number])[];
    }
  | { readonly kind: 'list'; readonly request: ObjectListRequest };

export interface RankedResult {
  readonly hits: readonly RankedHit[];
  readonly total: number;
  /** How many of the hits are more than close. */
  readonly fitting: number;
  readonly facets?: Facets;
  readonly topics?: ReadonlyMap<string, TopicCount>;
}

export interface RankedHit {
  readonly id: string;
  /** As the engine ranks. */
  readonly rank: number;
  readonly tier: HitTier;
  /** Whether it meets every filter, and has every word exactly. */
  readonly isExact: boolean;
}

/** What another engine found. */
export interface ExternalResult extends RankedResult {
  readonly hits: readonly ExternalHit[];
  /** Of the hits, a row each; absent where the plan has no meaning. */
  readonly vectors?: VectorRows;
}

export interface ExternalHit extends RankedHit {
  readonly lang: string;
  /** What its popularity makes of its relevance. */
  readonly lift: number;
}

/** Documents that another engine keeps. */
export interface ExternalObjects {
  /** What is known of them here. */
  readonly words: LiveSegment;
  /** Ids of what a document is about; none where it is not there. */
  findTopics(id: string): Promise<readonly string[]>;
  /** Ranks `offset` to `offset + limit` of what a plan finds. */
  find(
    plan: ExternalPlan,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<ExternalResult>;
}
