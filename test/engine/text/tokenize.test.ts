import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/engine/text/fold.ts';
import { cutToken, findCapitalTokens, tokenize } from '../../../src/engine/text/tokenize.ts';

test.each([
  ['Œuvre ÉTÉ Straße Łódź', 'oeuvre ete strasse lodz'],
  ['infirmières', 'infirmieres'],
  ['ﬁn', 'fin'],
  ['plain TEXT', 'plain text'],
  ['한국어', '한국어'],
])('%s folds to %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test('folds a folded text to itself, and composed like decomposed letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aéèœßÅñøIİ ﬁ½') }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
    }),
  );
});

test.each([
  ["L'analyse d’un problème", ['analyse', 'un', 'probleme']],
  ["aujourd'hui qu'il", ['aujourd', 'hui', 'il']],
  ['C++, C# et F#; C', ['c++', 'c#', 'et', 'f#', 'c']],
  ['C++ für Anfänger', ['c++', 'fur', 'anfanger']],
  ['#python #1', ['python', '1']],
  ['node.js / python3.12', ['node', 'js', 'python3', '12']],
  ['données', ['donnees']],
  ['日本語 C#', ['日本語', 'c#']],
  ['', []],
  ['+++ ### …', []],
])('%s has the words %j', (text, words) => {
  expect(tokenize(text)).toEqual(words);
});

test('cuts a very long word between two letters', () => {
  expect(tokenize('x'.repeat(1000))).toEqual(['x'.repeat(40)]);
  expect(cutToken(`${'x'.repeat(39)}𐌰𐌰`)).toBe('x'.repeat(39));
  expect(cutToken(`${'x'.repeat(38)}𐌰𐌰`)).toBe(`${'x'.repeat(38)}𐌰`);
});

test.each([
  ['IT support, not it', ['it']],
  ['APIs and KPIs for HR', ['api', 'kpi', 'hr']],
  ['A Cat in MP3', ['mp3']],
  ['Les métiers de l’IA à l’ÉNA, les TICs', ['ia', 'ena', 'tic']],
  ['CATalogue, éIT, JavaScript', []],
  ['', []],
])('%j writes %j in capitals', (text, words) => {
  expect([...findCapitalTokens(text)]).toEqual(words);
});
