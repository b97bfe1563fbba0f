import type { VectorRows } from '../../../src/engine/vectors/vector-rows.ts';

/** The vector of a row, apart from rounding. */
export function readVectorRow({ bytes, scales, dimensions }: VectorRows, row: number): Float32Array {
  return Float32Array.from(bytes.subarray(row * dimensions, (row + 1) * dimensions), (byte) => byte * scales[row]!);
}
