import { describe, expect, test } from 'vitest';
import { findIds, indexOf, makeDocument, makeQuery } from '../fixtures.ts';

describe('request words', () => {
  const index = indexOf(
    makeDocument({ id: 'guitar', title: 'Guitar chords' }),
    makeDocument({ id: 'course', title: 'Guitar course' }),
    makeDocument({ id: 'other', title: 'A course for beginners' }),
    makeDocument({ id: 'piano', title: 'Le piano', lang: 'fr' }),
  );

  test.each([
    'how do I learn guitar',
    'looking for a course about guitar',
    'guitar for begginers',
    'I want to lern guitar',
  ])('need not be found: %s', (keywords) => {
    const found = findIds(index, { keywords, model: 'extended' });
    expect(found.slice(0, 2).sort()).toEqual(['course', 'guitar']);
  });

  test.each(['how do I learn piano', 'je veux apprendre le piano', 'cours de piano', 'wie lerne ich piano'])(
    'are not asked for by the strict model: %s',
    (keywords) => {
      expect(findIds(index, { keywords, model: 'strict' })).toEqual(['piano']);
      expect(index.search(makeQuery({ keywords, model: 'strict', limit: 1 })).exact).toBe(true);
    },
  );

  test('add a little to the score', () => {
    expect(findIds(index, { keywords: 'guitar course', model: 'strict' })).toEqual(['course', 'guitar']);
  });

  test.each(['first aid', 'zero trust', 'tour guide', 'bases de données'])(
    'are none where nothing else asks: %s',
    (keywords) => {
      const subjects = indexOf(
        makeDocument({ id: 'whole', title: keywords }),
        ...keywords.split(' ').map((word) => makeDocument({ id: word, title: `${word} and more` })),
      );
      expect(findIds(subjects, { keywords, model: 'strict' })).toEqual(['whole']);
      expect(findIds(subjects, { keywords: `${keywords} course`, model: 'strict' })[0]).toBe('whole');
    },
  );

  test('are subjects if they are part of a label', () => {
    const expand = () => [{ start: 0, end: 2, synonyms: [], related: [] }];
    const keywords = 'formation professionnelle';
    const [whole, part] = [keywords, 'vie professionnelle'].map((title) =>
      makeDocument({ id: title, title, lang: 'fr' }),
    );
    const both = indexOf(whole!, part!);
    expect(findIds(both, { keywords, model: 'strict' })).toHaveLength(2);
    expect(findIds(both, { keywords, model: 'strict', expand })).toEqual([keywords]);
  });

  test('are not recognised as typos of a word that documents have', () => {
    const trails = indexOf(
      makeDocument({ id: 'trailing', title: 'Trailing edges' }),
      makeDocument({ id: 'edges', title: 'Edges' }),
    );
    expect(findIds(trails, { keywords: 'trailing edges', model: 'strict' })).toEqual(['trailing']);
    expect(findIds(trails, { keywords: 'traning edges', model: 'strict' }).sort()).toEqual(['edges', 'trailing']);
  });

  test('are searched for if there are no other words', () => {
    expect(findIds(index, { keywords: 'course', model: 'strict' }).sort()).toEqual(['course', 'other']);
  });
});

test('finds two words that are written as one', () => {
  const index = indexOf(
    makeDocument({ id: 'joined', title: 'Cryptocurrency engineering' }),
    makeDocument({ id: 'apart', title: 'Currency markets' }),
  );
  expect(findIds(index, { keywords: 'crypto currency', model: 'strict' })).toEqual(['joined']);
  expect(findIds(index, { keywords: 'currency crypto', model: 'strict' })).toEqual([]);
});

test('does not join function words', () => {
  const index = indexOf(makeDocument({ id: 'joined', title: 'Therapist' }));
  expect(findIds(index, { keywords: 'the rapist' })).toEqual([]);
});

describe('ignores function words of the query’s language', () => {
  const french = makeDocument({ id: 'fr', title: 'Le piano', lang: 'fr' });

  test.each(['van driver', 'EM algorithm', 'MIT algorithms', 'DOS attack', 'tai chi'])(
    'is a word of its own, alone among others: %s',
    (keywords) => {
      const [name, subject] = keywords.split(' ');
      const index = indexOf(
        french,
        makeDocument({ id: 'both', title: keywords }),
        makeDocument({ id: 'subject', title: `${subject} and more` }),
        makeDocument({ id: 'name', title: `${name} and more` }),
      );
      expect(findIds(index, { keywords, model: 'strict' })).toEqual(['both']);
    },
  );

  test.each(['Java para principiantes', 'Kurs für Anfänger mit Java', 'corso di Java', 'curso de Java para todos'])(
    'is left out where others speak for the language, too: %s',
    (keywords) => {
      const index = indexOf(french, makeDocument({ id: 'java', title: 'Java todos' }));
      expect(findIds(index, { keywords, model: 'strict' })).toEqual(['java']);
    },
  );
});

describe('the language of the query', () => {
  const both = (id: string) => [
    makeDocument({ id: `${id} en`, title: 'Management of nature' }),
    makeDocument({ id: `${id} fr`, title: 'Management de la nature', lang: 'fr' }),
  ];
  const only = (lang: string, title: string) =>
    Array.from({ length: 4 }, (_, i) => makeDocument({ id: `${lang} ${i}`, title, lang }));
  const index = indexOf(...both('a'), ...only('en', 'Handling'), ...only('fr', 'Gestion'));
  const managers = (keywords: string, more = {}) =>
    findIds(index, { keywords, ...more }).filter((id) => id.startsWith('a '));

  test('is recognised by function words', () => {
    expect(managers('the management of nature')).toEqual(['a en', 'a fr']);
    expect(managers('le management de la nature')).toEqual(['a fr', 'a en']);
  });

  test('is recognised by other words', () => {
    expect(managers('management handling')).toEqual(['a en', 'a fr']);
    expect(managers('management gestion')).toEqual(['a fr', 'a en']);
  });

  test('is recognised for any number of words', () => {
    expect(managers(`${'the of '.repeat(200)}management`)).toEqual(['a en', 'a fr']);
    expect(managers(`${'le la les des '.repeat(100)}management`)).toEqual(['a fr', 'a en']);
  });

  test('is that of the filter, whatever the words are', () => {
    const lang = { values: ['en'], strict: true };
    expect(managers('le management de la nature', { filters: { lang } })).toEqual(['a en']);
  });
});
