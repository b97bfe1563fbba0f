import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';
import type { Encoder } from '../../ports/encoder.ts';

/** The larger, the less the very first places outweigh those after them; the usual value. */
const RANK_OFFSET = 60;

export interface LikenessDeps {
  readonly encoder: Encoder;
  readonly clock: Clock;
  /** Told once a minute at most. */
  onProblem(error: unknown): void;
}

export interface LikenessRequest {
  readonly query: string;
  readonly texts: readonly string[];
  /** Whether this continues an earlier answer: then the order must be as it was then, even if there was none. */
  readonly isContinued: boolean;
  readonly signal: AbortSignal | undefined;
}

/** How similar each text is to a query, by the cosine of their vectors; null where that is unknown.
 *  Errors: the reason of the signal. */
export type FindLikeness = (request: LikenessRequest) => Promise<Float64Array | null>;

const MAX_KEPT = 2_000;
const TOLD_EVERY_MS = 60_000;
/** Models read a few hundred words, and some refuse more. */
const MAX_TEXT_LENGTH = 1_000;
/** Half of a surrogate pair, which the cut may leave; services refuse it. */
const HALF_CHARACTER = /\p{Surrogate}/gu;
const NONE = new Float64Array(0);

/** It remembers what it found, so that the pages of one search have one order. */
export function createLikeness({ encoder, clock, onProblem }: LikenessDeps): FindLikeness {
  const kept = new LRUCache<string, Float64Array>({ max: MAX_KEPT });
  let toldMs = Number.NEGATIVE_INFINITY;

  function tell(error: unknown): void {
    const nowMs = clock.now().getTime();
    if (nowMs - toldMs < TOLD_EVERY_MS) return;
    toldMs = nowMs;
    onProblem(error);
  }

  async function measure(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float64Array> {
    try {
      const [query, ...others] = await encoder.encode(texts, { kind: 'query', signal });
      return Float64Array.from(others, ({ vector }) =>
        query === undefined ? 0 : dotProduct(query.vector, vector),
      );
    } catch (error) {
      signal?.throwIfAborted();
      tell(error);
      return NONE;
    }
  }

  return async ({ query, texts, isContinued, signal }) => {
    const all = [query, ...texts].map(prepare);
    const key = createHash('sha256').update(JSON.stringify(all)).digest('base64url');
    const known = kept.get(key);
    const isTaken = known !== undefined && (known !== NONE || isContinued);
    const found = isTaken ? known : await measure(all, signal);
    kept.set(key, found);
    return found === NONE ? null : found;
  };
}

function prepare(text: string): string {
  return text.trim().slice(0, MAX_TEXT_LENGTH).replace(HALF_CHARACTER, '\ufffd');
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** A new order as indexes into the old one: each item counts by its place in the old order and by its place in order of likeness.
 *  In a tie likeness decides, then the old order.
 *  @param likeness of each, in the old order; more is better
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009. */
export function fuseRanks(likeness: ArrayLike<number>): readonly number[] {
  const indexes = Array.from({ length: likeness.length }, (_, index) => index);
  const byLikeness = indexes.toSorted((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0) || a - b);
  const scores = new Float64Array(likeness.length);
  byLikeness.forEach((index, place) => {
    scores[index] = 1 / (RANK_OFFSET + 1 + index) + 1 / (RANK_OFFSET + 1 + place);
  });
  return byLikeness.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
}
