import { expect, test } from 'vitest';
import { growableUint8, growableUint32 } from '../../src/engine/arrays.ts';

test('a growable keeps all that was pushed while it grows', () => {
  const values = Array.from({ length: 5000 }, (_, i) => i * 7);
  const words = growableUint32();
  const bytes = growableUint8();
  for (const value of values) {
    words.push(value);
    bytes.push(value & 255);
  }
  expect([...words.finish()]).toEqual(values);
  expect([...bytes.finish()]).toEqual(values.map((value) => value & 255));
  expect([words.length, words.at(4999)]).toEqual([5000, 4999 * 7]);
});
