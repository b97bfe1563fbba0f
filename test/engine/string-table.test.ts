import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildStringTable,
  countStrings,
  findString,
  findStringLowerBound,
  findStringRange,
  readString,
  readStringTable,
  sortStringsByBytes,
} from '../../src/engine/string-table.ts';

const strings = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 30 });
const encode = (text: string) => Buffer.from(text);

test('reads back every string, including a byte order mark', () => {
  fc.assert(
    fc.property(strings, (list) => {
      expect(readStringTable(buildStringTable(list))).toEqual(list);
    }),
  );
  expect(readString(buildStringTable(['a', '\ufeffb']), 1)).toBe('\ufeffb');
  expect(countStrings(buildStringTable([]))).toBe(0);
});

test('reads back a table of many strings', () => {
  const many = Array.from({ length: 140_000 }, (_, i) => ['', 'é', '𐌰', 'data'][i % 4] + i.toString(36));
  expect(readStringTable(buildStringTable(many)).join(' ')).toBe(many.join(' '));
});

test('sorts strings by bytes, letters outside the basic plane last', () => {
  expect(sortStringsByBytes(['𐌰', 'ﬁ', 'z', 'é'])).toEqual(['z', 'é', 'ﬁ', '𐌰']);
  fc.assert(
    fc.property(strings, (list) => {
      const expected = [...list].sort((a, b) => Buffer.compare(encode(a), encode(b)));
      expect(sortStringsByBytes([...list])).toEqual(expected);
    }),
  );
});

test('finds strings, bounds and prefixes like a scan', () => {
  fc.assert(
    fc.property(strings, fc.string({ unit: 'binary', maxLength: 3 }), (list, wanted) => {
      const sorted = sortStringsByBytes([...new Set(list)]);
      const table = buildStringTable(sorted);
      expect(findString(table, wanted)).toBe(sorted.indexOf(wanted));
      const below = sorted.filter((text) => Buffer.compare(encode(text), encode(wanted)) < 0);
      expect(findStringLowerBound(table, wanted)).toBe(below.length);
      expect(sorted.slice(...findStringRange(table, wanted))).toEqual(sorted.filter((text) => text.startsWith(wanted)));
      for (const [i, text] of sorted.entries()) expect(findString(table, text)).toBe(i);
    }),
  );
});
