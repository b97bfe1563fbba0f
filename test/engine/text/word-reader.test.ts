import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenize } from '../../../src/engine/text/tokenize.ts';
import { createWordReader, readWords, spellWord } from '../../../src/engine/text/word-reader.ts';
import { propertyRuns } from '../../helpers/draw.ts';

const pieces = [
  "l'analyse",
  'C++',
  'c#',
  'f#a',
  'Œuvre',
  'été',
  '日本語',
  '’',
  '™',
  ' ',
  'ﬁn',
  '𝒳y',
  'x'.repeat(45),
  'y'.repeat(41),
  'z'.repeat(39),
  // Of one hash.
  'declinate',
  'macallums',
  '12',
  'a\ufeffb',
  'a\u2003b',
  'a\xa0b',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 12 })
    .map((all) => all.join('')),
);

test('numbers each distinct word that tokenize finds', () => {
  const reader = createWordReader();
  const numbers = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      readWords(reader, texts);
      const read = [...reader.words.subarray(0, reader.count)];
      const words = texts.flatMap(tokenize);
      expect(read.map((word) => spellWord(reader, word))).toEqual(words);
      for (const [i, word] of words.entries()) {
        expect(numbers.get(word) ?? read[i]).toBe(read[i]);
        numbers.set(word, read[i] ?? -1);
      }
    }),
    propertyRuns(2000),
  );
});

test('grows beyond its initial capacity', () => {
  const reader = createWordReader();
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i.toString(36)}`);
  for (let pass = 0; pass < 2; pass++) {
    readWords(reader, [words.join(' ')]);
    expect([reader.distinctWords, reader.count, reader.words[99_999]]).toEqual([100_000, 100_000, 99_999]);
  }
  expect([0, 1, 77_777].map((word) => spellWord(reader, word))).toEqual([words[0], words[1], words[77_777]]);
});
