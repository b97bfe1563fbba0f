/** Parameters that can carry `!important`. */
export type QueryFilter =
  | 'lang'
  | 'provider'
  | 'publisher'
  | 'age'
  | 'learningTime'
  | 'level'
  | 'popularity'
  | 'distance'
  | 'free'
  | 'type'
  | 'bloom';

/** A search for learning objects, after its defaults are applied. Ranges include both ends; absent means no limit. */
export interface LearningObjectQuery {
  readonly keywords: string;
  /** Two-letter code of the objects' language; absent means any. */
  readonly lang?: string;
  /** Provider ids; empty means every provider. */
  readonly providers: readonly string[];
  readonly types: readonly string[];
  readonly blooms: readonly string[];
  readonly sort: 'popularity' | 'random';
  readonly match: 'best-effort' | 'strict';
  readonly model: 'strict' | 'extended';
  /** Items per page, 1 to 20. */
  readonly max: number;
  /** From 0. */
  readonly page: number;
  readonly publisher?: string;
  /** Years. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  /** Minutes. */
  readonly learningTimeMin?: number;
  readonly learningTimeMax?: number;
  /** -1 to 1. */
  readonly levelMin?: number;
  readonly levelMax?: number;
  /** 0 to 1. */
  readonly popularityMin?: number;
  /** A place name, with or without street. */
  readonly address?: string;
  /** Kilometres around `address`. */
  readonly distanceMax?: number;
  readonly free?: boolean;
  /** Filters that exclude even when `match` is `best-effort`. */
  readonly important: ReadonlySet<QueryFilter>;
}

/** Whether the specification's search, which knows one provider and one language per call and neither types nor objectives,
 *  can be asked this. */
export function isSpecified({ providers, types, blooms, lang }: LearningObjectQuery): boolean {
  return providers.length === 1 && types.length === 0 && blooms.length === 0 && lang !== undefined;
}
