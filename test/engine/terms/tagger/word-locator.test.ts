import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWordLocator } from '../../../../src/engine/terms/tagger/read-text.ts';
import { tokenize } from '../../../../src/engine/text/tokenize.ts';

function locate(text: string) {
  const words = tokenize(text);
  const spanOf = createWordLocator(text, { words: new Uint32Array(words.length), wordAt: (i) => words[i]! });
  return { words, textOf: (from: number, to = from) => text.slice(...(spanOf({ from, to }) ?? [0, 0])) };
}

it('finds words where they stand, whatever folding did to them', () => {
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

it('finds every word of a text without elisions', () => {
  const part = fc.constantFrom('a', 'Bé', 'œ', ' ', ' ', ', ', '\n', '3', '½', 'c#', '.', 'ﬁ', '語', '🚲');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const { words, textOf } = locate(parts.join(''));
      for (const [i, word] of words.entries()) expect(tokenize(textOf(i))).toContain(word);
    }),
  );
});
