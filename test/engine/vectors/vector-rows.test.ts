import { expect, test } from 'vitest';
import { runSteps } from '../../../src/engine/run-steps.ts';
import { copyBlockToMemory, createVectorRows, findRowMemory } from '../../../src/engine/vectors/vector-rows.ts';
import { readVectorRow } from './read-vector-row.ts';

const vector = Float32Array.of(0.5, -0.5, 0.5, -0.4, 0.3, 0, 0, 0.1);

function makeRows(count: number) {
  const rows = createVectorRows(8);
  for (let i = 0; i < count; i++) rows.push(vector);
  return rows;
}

test('a row is about the vector that was given, and nothing where there was none', () => {
  const growing = createVectorRows(8);
  expect([growing.push(vector), growing.push(null), growing.count]).toEqual([0, 1, 2]);
  const rows = growing.finish();
  for (const [k, value] of readVectorRow(rows, 0).entries()) expect(value).toBeCloseTo(vector[k]!, 2);
  expect([...readVectorRow(rows, 1)]).toEqual(new Array(8).fill(0));
});

test('rows stay as they are however many there come to be', () => {
  const rows = makeRows(5_000).finish();
  expect(rows.scales).toHaveLength(5_000);
  expect(readVectorRow(rows, 4_999)).toEqual(readVectorRow(rows, 0));
});

test('a row of others is the same row', () => {
  const [one, other] = [makeRows(1).finish(), createVectorRows(8)];
  other.copy(one, 0);
  expect(other.finish()).toEqual(one);
});

test('rows of a block that is copied to a memory are the same rows', () => {
  const rows = makeRows(3).finish();
  const block = runSteps(copyBlockToMemory(new Uint8Array(rows.bytes.buffer)));
  const copied = { ...rows, bytes: new Int8Array(block.buffer, block.byteOffset, block.length) };
  expect(copied).toEqual(rows);
  expect([findRowMemory(rows), findRowMemory(copied)?.rowsAt]).toEqual([undefined, block.byteOffset]);
});
