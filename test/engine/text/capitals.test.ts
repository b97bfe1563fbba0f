import { expect, test } from 'vitest';
import { wordsInCapitals } from '../../../src/engine/text/capitals.ts';

test.each([
  ['IT support, not it', ['it']],
  ['APIs and KPIs for HR', ['api', 'kpi', 'hr']],
  ['A Cat in MP3', ['mp3']],
  ['Les métiers de l’IA à l’ÉNA, les TICs', ['ia', 'ena', 'tic']],
  ['CATalogue, éIT, JavaScript', []],
  ['', []],
])('%j writes %j in capitals', (text, words) => {
  expect([...wordsInCapitals(text)]).toEqual(words);
});
