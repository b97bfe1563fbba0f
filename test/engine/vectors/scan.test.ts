import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearestRows, measureCosines } from '../../../src/engine/vectors/scan.ts';
import { findCandidateRows } from '../../../src/engine/vectors/sieve.ts';
import type { VectorRows } from '../../../src/engine/vectors/vector-rows.ts';
import { createVectorRows } from '../../../src/engine/vectors/vector-rows.ts';
import { isFullRun, propertyRuns } from '../../helpers/draw.ts';
import { readVectorRow } from './read-vector-row.ts';

/** Numbers that look random, the same for the same seed; each vector of length 1. */
function makeVectors(count: number, dimensions: number, seed: number): Float32Array[] {
  let state = seed + 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function fill(vectors: readonly Float32Array[], dimensions: number) {
  const rows = createVectorRows(dimensions);
  for (const vector of vectors) rows.push(vector);
  return rows.finish();
}

/** The same rows in arrays that WebAssembly cannot read. */
const copy = ({ bytes, ...rows }: VectorRows): VectorRows => ({ ...rows, bytes: bytes.slice() });

function multiplyPlainly(rows: VectorRows, row: number, vector: Float32Array): number {
  return readVectorRow(rows, row).reduce((sum, value, k) => sum + value * vector[k]!, 0);
}

const cases = fc.record({
  count: fc.oneof(fc.nat(40), fc.integer({ min: 1_000, max: isFullRun ? 5_000 : 1_500 })),
  dimensions: fc.constantFrom(7, 8, 16, 64, 256),
  seed: fc.nat(1_000_000),
  max: fc.integer({ min: 1, max: 60 }),
  part: fc.constantFrom(1, 2, 5),
});

test('rows near a vector are among those that their first numbers leave, ascending', () => {
  fc.assert(
    fc.property(cases, fc.double({ min: 0, max: 0.9, noNaN: true }), ({ count, dimensions, seed }, floor) => {
      // As in a table, the first numbers say the most.
      const fade = (vector: Float32Array) => vector.map((value, k) => value / (1 + k / 8));
      const rows = fill(makeVectors(count, dimensions, seed).map(fade), dimensions);
      const vector = fade(makeVectors(1, dimensions, seed + 7)[0]!);
      const cosines = measureCosines(rows, [vector]);
      const least = floor * Math.max(...cosines);
      const found = findCandidateRows(rows, vector, least);
      expect(found).toEqual(findCandidateRows(copy(rows), vector, least));
      const all = new Set(found);
      expect([...found]).toEqual([...all].sort((a, b) => a - b));
      expect([...cosines.keys()].filter((row) => cosines[row]! >= least && !all.has(row))).toEqual([]);
    }),
    propertyRuns(40),
  );
});

test('the nearest rows are those that a plain scan finds, of all and of some', () => {
  fc.assert(
    fc.property(cases, ({ count, dimensions, seed, max, part }) => {
      const rows = fill(makeVectors(count, dimensions, seed), dimensions);
      const vectors = makeVectors(3, dimensions, seed + 7);
      const among = part === 1 ? undefined : Uint32Array.from({ length: Math.floor(count / part) }, (_, i) => i * part);
      for (const vector of vectors) {
        const all = Array.from(among ?? new Uint32Array(count).map((_, i) => i), (row) => ({
          row,
          cosine: multiplyPlainly(rows, row, vector),
        }));
        const best = all.sort((a, b) => b.cosine - a.cosine || a.row - b.row).slice(0, max);
        const { rows: near, cosines } = findNearestRows(rows, vector, { max, ...(among && { among }) });
        expect(near.length).toBe(best.length);
        for (const [i, { cosine }] of best.entries()) {
          // Which of two that are as near comes first may differ: the query is rounded.
          expect(cosines[i]).toBeCloseTo(cosine, 2);
          expect(multiplyPlainly(rows, near[i]!, vector)).toBeCloseTo(cosine, 2);
        }
        expect(new Set(near).size).toBe(near.length);
      }
    }),
    propertyRuns(60),
  );
});

test('without WebAssembly the answer is the same to the last bit', () => {
  fc.assert(
    fc.property(cases, ({ count, dimensions, seed, max }) => {
      const rows = fill(makeVectors(count, dimensions, seed), dimensions);
      const vectors = makeVectors(2, dimensions, seed + 3);
      for (const vector of vectors)
        expect(findNearestRows(rows, vector, { max })).toEqual(findNearestRows(copy(rows), vector, { max }));
      const among = Uint32Array.from({ length: count }, (_, i) => count - 1 - i);
      expect(measureCosines(rows, vectors, among)).toEqual(measureCosines(copy(rows), vectors, among));
      expect(measureCosines(rows, vectors)).toEqual(measureCosines(copy(rows), vectors));
    }),
    propertyRuns(40),
  );
});

describe('what is asked for', () => {
  const [first, second, third] = [
    Float32Array.of(1, 0, 0, 0),
    Float32Array.of(0.6, 0.8, 0, 0),
    Float32Array.of(-1, 0, 0, 0),
  ];
  const rows = fill([third, second, first], 4);

  test('is best first', () => {
    const near = findNearestRows(rows, first, { max: 10 });
    expect([...near.rows]).toEqual([2, 1, 0]);
    expect(near.cosines[0]).toBeCloseTo(1, 3);
    expect(near.cosines[1]).toBeCloseTo(0.6, 2);
    expect(near.cosines[2]).toBeCloseTo(-1, 3);
  });

  test('stands where the row stands among those asked for', () => {
    const cosines = measureCosines(rows, [first, second], Uint32Array.of(0, 2));
    expect([...cosines].map((cosine) => cosine.toFixed(1))).toEqual(['-1.0', '1.0', '-0.6', '0.6']);
  });

  test('is the lower row of equal ones', () => {
    const same = fill([first, first, first, first, first], 4);
    expect([...findNearestRows(same, first, { max: 3 }).rows]).toEqual([0, 1, 2]);
  });

  test('is nothing where there is nothing', () => {
    expect(findNearestRows(fill([], 4), first, { max: 5 }).rows.length).toBe(0);
    expect(measureCosines(rows, [first], new Uint32Array()).length).toBe(0);
  });
});

test('the largest numbers do not overflow, however many there are', () => {
  const dimensions = 4_096;
  const vector = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const near = findNearestRows(fill([vector, vector.map((value) => -value)], dimensions), vector, { max: 2 });
  expect(near.cosines[0]).toBeCloseTo(1, 3);
  expect(near.cosines[1]).toBeCloseTo(-1, 3);
});

test('a vector of nothing is near nothing', () => {
  const near = findNearestRows(fill([new Float32Array(8)], 8), new Float32Array(8), { max: 1 });
  expect([...near.cosines]).toEqual([0]);
});
