import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import type { BenchQuery, Kind } from '../corpus/queries.ts';

/** A search engine to be measured. */
export interface BenchEngine {
  readonly name: string;
  add(batch: readonly ObjectDocument[]): void;
  /** What is left to do after the last document; counted as building. */
  finish(): void;
  /** Kinds of query it can answer. */
  readonly kinds: readonly Kind[];
  /** The ids of the ten best. */
  search(query: BenchQuery): string[];
  /** Bytes of its index, where it can tell. */
  indexBytes(): number | undefined;
  close(): void;
}

export const HITS = 10;
