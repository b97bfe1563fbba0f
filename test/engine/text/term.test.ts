import { expect, test } from 'vitest';
import { findMatches, toTerm } from '../../../src/engine/text/term.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';

function marked(text: string, query: string, lang: string): string[] {
  const terms = new Set(tokenize(query).map((word) => toTerm(word, lang)));
  return findMatches(text, lang, terms).map(([start, end]) => text.slice(start, end));
}

test.each([
  ["L'analyse des données", 'analyses donnee', 'fr', ['analyse', 'données']],
  ['Les infirmières, œuvre à œuvre', 'infirmier oeuvre', 'fr', ['infirmières', 'œuvre', 'œuvre']],
  ['C++ and C# but not C', 'c++ c#', 'en', ['C++', 'C#']],
  ['Cafe\u0301 au lait', 'café', 'fr', ['Cafe\u0301']],
  [`${'x'.repeat(60)} end`, 'x'.repeat(50), 'en', ['x'.repeat(60)]],
  ['nothing here', 'python', 'en', []],
])('in %j, %j in %s marks %j', (text, query, lang, expected) => {
  expect(marked(text, query, lang)).toEqual(expected);
});
