import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/engine/text/fold.ts';
import { listDerivedStems, stem, stemmedLanguages } from '../../../src/engine/text/stem.ts';
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

describe('words of one family', () => {
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

  test('a short word and its ending are not taken apart', () => {
    expect(listDerivedStems('flower', 'en')).not.toContain(stem('flow', 'en'));
    expect(listDerivedStems('image', 'fr')).not.toContain('im');
  });

  test('the word itself is not among them, and other languages have none', () => {
    expect(listDerivedStems('jardinage', 'fr')).not.toContain(stem('jardinage', 'fr'));
    for (const lang of ['de', 'xx', 'constructor'])
      expect([...listDerivedStems('arbeiter', lang)]).toEqual([]);
  });
});
