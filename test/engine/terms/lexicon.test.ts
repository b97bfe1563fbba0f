import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildStringTable, sortStringsByBytes } from '../../../src/engine/string-table.ts';
import { openWordTable } from '../../../src/engine/terms/lexicon.ts';
import { NONE } from '../../../src/engine/terms/term-data.ts';

const word = fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: 'grapheme', maxLength: 300 }));

it('finds exactly the words of the table', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 200 }), fc.array(word), (own, others) => {
      const words = sortStringsByBytes([...own]);
      const { findWord } = openWordTable(buildStringTable(words));
      expect(words.map(findWord)).toEqual(words.map((_, ordinal) => ordinal));
      for (const other of others) expect(findWord(other)).toBe(words.includes(other) ? words.indexOf(other) : NONE);
    }),
  );
});
