import { type Bitset, createBitset } from '#engine/bitset';
import type { VectorRows } from '#engine/vectors/vector-rows';
import type { LiveSegment } from '../segment/segment.ts';

/** Sum of vectors in integers, so that the order of additions has no effect. */
interface VectorSum {
  readonly steps: Float64Array;
  count: number;
  readonly documents: Bitset;
}

/** Scale of a row, so that the sum of a million rows stays below 2^53. */
const STEPS = 2 ** 30;

const sums = new WeakMap<VectorRows, VectorSum>();

/** The mean nearness of documents to a vector, by cached sums; `count`: documents with a vector. */
export function measureUsual(
  segments: readonly LiveSegment[],
  vector: Float32Array,
): { readonly count: number; readonly mean: number } {
  const total = new Float64Array(vector.length);
  let count = 0;
  for (const { segment, live, liveCount } of segments) {
    const { vectors, isExternal = false } = segment;
    if (vectors === undefined) continue;
    // An external segment has one row, the mean of its documents.
    const { steps, count: rows } = sumRows(vectors, isExternal ? Uint32Array.of(1) : live);
    const times = isExternal ? liveCount : 1;
    for (let k = 0; k < total.length; k++) total[k]! += steps[k]! * times;
    count += rows * times;
  }
  let sum = 0;
  for (let k = 0; k < total.length; k++) sum += total[k]! * vector[k]!;
  return { count, mean: count === 0 ? 0 : sum / STEPS / count };
}

function sumRows(vectors: VectorRows, live: Bitset): VectorSum {
  const sum = sums.get(vectors) ?? {
    steps: new Float64Array(vectors.dimensions),
    count: 0,
    documents: createBitset(vectors.scales.length),
  };
  sums.set(vectors, sum);
  for (let w = 0; w < live.length; w++) {
    const changed = sum.documents[w]! ^ live[w]!;
    if (changed === 0) continue;
    for (let bit = 0; bit < 32; bit++)
      if ((changed >>> bit) & 1) addRow(sum, vectors, { row: 32 * w + bit, sign: (live[w]! >>> bit) & 1 ? 1 : -1 });
    sum.documents[w] = live[w]!;
  }
  return sum;
}

function addRow(
  sum: VectorSum,
  { bytes, scales, dimensions }: VectorRows,
  { row, sign }: { readonly row: number; readonly sign: number },
): void {
  const scale = sign * Math.round(scales[row]! * STEPS);
  if (scale === 0) return;
  sum.count += sign;
  for (let k = 0, at = row * dimensions; k < dimensions; k++, at++) sum.steps[k]! += scale * bytes[at]!;
}
