import { expect, test } from 'vitest';
import { createVectorRows, readVectorRow, writeQuantized } from '../../../src/engine/vectors/vector-rows.ts';

const vector = Float32Array.of(0.5, -0.5, 0.5, -0.4, 0.3);

test('a row is about the vector that was given', () => {
  const rows = createVectorRows(5);
  expect(rows.push(vector)).toBe(0);
  for (const [k, value] of readVectorRow(rows, 0).entries()) expect(value).toBeCloseTo(vector[k]!, 2);
});

test('rows stay as they are while they become more than their memory held', () => {
  const rows = createVectorRows(384);
  const many = (64 * 65_536 * 3) / 384;
  const given = Float32Array.from({ length: 384 }, (_, k) => Math.sin(k));
  for (let i = 0; i < many; i++) rows.push(given);
  expect(rows.count).toBe(many);
  expect(readVectorRow(rows, many - 1)).toEqual(readVectorRow(rows, 0));
});

test('what was quantised elsewhere gives the same row', () => {
  const [one, other] = [createVectorRows(5), createVectorRows(5)];
  one.push(vector);
  const bytes = new Int8Array(5);
  const scale = writeQuantized(vector, bytes);
  other.pushBytes(bytes, scale);
  expect(readVectorRow(other, 0)).toEqual(readVectorRow(one, 0));
});

test('whoever holds the numbers of rows sees no more than there were', () => {
  const rows = createVectorRows(5);
  rows.push(vector);
  const { scales } = rows;
  rows.push(vector);
  expect(scales.length).toBe(1);
  expect(rows.scales.length).toBe(2);
});
