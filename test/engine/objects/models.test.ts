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
  (
    { synonyms = [], related = [] }: { readonly synonyms?: Phrases; readonly related?: Phrases },
    lang = 'fr',
  ) =>
  (words: readonly string[]): Expansion[] => {
    const inLanguage = (phrases: Phrases) => phrases.map((own) => ({ words: own, lang }));
    return [{ start: 0, end: words.length, synonyms: inLanguage(synonyms), related: inLanguage(related) }];
  };

describe('the strict model', () => {
  const strict = (keywords: string, more = {}) =>
    findIds(index, { keywords, model: 'strict', ...more }).sort();

  test('wants every word, in any form and accent', () => {
    expect(strict('programming')).toEqual(['java', 'python', 'statistics']);
    expect(strict('programs python')).toEqual(['python']);
    expect(strict('python java')).toEqual([]);
    expect(strict('infirmier qualites')).toEqual(['nurse']);
    expect(strict('l’infirmière de la qualité')).toEqual(['nurse']);
  });

  test('takes no typos, no beginnings and nothing related', () => {
    expect(strict('pyhton')).toEqual([]);
    expect(strict('progr')).toEqual([]);
    expect(strict('sgbd', { expand: expandTo({ related: [['python']] }) })).toEqual([]);
  });

  test('takes synonyms of several words for one, and of one for several', () => {
    expect(strict('sgbd', { expand: expandTo({ synonyms: [['base', 'de', 'donnees']] }) })).toEqual([
      'database',
    ]);
    expect(strict('care person', { expand: expandTo({ synonyms: [['infirmiere']] }) })).toEqual(['nurse']);
    expect(strict('sgbd', { expand: expandTo({ synonyms: [['base', 'python']] }) })).toEqual([]);
    expect(strict('sgbd', { expand: expandTo({ synonyms: [[], ['de', 'la']] }) })).toEqual([]);
  });

  test('completes the last word where it is asked to', () => {
    expect(strict('python progr', { prefix: true })).toEqual(['python']);
    expect(strict('pyt program', { prefix: true })).toEqual([]);
  });

  test('finds nothing without words', () => {
    expect(strict('')).toEqual([]);
    expect(strict(' …! ')).toEqual([]);
  });
});

describe('the extended model', () => {
  const extended = (keywords: string, more = {}) => findIds(index, { keywords, ...more });

  test('wants any word, and more of them first', () => {
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

  test('does not take a word that somebody wrote for a typo or a beginning', () => {
    const own = indexOf(
      makeDocument({ id: 'a', title: 'data' }),
      makeDocument({ id: 'b', title: 'date database' }),
    );
    expect(findIds(own, { keywords: 'data' })).toEqual(['a']);
    expect(findIds(own, { keywords: 'data', prefix: true })).toEqual(['a', 'b']);
  });

  test('takes nothing related for a word that many documents have', () => {
    const many = (count: number) =>
      indexOf(
        ...Array.from({ length: count }, (_, i) => makeDocument({ id: `${i}`, title: 'sgbd' })),
        makeDocument({ id: 'near', title: 'python' }),
      );
    const query = makeQuery({ keywords: 'sgbd', expand: expandTo({ related: [['python']] }) });
    expect(many(999).search(query).total).toBe(1_000);
    expect(many(1_000).search(query).total).toBe(1_000);
  });

  test('takes related terms for less than synonyms, and alone only where it is loose', () => {
    const expand = expandTo({ synonyms: [['java']], related: [['python']] }, 'en');
    expect(extended('sgbd', { expand })).toEqual(['java']);
    expect(extended('sgbd', { expand, isLoose: true })).toEqual(['java', 'python']);
    const { hits } = index.search(
      makeQuery({ keywords: 'sgbd', isLoose: true, expand: expandTo({ related: [['python']] }, 'en') }),
    );
    expect(hits).toMatchObject([{ id: 'python', complete: false }]);
  });

  test('values a guess as its weight says', () => {
    const scoreOf = (keywords: string) => index.search(makeQuery({ keywords })).hits[0]!.score;
    expect(scoreOf('pyhton') / scoreOf('python')).toBeCloseTo(matchWeights.typo, 3);
  });

  test('shows nothing that has too little of what was asked', () => {
    const many = indexOf(
      ...Array.from({ length: 50 }, (_, i) => makeDocument({ id: `course-${i}`, title: 'course' })),
      makeDocument({ id: 'kubernetes', title: 'kubernetes' }),
    );
    expect(findIds(many, { keywords: 'course kubernetes' })).toEqual(['kubernetes']);
    expect(findIds(many, { keywords: 'course' })).toHaveLength(10);
  });
});

test('with a language, words are stemmed and left out by its rules, and still found by their spelling', () => {
  const own = indexOf(
    makeDocument({ id: 'de', title: 'Die Schule', lang: 'de' }),
    makeDocument({ id: 'en', title: 'Running school' }),
  );
  expect(findIds(own, { keywords: 'die Schulen', model: 'strict', langs: ['de'] })).toEqual(['de']);
  expect(findIds(own, { keywords: 'running', model: 'strict', langs: ['fr'] })).toEqual(['en']);
});

test('a document whose language is a name of every object does no harm', () => {
  const own = indexOf(makeDocument({ id: 'odd', title: 'courses', lang: 'constructor' }));
  expect(findIds(own, { keywords: 'courses', model: 'strict' })).toEqual(['odd']);
});

test('a title counts more than keywords, and these more than a description', () => {
  const own = indexOf(
    makeDocument({ id: 'description', description: `algebra ${'filler '.repeat(30)}` }),
    makeDocument({ id: 'title', title: 'algebra' }),
    makeDocument({ id: 'author', authors: ['Algebra'] }),
    makeDocument({ id: 'keyword', keywords: ['algebra'] }),
  );
  expect(findIds(own, { keywords: 'algebra' }).slice(0, 2)).toEqual(['title', 'keyword']);
  expect(findIds(own, { keywords: 'algebra' })).toHaveLength(4);
});

test('few candidates are found in long lists, in whatever order the forms of the first word left them', () => {
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

test('the same stem in two languages is two terms, and names are not stemmed', () => {
  const index = indexOf(
    makeDocument({ id: 'asbestos', title: "Travailler avec l'amiante", lang: 'fr' }),
    makeDocument({ id: 'author', title: 'Team learning', authors: ['Amy Edmondson'], lang: 'en' }),
  );
  expect(findIds(index, { keywords: 'amiante' })).toEqual(['asbestos']);
  expect(findIds(index, { keywords: 'amy' })).toEqual(['author']);
});
