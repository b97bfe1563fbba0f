import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildIds, listIds, readId } from '../../../../src/engine/objects/segment/ids.ts';
import { countTableStrings } from '../../../../src/engine/string-table.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const id = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc
    .tuple(fc.constantFrom('https://a.example/x/', 'urn:é:', '/', ''), fc.string({ maxLength: 3 }))
    .map(([a, b]) => a + b),
);

test('ids come back as they were', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), (all) => {
      const ids = buildIds(all);
      expect(listIds(ids)).toEqual(all);
      expect(all.map((_, doc) => readId(ids, doc))).toEqual(all);
    }),
    propertyRuns(200),
  );
});

test('a beginning that many share is kept once', () => {
  const all = Array.from(
    { length: 1000 },
    (_, i) => `https://${i % 2 ? 'one' : 'other'}.example/objects/${i}`,
  );
  const { beginnings, rests } = buildIds([...all, 'https://alone.example/9']);
  expect(countTableStrings(beginnings)).toBe(3);
  expect(rests.bytes.length).toBeLessThan(3000);
});
