import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import type { BenchQuery, Kind } from '../corpus/queries.ts';
import type { Times } from '../measure.ts';

/** A search engine to be asked. */
export interface Asked {
  readonly name: string;
  /** Kinds of query it can answer. */
  readonly kinds: readonly Kind[];
  /** One query after the other, ten hits each. */
  ask(queries: readonly BenchQuery[]): Times | Promise<Times>;
  /** Of more objects it is not asked: it would take too long. */
  readonly most?: number;
}

/** Seconds, on the clock and of all cores. */
export interface BuildTime {
  readonly buildSeconds: number;
  readonly cpuSeconds: number;
}

/** One to be filled first. */
export interface BenchEngine extends Asked {
  /** Other ways to ask it. */
  readonly ways?: readonly Asked[];
  /** Whether a run before has filled it. */
  readonly isBuilt?: boolean;
  add(batch: readonly ObjectDocument[]): unknown;
  /** What is left to do after the last document; counted as building. */
  finish(): unknown;
  /** How long building took, where it keeps the clock itself. */
  buildTime?(): BuildTime;
  /** Bytes of its index, where it can tell. */
  indexBytes(): number | undefined;
  close(): void;
}

export const HITS = 10;
