import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectView, type ObjectListRequest } from '../../../src/engine/objects/object-view.ts';
import { selectSegments } from '../../../src/engine/objects/segment/segment.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from './arbitraries.ts';
import { indexOf, makeDocument, makeQuery } from './fixtures.ts';

const request: ObjectListRequest = { filters: {}, sort: 'popularity', offset: 0, limit: 100 };
const documentOf = (id: string, title = 'data', more = {}) => makeDocument({ id, title, ...more });

test('replaces documents in a view without changing the index', () => {
  const big = indexOf(documentOf('a', 'cobol'), documentOf('b', 'java'), documentOf('c', 'pascal'));
  const small = indexOf(documentOf('b', 'kotlin'), documentOf('d', 'java'));
  const view = createObjectView([...big.select(['b', 'none']), ...small.select([])]);
  const find = (keywords: string, within: Pick<typeof view, 'search'> = view) =>
    within.search(makeQuery({ keywords })).hits.map(({ id }) => id);
  expect(find('java')).toEqual(['d']);
  expect(find('kotlin')).toEqual(['b']);
  expect(find('java', big)).toEqual(['b']);
  expect(createObjectView([]).search(makeQuery({ keywords: 'java' })).total).toBe(0);
});

test('gives the same answers as one index of the same documents', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 12 });
  fc.assert(
    fc.property(ids, ids, (replaced, removed) => {
      const title = (number: number) => ['data science', 'java', 'cooking data'][number % 3]!;
      const all = Array.from({ length: 25 }, (_, number) => documentOf(`${number}`, title(number)));
      const changed = replaced.map((number) => documentOf(`${number}`, title(number + 1)));
      const big = indexOf(...all);
      const gone = [...replaced, ...removed].map(String);
      const small = indexOf(...changed);
      const view = createObjectView([...big.select(gone), ...small.select(removed.map(String))]);
      const whole = indexOf(...all);
      whole.put(changed);
      whole.remove(removed.map(String));
      for (const keywords of ['data', 'java', 'cooking data']) {
        const query = makeQuery({ keywords, details: true, limit: 50 });
        const [one, other] = [view.search(query), whole.search(query)];
        expect(one.hits.map(({ id }) => id).sort()).toEqual(other.hits.map(({ id }) => id).sort());
        expect(one.total).toBe(other.total);
        expect(one.facets).toEqual(other.facets);
      }
      expect(view.list(request).total).toBe(whole.stats().documents);
    }),
  );
});

test('lists filtered documents in order, page by page', () => {
  const index = indexOf(
    documentOf('long', 'x', { minutes: 90, popularity: 0.1, types: ['video'] }),
    documentOf('short', 'x', { minutes: 5, popularity: 0.9, lang: 'fr' }),
    documentOf('unknown', 'x', { popularity: 0.5 }),
    documentOf('dead', 'x', { popularity: 1, isDead: true }),
  );
  const view = createObjectView(index.select([]));
  const list = (changes: Partial<ObjectListRequest> = {}) => view.list({ ...request, ...changes });
  expect(list().ids).toEqual(['short', 'unknown', 'long', 'dead']);
  expect(list({ sort: 'shortest' }).ids.slice(0, 2)).toEqual(['short', 'long']);
  expect(list({ sort: 'longest' }).ids.slice(0, 2)).toEqual(['long', 'short']);
  expect(list({ offset: 1, limit: 2 })).toEqual({ ids: ['unknown', 'long'], total: 4 });
  expect(list({ filters: { lang: { values: ['fr'], strict: true } } })).toEqual({ ids: ['short'], total: 1 });
  expect(list({ offset: 9 })).toEqual({ ids: [], total: 4 });
});

test('selects documents by ids, or all others', () => {
  const segments = indexOf(documentOf('a'), documentOf('b'), documentOf('c')).select(['c']);
  const idsOf = (parts: typeof segments) => [...createObjectView(parts).list(request).ids].sort();
  expect(idsOf(selectSegments(segments, ['b', 'c', 'none', 'b'], 'only'))).toEqual(['b']);
  expect(idsOf(selectSegments(segments, ['b', 'c'], 'without'))).toEqual(['a']);
  expect(idsOf(segments)).toEqual(['a', 'b']);
});

test('answers after other queries as a new view answers first', () => {
  const documents = fc.array(documentArbitrary(fc.constantFrom(...'abcdefgh')), { minLength: 1, maxLength: 10 });
  const queries = fc.array(queryArbitrary, { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(documents, queries, (all, asked) => {
      const segments = indexOf(...all).select([]);
      const view = createObjectView(segments);
      // The words of each with the choices of each, so that words come again with other choices.
      const crossed = asked.flatMap(({ filters, offset, limit, details }) =>
        asked.map((query) => ({ ...query, filters, offset, limit, ...(details !== undefined && { details }) })),
      );
      for (const query of [...asked, ...crossed, ...asked])
        expect(view.search(query)).toEqual(createObjectView(segments).search(query));
    }),
    propertyRuns(300),
  );
});
