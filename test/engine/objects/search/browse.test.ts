import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIndex, loadObjectIndex } from '../../../../src/engine/objects/object-index.ts';
import type { ObjectDocument } from '../../../../src/engine/objects/types.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from '../arbitraries.ts';
import { findIds, indexOf, makeDocument, makeQuery } from '../fixtures.ts';
import { judge, popularityOf } from '../naive-facts.ts';

const browse = { isBrowsing: true } as const;

test('lists all documents, the most popular first and dead ones last', () => {
  const index = indexOf(
    makeDocument({ id: 'dead', popularity: 1, isDead: true }),
    makeDocument({ id: 'known', popularity: 0.4 }),
    makeDocument({ id: 'best', popularity: 0.9 }),
    makeDocument({ id: 'unknown' }),
  );
  expect(findIds(index, browse)).toEqual(['best', 'known', 'unknown', 'dead']);
  expect(findIds(index, { ...browse, offset: 1, limit: 2 })).toEqual(['known', 'unknown']);
  expect(index.search(makeQuery({ ...browse, offset: 9 }))).toMatchObject({ hits: [], total: 4 });
});

test('lists the preferred language first', () => {
  const index = indexOf(
    makeDocument({ id: 'en', popularity: 0.9 }),
    makeDocument({ id: 'fr', lang: 'fr', popularity: 0.1 }),
    makeDocument({ id: 'dead', lang: 'fr', popularity: 1, isDead: true }),
  );
  expect(findIds(index, { ...browse, prefer: 'fr' })).toEqual(['fr', 'en', 'dead']);
  expect(findIds(index, { ...browse, prefer: 'xx' })).toEqual(['en', 'fr', 'dead']);
});

test('lists the shortest first and unknown lengths last, by language', () => {
  const index = indexOf(
    makeDocument({ id: 'long', minutes: 600, popularity: 1 }),
    makeDocument({ id: 'unknown', popularity: 1 }),
    makeDocument({ id: 'short', minutes: 5 }),
    makeDocument({ id: 'fr', lang: 'fr', minutes: 1 }),
    makeDocument({ id: 'dead', minutes: 1, isDead: true }),
  );
  expect(findIds(index, { ...browse, sort: 'shortest', prefer: 'en' })).toEqual([
    'short',
    'long',
    'unknown',
    'fr',
    'dead',
  ]);
});

test('lists documents about a topic before those of a wider topic, within a language', () => {
  const index = indexOf(
    makeDocument({ id: 'held', widerTopics: ['web'], topics: ['html'], popularity: 1 }),
    makeDocument({ id: 'about', topics: ['web'], popularity: 0 }),
    makeDocument({ id: 'fr', lang: 'fr', widerTopics: ['web'], popularity: 0 }),
  );
  const filters = { topic: { values: ['web'], strict: true } };
  expect(findIds(index, { ...browse, filters, prefer: 'fr' })).toEqual(['fr', 'about', 'held']);
});

test('finds the topics of a document in any segment', () => {
  const index = indexOf(makeDocument({ id: 'a', topics: ['06', '0613'], widerTopics: ['0'] }));
  index.search(makeQuery(browse));
  index.put([makeDocument({ id: 'b', topics: ['07'] }), makeDocument({ id: 'c' })]);
  expect(index.findTopics('a')).toEqual({ topics: ['06', '0613'], widerTopics: ['0'] });
  expect(index.findTopics('b')).toEqual({ topics: ['07'], widerTopics: [] });
  expect([index.findTopics('c'), index.findTopics('none')]).toEqual(Array(2).fill({ topics: [], widerTopics: [] }));
});

test('counts topics and facets of the filtered documents, also after loading', () => {
  const built = indexOf(
    makeDocument({ id: 'a', topics: ['06', '0613'], types: ['video'] }),
    makeDocument({ id: 'b', topics: ['06'], types: ['book'] }),
    makeDocument({ id: 'c', types: ['book'] }),
  );
  built.put([makeDocument({ id: 'd', topics: ['06', '0613'], types: ['book'] })]);
  built.remove(['d']);
  const { index } = loadObjectIndex(built.save(null));
  const filters = { topic: { values: ['06'], strict: true } };
  const answer = index.search(makeQuery({ ...browse, filters, details: true }));
  expect(answer.topics).toEqual(
    new Map([
      ['06', { all: 2, preferred: 2 }],
      ['0613', { all: 1, preferred: 1 }],
    ]),
  );
  expect(answer.facets?.type).toEqual(
    new Map([
      ['video', 1],
      ['book', 1],
    ]),
  );
});

test('counts for each topic the documents in the preferred language', () => {
  const index = indexOf(
    makeDocument({ id: 'a', lang: 'fr', topics: ['06'] }),
    makeDocument({ id: 'b', topics: ['06', '07'] }),
  );
  index.search(makeQuery(browse));
  index.put([makeDocument({ id: 'c', topics: ['07'] })]);
  const count = (prefer: string) => index.search(makeQuery({ ...browse, prefer, details: true })).topics;
  expect(count('fr')).toEqual(
    new Map([
      ['06', { all: 2, preferred: 1 }],
      ['07', { all: 2, preferred: 0 }],
    ]),
  );
  expect(count('xx')?.get('06')).toEqual({ all: 2, preferred: 0 });
});

test('does not find topics by keywords', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'zzz', topics: ['python'] }));
  expect(findIds(index, { keywords: 'python' })).toEqual([]);
  expect(findIds(index, { keywords: '\u0002python' })).toEqual([]);
  expect(findIds(index, { keywords: 'zzz' })).toEqual(['a']);
});

test('gives what a plain scan gives', () => {
  const documents = fc.uniqueArray(documentArbitrary(fc.string({ minLength: 1, maxLength: 3 })), {
    selector: ({ id }) => id,
    maxLength: 25,
  });
  fc.assert(
    fc.property(documents, queryArbitrary, fc.constantFrom('en', 'fr'), (all, { filters }, firstLang) => {
      const index = createObjectIndex();
      index.put(all);
      const { hits, total, topics } = index.search(
        makeQuery({ ...browse, filters, prefer: firstLang, limit: 100, details: true }),
      );
      const kept = all.filter((document) => judge(document, filters).every(({ judgement }) => judgement === 'meets'));
      expect(new Set(hits.map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
      expect(total).toBe(kept.length);
      const worth = (document: ObjectDocument) => {
        const known = popularityOf(document) ?? 0.2;
        const isAbout = filters.topic?.values.every((id) => document.topics?.includes(id));
        return known < 0 ? known : known + (document.lang === firstLang ? 2.02 : 0) + (isAbout ? 1.01 : 0);
      };
      // The index keeps 32-bit floats.
      const byId = new Map(all.map((document) => [document.id, Math.round(worth(document) * 1e4)]));
      const worths = hits.map(({ id }) => byId.get(id)!);
      expect(worths).toEqual(worths.toSorted((a, b) => b - a));
      const count = (documents: readonly ObjectDocument[], id: string) =>
        documents.filter((document) => document.topics?.includes(id)).length;
      const spoken = kept.filter(({ lang }) => lang === firstLang);
      const ids = new Set(kept.flatMap((document) => document.topics ?? []));
      expect(topics).toEqual(
        new Map(Array.from(ids, (id) => [id, { all: count(kept, id), preferred: count(spoken, id) }])),
      );
    }),
    propertyRuns(200),
  );
});
