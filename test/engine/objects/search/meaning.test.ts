import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIndex, loadObjectIndex } from '../../../../src/engine/objects/object-index.ts';
import type { ObjectDocument, ObjectMeaning, ObjectQuery } from '../../../../src/engine/objects/types.ts';
import { MIN_DOCUMENTS_FOR_NEARNESS } from '../../../../src/engine/objects/weights.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from '../arbitraries.ts';
import { indexOf, makeDocument, makeQuery } from '../fixtures.ts';
import { naiveSearch } from '../naive-search.ts';

function toUnit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

const vector = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -2, max: 3 })));

const wordless = { title: '', keywords: [], description: '', publishers: [], authors: [] };

const drawn = fc
  .record({
    documents: fc.array(fc.tuple(documentArbitrary(fc.constant('')), fc.option(vector)), {
      minLength: MIN_DOCUMENTS_FOR_NEARNESS - 15,
      maxLength: MIN_DOCUMENTS_FOR_NEARNESS + 50,
    }),
    queries: fc.array(fc.tuple(queryArbitrary, vector, fc.constantFrom(['en'], ['en', 'fr'])), {
      minLength: 4,
      maxLength: 8,
    }),
    removed: fc.nat(20),
  })
  .map(({ documents, ...rest }) => ({
    ...rest,
    documents: documents.map(([document, ownVector], i) => ({
      ...document,
      // An index forgets a spelling only when no document with its stem is left, see DESIGN.md.
      ...(i < rest.removed && wordless),
      id: `object-${i}`,
      ...(ownVector !== null && { vector: toUnit(ownVector) }),
    })),
  }));

test('with meaning, an index gives the hits, the order, the scores and the counts of a plain scan', () => {
  fc.assert(
    fc.property(drawn, ({ documents, queries, removed }) => {
      const index = createObjectIndex();
      for (let i = 0; i < documents.length; i += 40) {
        index.put(documents.slice(i, i + 40));
        // So that there are several segments.
        index.search(makeQuery({ keywords: 'data' }));
      }
      index.remove(documents.slice(0, removed).map(({ id }) => id));
      const left = documents.slice(removed);
      for (const [query, asked, langs] of queries) {
        const meant = { ...query, meaning: { encode: () => toUnit(asked), langs } };
        const { terms: _, ...answer } = index.search(meant);
        expect(answer).toEqual(naiveSearch(left, meant));
      }
    }),
    // Making a hundred documents smaller takes minutes; the seed tells which they are.
    { ...propertyRuns(30), endOnFailure: true },
  );
});

/** A hundred documents about other things, and these. */
function withOthers(...own: readonly ObjectDocument[]) {
  const others = Array.from({ length: MIN_DOCUMENTS_FOR_NEARNESS }, (_, i) =>
    makeDocument({
      id: `other-${i}`,
      title: 'gardening',
      description: i % 2 === 0 ? 'roses' : 'trees',
      vector: toUnit([i % 2, 1, 0]),
    }),
  );
  return indexOf(...others, ...own);
}

const NEAR = toUnit([0, 0, 1]);
const HALF = toUnit([0.6, 0, 0.8]);
const FAR = toUnit([1, 0, 0]);

/** What is asked is like NEAR. */
function askWith(wanted: Partial<ObjectQuery> & { langs?: ObjectMeaning['langs'] }) {
  const { langs = ['en', 'fr'], ...query } = wanted;
  return makeQuery({ ...query, meaning: { encode: () => NEAR, langs } });
}

const tiersOf = (answer: ReturnType<ReturnType<typeof indexOf>['search']>) =>
  answer.hits.map(({ id, tier }) => `${id}: ${tier}`);

test('of two that say the same, the one near in meaning is first', () => {
  const index = withOthers(
    makeDocument({ id: 'bank', title: 'python', popularity: 0.4, vector: FAR }),
    makeDocument({ id: 'near', title: 'python', vector: HALF }),
  );
  expect(tiersOf(index.search(makeQuery({ keywords: 'python' })))).toEqual(['bank: fitting', 'near: fitting']);
  expect(tiersOf(index.search(askWith({ keywords: 'python' })))).toEqual(['near: fitting', 'bank: fitting']);
});

test('what has some of the words fits where it is near, and says too little where it is not', () => {
  const say = { description: 'now and then they quarrel about who is to clean the kitchen of their office' };
  const index = withOthers(
    makeDocument({ id: 'near', ...say, vector: HALF }),
    makeDocument({ id: 'far', ...say, vector: FAR }),
  );
  const keywords = 'office quarrel mediator';
  expect(tiersOf(index.search(makeQuery({ keywords })))).toEqual([]);
  const answer = index.search(askWith({ keywords }));
  expect(tiersOf(answer)).toEqual(['near: fitting']);
  expect([answer.total, answer.fitting]).toEqual([1, 1]);
});

test('what has no word of the query is close where it is very near, after all that has', () => {
  const index = withOthers(
    makeDocument({ id: 'near', title: 'settling a dispute', vector: NEAR }),
    makeDocument({ id: 'half', title: 'talking', vector: toUnit([0.95, 0, 0.3]) }),
    makeDocument({ id: 'words', title: 'quarrel', vector: FAR }),
  );
  const answer = index.search(askWith({ keywords: 'quarrel' }));
  expect(tiersOf(answer)).toEqual(['words: fitting', 'near: close']);
  for (const keywords of ['zzzzzz', 'the', ''])
    expect(tiersOf(index.search(askWith({ keywords })))).toEqual(['near: close']);
});

test('filters hold for what is found by meaning, and facets count it', () => {
  const index = withOthers(
    makeDocument({ id: 'video', title: 'settling a dispute', types: ['video'], vector: NEAR }),
    makeDocument({ id: 'book', title: 'settling a dispute', types: ['book'], level: 0.5, vector: NEAR }),
  );
  const filters = { type: { values: ['video'], strict: true } };
  const answer = index.search(askWith({ keywords: 'quarrel', filters, details: true }));
  expect(tiersOf(answer)).toEqual(['video: close']);
  expect(Object.fromEntries(answer.facets?.type ?? [])).toEqual({ video: 1, book: 1 });
  const level = { min: 0, max: 1, strict: true };
  expect(tiersOf(index.search(askWith({ keywords: 'quarrel', filters: { level } })))).toEqual(['book: close']);
});

test('the strict model goes by words, and so does an encoder that does not read the language', () => {
  const index = withOthers(
    makeDocument({ id: 'near', title: 'régler un différend', lang: 'fr', vector: NEAR }),
    makeDocument({ id: 'words', title: 'querelle', lang: 'fr', vector: HALF }),
  );
  const query = { keywords: 'querelle', prefer: 'fr' };
  const idsWith = (wanted: Parameters<typeof askWith>[0]) => tiersOf(index.search(askWith(wanted)));
  expect(idsWith(query)).toEqual(['words: fitting', 'near: close']);
  expect(idsWith({ ...query, langs: ['en'] })).toEqual(['words: fitting']);
  expect(idsWith({ ...query, langs: ['en', 'fr'] })).toEqual(['words: fitting', 'near: close']);
  const strict = { ...query, model: 'strict' } as const;
  expect(index.search(askWith(strict))).toEqual(index.search(makeQuery(strict)));
});

test('pages together are the whole answer, each object once', () => {
  const own = Array.from({ length: 30 }, (_, i) =>
    makeDocument({
      id: `own-${i}`,
      title: i % 3 === 0 ? 'quarrel' : 'dispute',
      popularity: (i % 7) / 7,
      vector: toUnit([i % 5, i % 2, 9]),
    }),
  );
  const index = withOthers(...own);
  const ask = (offset: number, limit: number) => index.search(askWith({ keywords: 'quarrel', offset, limit }));
  const whole = ask(0, 100);
  expect(whole.total).toBe(30);
  const pages = Array.from({ length: 6 }, (_, page) => ask(page * 5, 5).hits).flat();
  expect(pages).toEqual(whole.hits);
});

test('among few documents meaning only orders, as it cannot be said what is usual', () => {
  const index = indexOf(
    makeDocument({ id: 'far', title: 'quarrel', vector: FAR }),
    makeDocument({ id: 'words', title: 'quarrel', vector: HALF }),
    makeDocument({ id: 'near', title: 'dispute', vector: NEAR }),
  );
  expect(tiersOf(index.search(askWith({ keywords: 'quarrel' })))).toEqual(['words: fitting', 'far: fitting']);
});

test('gives the same answer after saving and loading', () => {
  const index = withOthers(makeDocument({ id: 'near', title: 'settling a dispute', vector: NEAR }));
  const query = askWith({ keywords: 'quarrel' });
  expect(loadObjectIndex(index.save(null)).index.search(query)).toEqual(index.search(query));
});
