import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildStringTable, sortStringsByBytes } from '../../../../src/engine/string-table.ts';
import { openWordTable } from '../../../../src/engine/terms/lexicon.ts';
import {
  createWordScan,
  finishWordScan,
  scanTextWords,
  startWordScan,
  wordMarks,
} from '../../../../src/engine/terms/tagger/word-scanner.ts';
import { NONE } from '../../../../src/engine/terms/term-data.ts';
import { tokenize } from '../../../../src/engine/text/tokenize.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const known = sortStringsByBytes(['a', 'ab', 'c', 'c++', 'c#', 'ecole', 'strasse', 'язык', '語', '𝒜', 'x'.repeat(40)]);
const table = openWordTable(buildStringTable(known));
const shared = createWordScan(table);

/** What the scanner must say of texts one after another. */
function expectAsTokenized(texts: readonly string[], scan = shared): void {
  startWordScan(scan);
  for (const text of texts) scanTextWords(scan, text);
  const { tokenizedText, words, wordAt } = finishWordScan(scan);
  const wanted = texts.flatMap((text) => tokenize(text));
  expect(tokenizedText).toBe(wanted.join(' '));
  expect(wanted.map((_, place) => wordAt(place))).toEqual(wanted);
  const ordinals = wanted.map((word) => (known.includes(word) ? known.indexOf(word) : NONE));
  expect(Array.from(words)).toEqual(ordinals);
}

const pieces = [
  ...'abcZ 9+#-.',
  "l'",
  'd’',
  'É',
  'ß',
  'œ',
  'ﬁ',
  '\u0301',
  '\u200b',
  '½',
  '™',
  '⁺',
  '＃',
  'я',
  '語',
  '𝒜',
  '😀',
  '👩\u200d💻',
  '\ud835',
  'İ',
  'Σ',
];

it('reads the same words as tokenize, with their ordinals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...known)), maxLength: 30 }), {
        maxLength: 4,
      }),
      (texts) => expectAsTokenized(texts),
    ),
    propertyRuns(500),
  );
});

it('reads every letter as tokenize does, also beside signs', () => {
  for (let first = 0; first < 0x10000; first += 64) {
    expectAsTokenized(
      Array.from({ length: 64 }, (_, i) => String.fromCharCode(first + i)).map(
        (it) => `c${it}a ${it}c+${it}+ c#${it}#`,
      ),
    );
  }
});

it.each([
  ['a sign at the limit', `${'x'.repeat(39)}c++`],
  ['letters that are folded', 'é'.repeat(90)],
  ['letters of two code units', '𝒜'.repeat(45)],
  ['a long word', 'x'.repeat(5000)],
  ['letters that become many', 'ﷺ'.repeat(700)],
  ['words with nothing between them', 'c++'.repeat(3000)],
  ['nothing', ''],
])('cuts and finds: %s', (_, text) => {
  expectAsTokenized([text, 'ab', `${text} ab`], createWordScan(table));
});

it('marks capitals beside emoji', () => {
  startWordScan(shared);
  scanTextWords(shared, 'Nous écrivons Python 😀 et SQL.');
  expect([...finishWordScan(shared).marks].map((mark) => mark & wordMarks.capital)).toEqual(
    [true, false, true, false, true].map((isCapital) => (isCapital ? wordMarks.capital : 0)),
  );
});

it('does not keep capitals of an earlier text', () => {
  startWordScan(shared);
  scanTextWords(shared, 'AAAAA');
  startWordScan(shared);
  scanTextWords(shared, 'ßa œb ﬁc');
  expect([...finishWordScan(shared).marks].map((mark) => mark & wordMarks.capital)).toEqual([0, 0, 0]);
});

it('does not change earlier results', () => {
  const scan = createWordScan(table);
  startWordScan(scan);
  scanTextWords(scan, 'ab c++');
  const before = finishWordScan(scan);
  startWordScan(scan);
  scanTextWords(scan, 'ecole '.repeat(3000));
  expect(finishWordScan(scan).words).toHaveLength(3000);
  expect([before.tokenizedText, before.wordAt(1), Array.from(before.words)]).toEqual([
    'ab c++',
    'c++',
    [known.indexOf('ab'), known.indexOf('c++')],
  ]);
});
