import type { VectorRows } from '#engine/vectors/vector-rows';
import type { ObjectListRequest } from '../object-view.ts';
import type { LiveSegment } from '../segment/segment.ts';
import type { ObjectAnswer, ObjectHit, ObjectQuery } from '../types.ts';
import type { ArrangedHit } from './arrange-hits.ts';
import type { QueryMeaning } from './meaning.ts';

/** One way in which a document may match a word of the query. */
export interface Way {
  /** The word's idf times the weight of such a match; times the term's impact, it is the score. */
  readonly worth: number;
  /** The alternative terms of each word of a phrase. The least impact of the words counts. */
  readonly words: readonly (readonly string[])[];
  readonly isExact: boolean;
}

/** The ways in which a document may match a word of the query; the best one counts. */
export interface WayGroup {
  readonly ways: readonly Way[];
  readonly idf: number;
  /** Set for words that name the subject; request words are not required. */
  readonly isRequired: boolean;
}

export interface WordsPlan {
  readonly kind: 'words';
  readonly query: ObjectQuery;
  readonly groups: readonly WayGroup[];
  /** Sets of groups, by index, that count only together. */
  readonly phrases: readonly (readonly number[])[];
  /** Documents in this language come first; null if none is preferred. */
  readonly lang: string | null;
  readonly seed: number;
  /** `worth` is the score of a likeness of 1. Absent if only words count. */
  readonly meaning?: QueryMeaning & { readonly worth: number };
}

/** Tells another engine what to find and how to rank it, by the formula of DESIGN.md. */
export type ExternalPlan =
  | WordsPlan
  | { readonly kind: 'browse'; readonly query: ObjectQuery }
  | {
      readonly kind: 'alike';
      readonly id: string;
      /** Each term with the score of a document that has only this term; each topic with the scores
       *  of a document about it, and of one that has it as a wider topic. */
      readonly terms: readonly (readonly [term: string, worth: number])[];
      readonly topics: readonly (readonly [topic: string, direct: number, wider: number])[];
    }
  | { readonly kind: 'list'; readonly request: ObjectListRequest };

export interface RankedResult extends Pick<ObjectAnswer, 'total' | 'fitting' | 'facets' | 'topics'> {
  readonly hits: readonly RankedHit[];
}

export interface RankedHit extends ArrangedHit, Pick<ObjectHit, 'lang' | 'provider'> {
  readonly id: string;
  /** Likeness in meaning, 0 to 1, as far as it is evidence. */
  readonly likeness: number;
  /** The rank by the formula of DESIGN.md, comparable with those of this engine. */
  readonly rank: number;
  /** Set if the document meets every filter, and has every word without guesses. */
  readonly isExact: boolean;
}

export interface ExternalResult extends RankedResult {
  readonly hits: readonly ExternalHit[];
  /** A row for each hit; absent if the plan has no meaning. */
  readonly vectors?: VectorRows;
}

/** A hit with the factor by which its popularity multiplies the relevance. */
export type ExternalHit = RankedHit & { readonly lift: number };

export interface ExternalObjects {
  /** The words of the documents, without the documents. */
  readonly words: LiveSegment;
  findTopics(id: string): Promise<readonly string[]>;
  find(plan: ExternalPlan, page: { readonly offset: number; readonly limit: number }): Promise<ExternalResult>;
}
