import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { buildStringTable } from '../../../../src/engine/string-table.ts';
import { openWordTable } from '../../../../src/engine/terms/lexicon.ts';
import { createTextReader, createWordLocator } from '../../../../src/engine/terms/tagger/read-text.ts';
import { NO_NAME } from '../../../../src/engine/terms/term-data.ts';
import { findCapitalTokens, tokenize } from '../../../../src/engine/text/tokenize.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const anyText = fc.string({ unit: fc.constantFrom(...'aéZ Ti.it!\n|', ' IT ', 'Go ', "l'") });
/** Words that labels have: one of the names by capitals, and one of the others. */
const readText = createTextReader({ wordTable: openWordTable(buildStringTable(['it', 'work'])) });

function splitWindows(text: string) {
  const { windows, words, wordAt } = readText(text);
  return windows.map(({ from, to, inCapitals }) => {
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    return {
      words: places.map(wordAt),
      namingWords: places.filter((place) => words[place] !== NO_NAME).map(wordAt),
      inCapitals,
    };
  });
}

const namesOf = (text: string) => splitWindows(text).flatMap(({ namingWords }) => namingWords);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Characters of all texts that regular expressions are given, which is all the work there is. */
function charactersScanned(text: string): number {
  let count = 0;
  const prototype = RegExp.prototype as unknown as Record<PropertyKey, (text: string, other?: unknown) => unknown>;
  for (const method of ['test', Symbol.match, Symbol.replace, Symbol.split]) {
    const original = prototype[method]!;
    vi.spyOn(prototype, method as never).mockImplementation(function (this: RegExp, given: string, other: unknown) {
      count += given.length;
      return original.call(this, given, other);
    } as never);
  }
  splitWindows(text);
  vi.restoreAllMocks();
  return count;
}

it.each(['it ', 'can will go ', 'IT ', 'Go it. ', 'été it ', "l'it "])(
  'twice the text is twice the work: %j over and over',
  (piece) => {
    const short = charactersScanned(piece.repeat(1000));
    const long = charactersScanned(piece.repeat(2000));
    expect(short).toBeGreaterThanOrEqual(1000 * piece.length);
    expect(long).toBeLessThanOrEqual(2.1 * short);
    expect(long).toBeLessThanOrEqual(30 * 2000 * piece.length);
  },
);

it('reads each sentence independently', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(splitWindows(`${one}\n${other}`)).toEqual([...splitWindows(one), ...splitWindows(other)]);
    }),
  );
});

it('splits a text into windows of at most sixty words', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (piece, times) => {
      const text = `${piece} `.repeat(times);
      const windows = splitWindows(text);
      expect(windows.every(({ words }) => words.length <= 60)).toBe(true);
      expect(windows.flatMap(({ words }) => words)).toEqual(tokenize(text));
    }),
  );
});

it('tells which words a sentence writes in capitals', () => {
  const letters = ['A', 'Z', 'z', '9', 's', ' ', '-', 'É', 'é', 'ß', '×', '÷', 'Ÿ', 'Ǆ', 'ǅ', 'Я', '²', '½', '𝐀', '٣'];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 }), (sentence) => {
      for (const { inCapitals } of splitWindows(sentence)) expect(inCapitals).toEqual(findCapitalTokens(sentence));
    }),
    propertyRuns(1000),
  );
});

it.each([
  ['You will work in IT', ['you', 'work', 'in', 'it']],
  ['You will like it', ['you', 'like']],
  ['Go, Rust and C++', ['go', 'rust', 'and', 'c++']],
  ['we write Go and like it', ['we', 'write', 'go', 'and', 'like']],
  ['Go home! They go there.', ['home', 'they', 'there']],
])('%j names %j', (text, names) => {
  expect(namesOf(text)).toEqual(names);
});

function locate(text: string) {
  const words = tokenize(text);
  const spanOf = createWordLocator(text, { words: new Uint32Array(words.length), wordAt: (i) => words[i]! });
  return { words, textOf: (from: number, to = from) => text.slice(...(spanOf({ from, to }) ?? [0, 0])) };
}

it('finds the spans of words, however they are folded', () => {
  const { words, textOf } = locate("L’Œuvre d'été :\n ½ litre, C++ & C#… ﬁn 🚲 Vélo");
  expect(words.map((word, i) => [word, textOf(i)])).toEqual([
    ['oeuvre', 'Œuvre'],
    ['ete', 'été'],
    ['1', '½'],
    ['2', '½'],
    ['litre', 'litre'],
    ['c++', 'C++'],
    ['c#', 'C#'],
    ['fin', 'ﬁn'],
    ['velo', 'Vélo'],
  ]);
  expect(textOf(4, 5)).toBe('litre, C++');
});

it('finds the span of every word of a text without elisions', () => {
  const part = fc.constantFrom('a', 'Bé', 'œ', ' ', ' ', ', ', '\n', '3', '½', 'c#', '.', 'ﬁ', '語', '🚲');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const { words, textOf } = locate(parts.join(''));
      for (const [i, word] of words.entries()) expect(tokenize(textOf(i))).toContain(word);
    }),
  );
});
