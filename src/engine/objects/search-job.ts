import type { Bitset } from '../bitset.ts';
import type { FacetCounter } from './facets.ts';
import type { CompiledFilter } from './filters.ts';
import type { LiveSegment } from './merge-segments.ts';
import type { FoundGroup, Source } from './posting-sources.ts';
import type { Group } from './query-plan.ts';
import type { TopK } from './top-k.ts';
import type { ObjectQuery } from './types.ts';

/** One search over all segments. */
export interface Job {
  readonly query: ObjectQuery;
  readonly truncated: boolean;
  /** The rarest first, so that the strict model can drop documents early. */
  readonly groups: readonly Group[];
  readonly found: readonly FoundGroup[];
  readonly idfs: readonly number[];
  /** How many groups say what is asked for; those behind only say that something is. */
  readonly required: number;
  /** Language that the query speaks; null where it is open or asked for. */
  readonly lang: string | null;
  readonly coverageOf: (groups: number) => number;
  readonly seed: number;
  readonly facets: FacetCounter | undefined;
  readonly top: TopK;
  total: number;
}

/** A segment with what this query needs of it. */
export interface Part {
  readonly live: LiveSegment;
  readonly filters: readonly CompiledFilter[];
  /** By group: where its words are. */
  readonly sources: readonly (readonly Source[])[];
  /** Documents in the query's language, where it speaks one. */
  readonly inLanguage?: Bitset;
  /** Ordinal of its first document in the whole index. */
  readonly base: number;
}
