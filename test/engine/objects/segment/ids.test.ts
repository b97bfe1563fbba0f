import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashString } from '../../../../src/engine/hash.ts';
import {
  addId,
  buildIds,
  createIdTable,
  findId,
  listIds,
  packIds,
  readId,
} from '../../../../src/engine/objects/segment/ids.ts';
import { countStrings } from '../../../../src/engine/string-table.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const id = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc
    .tuple(fc.constantFrom('https://a.example/x/', 'urn:é:', '/', ''), fc.string({ maxLength: 3 }))
    .map(([a, b]) => a + b),
);

test('reads back ids', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), (all) => {
      const ids = buildIds(all);
      expect(listIds(ids)).toEqual(all);
      expect(all.map((_, doc) => readId(ids, doc))).toEqual(all);
    }),
    propertyRuns(200),
  );
});

test('stores a shared prefix once', () => {
  const all = Array.from({ length: 1000 }, (_, i) => `https://${i % 2 ? 'one' : 'other'}.example/objects/${i}`);
  const { prefixes, suffixes } = buildIds([...all, 'https://alone.example/9']);
  expect(countStrings(prefixes)).toBe(3);
  expect(suffixes.bytes.length).toBeLessThan(3000);
});

/** Two of one hash, and half letters. */
const awkward = fc.constantFrom('declinate', 'macallums', 'x\ud800', 'x\ud801', '\ud800/x', '');

test('tells which document had an id before, like a map', () => {
  // Each many times, and more than the first table has room for.
  const all = fc.array(fc.oneof(id, awkward, fc.nat(3000).map(String)), { maxLength: 5000, size: 'max' });
  fc.assert(
    fc.property(all, (ids) => {
      const table = createIdTable();
      const known = new Map<string, number>();
      const expected = ids.map((one, doc) => {
        const before = known.get(one) ?? -1;
        known.set(one, doc);
        return [before, before];
      });
      expect(ids.map((one) => [findId(table, one), addId(table, one)])).toEqual(expected);
      expect([...known.keys()].map((one) => findId(table, one))).toEqual([...known.values()]);
      expect(listIds(packIds(table))).toEqual(ids.map((one) => one.toWellFormed()));
      expect([...table.hashes.finish()]).toEqual(ids.map(hashString));
    }),
    propertyRuns(20),
  );
});
