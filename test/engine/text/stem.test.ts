import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/engine/text/fold.ts';
import { stem, stemmedLanguages } from '../../../src/engine/text/stem.ts';
import { isStopword } from '../../../src/engine/text/stopwords.ts';

const stemOf = (word: string, lang: string) => stem(fold(word), lang);

describe('forms of one word meet', () => {
  test.each([
    ['fr', ['infirmieres', 'infirmières', 'infirmier', 'infirmière', 'Infirmiers']],
    ['fr', ['données', 'donnees', 'donnée', 'donnee']],
    ['fr', ['qualités', 'qualite', 'qualité']],
    ['fr', ['développement', 'developpements']],
    ['en', ['running', 'runs', 'run']],
    ['en', ['analysis', 'ANALYSIS']],
    ['es', ['programación', 'programacion']],
    ['es', ['biología', 'biologia', 'biologías']],
    ['pt', ['educação', 'educacao']],
    ['de', ['Bücher', 'bucher']],
    ['it', ['università', 'universita']],
    ['nl', ['computers', 'computer']],
  ])('%s %j', (lang, forms) => {
    expect(new Set(forms.map((form) => stemOf(form, lang))).size).toBe(1);
  });
});

test('different words stay apart', () => {
  expect(stemOf('infirmière', 'fr')).not.toBe(stemOf('infirme', 'fr'));
  expect(stemOf('python', 'en')).not.toBe(stemOf('pyramid', 'en'));
});

test('names with digits or signs, short words and words of unknown languages are left as they are', () => {
  for (const word of ['c++', 'c#', 'html5', 'is']) expect(stem(word, 'en')).toBe(word);
  expect(stem('courses', 'xx')).toBe('courses');
});

test('a language that is the name of something every object has is an unknown language', () => {
  for (const lang of ['constructor', '__proto__', 'toString']) {
    expect(stem('courses', lang)).toBe('courses');
    expect(isStopword('the', lang)).toBe(true);
  }
});

test('every promised language has a stemmer', () => {
  expect([...stemmedLanguages].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']);
});

test('function words are those of the language, or of English and French where it is not known', () => {
  expect([isStopword('die', 'de'), isStopword('die', 'en'), isStopword('die')]).toEqual([true, false, false]);
  expect([isStopword('les'), isStopword('the'), isStopword('it')]).toEqual([true, true, false]);
});
