import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/engine/text/fold.ts';
import { listDerivedStems, stem, stemmedLanguages } from '../../../src/engine/text/stem.ts';
import { isStopword } from '../../../src/engine/text/stopwords.ts';

const stemOf = (word: string, lang: string) => stem(fold(word), lang);

describe('gives the forms of a word the same stem', () => {
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

test('gives different words different stems', () => {
  expect(stemOf('infirmière', 'fr')).not.toBe(stemOf('infirme', 'fr'));
  expect(stemOf('python', 'en')).not.toBe(stemOf('pyramid', 'en'));
});

test('leaves names with digits or signs, short words and words of other languages unchanged', () => {
  for (const word of ['c++', 'c#', 'html5', 'is']) expect(stem(word, 'en')).toBe(word);
  expect(stem('courses', 'xx')).toBe('courses');
});

test('treats the name of an object property as an unknown language', () => {
  for (const lang of ['constructor', '__proto__', 'toString']) {
    expect(stem('courses', lang)).toBe('courses');
    expect(isStopword('the', lang)).toBe(true);
  }
});

test('every promised language has a stemmer', () => {
  expect([...stemmedLanguages].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']);
});

test('recognises function words of the language, or of English and French without one', () => {
  expect([isStopword('die', 'de'), isStopword('die', 'en'), isStopword('die')]).toEqual([true, false, false]);
  expect([isStopword('les'), isStopword('the'), isStopword('it')]).toEqual([true, true, false]);
});

describe('lists the stems of a word family', () => {
  test.each([
    ['fr', 'souder', 'soudage'],
    ['fr', 'soudage', 'soudure'],
    ['fr', 'electricien', 'electrique'],
    ['fr', 'jardin', 'jardinage'],
    ['en', 'electrician', 'electrical'],
    ['en', 'psychology', 'psychologist'],
    ['en', 'painting', 'painter'],
  ])('in %s "%s" leads to "%s", and back', (lang, word, other) => {
    expect(listDerivedStems(word, lang)).toContain(stem(other, lang));
    expect(listDerivedStems(other, lang)).toContain(stem(word, lang));
  });

  test('keeps a short word and its ending together', () => {
    expect(listDerivedStems('flower', 'en')).not.toContain(stem('flow', 'en'));
    expect(listDerivedStems('image', 'fr')).not.toContain('im');
  });

  test('leaves out the word itself, and lists none in other languages', () => {
    expect(listDerivedStems('jardinage', 'fr')).not.toContain(stem('jardinage', 'fr'));
    for (const lang of ['de', 'xx', 'constructor']) expect([...listDerivedStems('arbeiter', lang)]).toEqual([]);
  });
});
