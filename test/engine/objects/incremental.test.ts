import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIndex, loadObjectIndex, type ObjectIndex } from '../../../src/engine/objects/object-index.ts';
import type { ObjectDocument } from '../../../src/engine/objects/types.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from './arbitraries.ts';
import { makeDocument, makeQuery } from './fixtures.ts';
import { naiveSearch } from './naive-search.ts';

const id = fc.constantFrom(...'abcdefghijkl');

// Languages without stemmer: a spelling is forgotten with its stem only, and here each stem has one
// spelling.
const document = documentArbitrary(id).map((one) => ({ ...one, lang: one.lang === 'en' ? 'xx' : 'yy' }));

type Step =
  | { readonly put: readonly ObjectDocument[] }
  | { readonly remove: readonly string[] }
  | 'compact'
  | 'save and load'
  | 'search';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.array(document, { minLength: 1, maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.uniqueArray(id, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.constant('compact' as const) },
  { weight: 1, arbitrary: fc.constant('save and load' as const) },
  { weight: 4, arbitrary: fc.constant('search' as const) },
);

/** The index after a step; what should be in it is kept in `kept`. */
function take(step: Step, index: ObjectIndex, kept: Map<string, ObjectDocument>): ObjectIndex {
  if (step === 'compact') index.compact();
  else if (step === 'save and load') return loadObjectIndex(index.save(null)).index;
  else if (step === 'search') index.search(makeQuery({ keywords: 'data' }));
  else if ('put' in step) {
    for (const one of step.put) {
      kept.delete(one.id);
      kept.set(one.id, one);
    }
    index.put(step.put);
  } else {
    expect(index.remove(step.remove)).toBe(step.remove.filter((one) => kept.delete(one)).length);
  }
  return index;
}

// Over two seconds of CPU: each try compares all answers with a plain scan.
test('answers like a scan of the remaining documents after any changes, also during merges', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.array(queryArbitrary, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(1, 40, undefined),
      (steps, queries, mergeStep) => {
        const kept = new Map<string, ObjectDocument>();
        const index = steps.reduce((before, one) => take(one, before, kept), createObjectIndex(mergeStep));
        for (const query of queries) {
          const { terms: _, ...answer } = index.search(query);
          expect(answer).toEqual(naiveSearch([...kept.values()], query));
        }
        expect(index.stats().documents).toBe(kept.size);
      },
    ),
    propertyRuns(400),
  );
});

/** 200 documents put 7 at a time with a search between, so that several segments come to be. */
function grownIndex(): { index: ObjectIndex; documents: ObjectDocument[] } {
  const index = createObjectIndex();
  const documents = Array.from({ length: 200 }, (_, i) =>
    makeDocument({
      id: `object-${i}`,
      title: `data course ${i % 7} numb${'abcdefghi'[Math.floor(i / 10) % 9]}${'jklmnopqrs'[i % 10]}`,
      description: i % 2 === 0 ? 'running machines' : 'learn to run a machine',
    }),
  );
  for (let i = 0; i < documents.length; i += 7) {
    index.put(documents.slice(i, i + 7));
    index.search(makeQuery({ keywords: 'data' }));
  }
  return { index, documents };
}

test('gives the same answers with several segments as with one', () => {
  const { index, documents } = grownIndex();
  expect(index.stats().segments).toBeGreaterThan(1);
  const fresh = createObjectIndex();
  fresh.put(documents);
  for (const query of [
    makeQuery({ keywords: 'runs', model: 'strict', limit: 200 }),
    makeQuery({ keywords: 'numb', limit: 200 }),
    makeQuery({ keywords: 'data nimbaj', limit: 200 }),
    makeQuery({ keywords: 'run machine', limit: 200, details: true }),
  ]) {
    expect(index.search(query).total).toBeGreaterThan(0);
    expect(index.search(query)).toEqual(fresh.search(query));
  }
});

test('keeps few segments when documents are added one by one', () => {
  const { index } = grownIndex();
  for (let i = 0; i < 100; i++) {
    index.put([makeDocument({ id: `single-${i}`, title: 'data' })]);
    index.search(makeQuery({ keywords: 'data' }));
  }
  expect(index.stats().segments).toBeLessThanOrEqual(5);
  index.compact();
  expect(index.stats()).toMatchObject({ segments: 1, documents: 300 });
});

test('leaves no trace of a removed document after compaction', () => {
  const index = createObjectIndex();
  const kept = makeDocument({ id: 'kept', title: 'algebra' });
  index.put([kept, makeDocument({ id: 'gone', title: 'botany', lang: 'fr', publishers: ['Rare'] })]);
  index.search(makeQuery({ keywords: 'botany' }));
  index.remove(['gone']);
  index.compact();
  const fresh = createObjectIndex();
  fresh.put([kept]);
  expect(index.save(1)).toEqual(fresh.save(1));
});

test('applies changes during a merge to the merged segment', () => {
  const index = createObjectIndex(1);
  const put = (id: string, title: string) => index.put([makeDocument({ id, title })]);
  for (const id of 'abc') {
    put(id, `data ${id}`);
    index.search(makeQuery({ keywords: 'data' }));
  }
  expect(index.stats().segments).toBe(3);
  index.remove(['a']);
  put('b', 'history');
  for (let i = 0; i < 100; i++) index.search(makeQuery({ keywords: 'data' }));
  expect(index.stats()).toMatchObject({ segments: 1, documents: 2 });
  const fresh = createObjectIndex();
  fresh.put([makeDocument({ id: 'c', title: 'data c' }), makeDocument({ id: 'b', title: 'history' })]);
  for (const keywords of ['data', 'history', 'a', 'b'])
    expect(index.search(makeQuery({ keywords }))).toEqual(fresh.search(makeQuery({ keywords })));
});

test('does not merge a large segment before compaction', () => {
  const index = createObjectIndex();
  const many = Array.from({ length: 2 ** 14 }, (_, i) => makeDocument({ id: `object-${i}`, title: 'data' }));
  index.put(many);
  index.search(makeQuery({ keywords: 'data' }));
  index.put(many.slice(0, -1));
  for (let i = 0; i < 9; i++) index.search(makeQuery({ keywords: 'data' }));
  expect(index.stats()).toMatchObject({ segments: 2, documents: many.length });
  index.compact();
  expect(index.stats()).toMatchObject({ segments: 1, documents: many.length });
});
