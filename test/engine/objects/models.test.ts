import { describe, expect, test } from 'vitest';
import type { Expansion } from '../../../src/engine/objects/types.ts';
import { matchWeights } from '../../../src/engine/objects/weights.ts';
import { findIds, indexOf, makeDocument, makeQuery } from './fixtures.ts';

const index = indexOf(
  makeDocument({ id: 'python', title: 'Python programming' }),
  makeDocument({ id: 'java', title: 'Java programming' }),
  makeDocument({ id: 'nurse', title: 'Les infirmières et la qualité', lang: 'fr' }),
  makeDocument({ id: 'database', title: 'Base de données', lang: 'fr' }),
  makeDocument({ id: 'statistics', title: 'Statistics with tables', description: 'no programming' }),
);

type Phrases = readonly (readonly string[])[];

const expandTo =
  ({ synonyms = [], related = [] }: { readonly synonyms?: Phrases; readonly related?: Phrases }, lang = 'fr') =>
  (words: readonly string[]): Expansion[] => {
    const inLanguage = (phrases: Phrases) => phrases.map((own) => ({ words: own, lang }));
    return [{ start: 0, end: words.length, synonyms: inLanguage(synonyms), related: inLanguage(related) }];
  };

describe('the strict model', () => {
  const strict = (keywords: string, more = {}) => findIds(index, { keywords, model: 'strict', ...more }).sort();

  test('returns documents with every word, in any form and accent', () => {
    expect(strict('programming')).toEqual(['java', 'python', 'statistics']);
    expect(strict('programs python')).toEqual(['python']);
    expect(strict('python java')).toEqual([]);
    expect(strict('infirmier qualites')).toEqual(['nurse']);
    expect(strict('l’infirmière de la qualité')).toEqual(['nurse']);
  });

  test('does not match typos, prefixes and related terms', () => {
    expect(strict('python')).toEqual(['python']);
    expect(strict('pyhton')).toEqual([]);
    expect(strict('progr')).toEqual([]);
    expect(strict('sgbd', { expand: expandTo({ related: [['python']] }) })).toEqual([]);
  });

  test('matches synonyms of one word by several, and of several by one', () => {
    expect(strict('sgbd', { expand: expandTo({ synonyms: [['base', 'de', 'donnees']] }) })).toEqual(['database']);
    expect(strict('care person', { expand: expandTo({ synonyms: [['infirmiere']] }) })).toEqual(['nurse']);
    expect(strict('sgbd', { expand: expandTo({ synonyms: [['base', 'python']] }) })).toEqual([]);
    expect(strict('sgbd', { expand: expandTo({ synonyms: [[], ['de', 'la']] }) })).toEqual([]);
  });

  test('completes the last word with prefix', () => {
    expect(strict('python progr', { prefix: true })).toEqual(['python']);
    expect(strict('pyt program', { prefix: true })).toEqual([]);
  });

  test('returns nothing without words', () => {
    expect(strict('')).toEqual([]);
    expect(strict(' …! ')).toEqual([]);
    expect(strict(' …! python')).toEqual(['python']);
  });
});

describe('the extended model', () => {
  const extended = (keywords: string, more = {}) => findIds(index, { keywords, ...more });

  test('returns documents with any word, those with more words first', () => {
    expect(extended('java base données')[0]).toBe('database');
    expect(extended('python statistics').sort()).toEqual(['python', 'statistics']);
  });

  test.each([
    ['pyhton', 'swapped neighbours'],
    ['pithon', 'another letter'],
    ['pyton', 'a letter left out'],
    ['pythoon', 'a letter too many'],
  ])('takes %s (%s) for a word nobody wrote', (keywords) => {
    expect(index.search(makeQuery({ keywords })).hits).toMatchObject([{ id: 'python', complete: false }]);
  });

  test('does not correct or complete a word that a document has', () => {
    const own = indexOf(makeDocument({ id: 'a', title: 'data' }), makeDocument({ id: 'b', title: 'date database' }));
    expect(findIds(own, { keywords: 'data' })).toEqual(['a']);
    expect(findIds(own, { keywords: 'data', prefix: true })).toEqual(['a', 'b']);
  });

  test('does not match related terms of a common word', () => {
    const many = (count: number) =>
      indexOf(
        ...Array.from({ length: count }, (_, i) => makeDocument({ id: `${i}`, title: 'sgbd' })),
        makeDocument({ id: 'near', title: 'python' }),
      );
    const query = makeQuery({ keywords: 'sgbd', expand: expandTo({ related: [['python']] }) });
    expect(many(999).search(query).total).toBe(1_000);
    expect(many(1_000).search(query).total).toBe(1_000);
  });

  test('weighs related terms less than synonyms, and returns them alone only with looseFrom', () => {
    const expand = expandTo({ synonyms: [['java']], related: [['python']] }, 'en');
    expect(extended('sgbd', { expand })).toEqual(['java']);
    expect(extended('sgbd', { expand, looseFrom: 0 })).toEqual(['java', 'python']);
    const { hits } = index.search(
      makeQuery({ keywords: 'sgbd', looseFrom: 0, expand: expandTo({ related: [['python']] }, 'en') }),
    );
    expect(hits).toMatchObject([{ id: 'python', complete: false }]);
  });

  test('weighs guesses by their weights', () => {
    const scoreOf = (keywords: string) => index.search(makeQuery({ keywords })).hits[0]!.score;
    expect(scoreOf('pyhton') / scoreOf('python')).toBeCloseTo(matchWeights.typo, 3);
  });

  test('leaves out documents with too little of the query', () => {
    const many = indexOf(
      ...Array.from({ length: 50 }, (_, i) => makeDocument({ id: `course-${i}`, title: 'course' })),
      makeDocument({ id: 'kubernetes', title: 'kubernetes' }),
    );
    expect(findIds(many, { keywords: 'course kubernetes' })).toEqual(['kubernetes']);
    expect(findIds(many, { keywords: 'course' })).toHaveLength(10);
  });
});

test('applies stems and function words of a given language, and still matches spellings', () => {
  const own = indexOf(
    makeDocument({ id: 'de', title: 'Die Schule', lang: 'de' }),
    makeDocument({ id: 'en', title: 'Running school' }),
  );
  expect(findIds(own, { keywords: 'die Schulen', model: 'strict', langs: ['de'] })).toEqual(['de']);
  expect(findIds(own, { keywords: 'running', model: 'strict', langs: ['fr'] })).toEqual(['en']);
});

test('accepts a language that is the name of an object property', () => {
  const own = indexOf(makeDocument({ id: 'odd', title: 'courses', lang: 'constructor' }));
  expect(findIds(own, { keywords: 'courses', model: 'strict' })).toEqual(['odd']);
});

test('weighs a title more than keywords, and these more than a description', () => {
  const own = indexOf(
    makeDocument({ id: 'description', description: `algebra ${'filler '.repeat(30)}` }),
    makeDocument({ id: 'title', title: 'algebra' }),
    makeDocument({ id: 'author', authors: ['Algebra'] }),
    makeDocument({ id: 'keyword', keywords: ['algebra'] }),
  );
  expect(findIds(own, { keywords: 'algebra' }).slice(0, 2)).toEqual(['title', 'keyword']);
  expect(findIds(own, { keywords: 'algebra' })).toHaveLength(4);
});

test('finds few candidates in long lists, whatever their order', () => {
  const own = indexOf(
    ...Array.from({ length: 400 }, (_, i) =>
      makeDocument({
        id: `object-${i}`,
        title: [3, 7].includes(i % 100) ? 'common running' : 'common',
        lang: i % 100 === 7 ? 'en' : 'xx',
      }),
    ),
  );
  const ids = findIds(own, { keywords: 'running common', model: 'strict' });
  expect(ids.sort()).toEqual([3, 7, 103, 107, 203, 207, 303, 307].map((i) => `object-${i}`).sort());
});

test('makes two terms of the same stem in two languages, and does not stem names', () => {
  const index = indexOf(
    makeDocument({ id: 'asbestos', title: "Travailler avec l'amiante", lang: 'fr' }),
    makeDocument({ id: 'author', title: 'Team learning', authors: ['Amy Edmondson'], lang: 'en' }),
  );
  expect(findIds(index, { keywords: 'amiante' })).toEqual(['asbestos']);
  expect(findIds(index, { keywords: 'amy' })).toEqual(['author']);
});
