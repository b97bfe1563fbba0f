import { expect, test } from 'vitest';
import { createObjectIndex, loadObjectIndex } from '../../../src/engine/objects/object-index.ts';
import { findIds, indexOf, makeDocument, makeQuery } from './fixtures.ts';

test('answers, saves and loads without documents', () => {
  const index = createObjectIndex();
  expect(index.search(makeQuery({ keywords: 'data', details: true })).total).toBe(0);
  const loaded = loadObjectIndex(index.save('empty'));
  expect(loaded.meta).toBe('empty');
  expect(findIds(loaded.index, { keywords: 'data' })).toEqual([]);
  expect(loaded.index.stats()).toMatchObject({ documents: 0, postings: 0 });
});

test('keeps the last of two documents with one id', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'first' }), makeDocument({ id: 'a', title: 'second' }));
  expect(findIds(index, { keywords: 'first' })).toEqual([]);
  expect(findIds(index, { keywords: 'second' })).toEqual(['a']);
  index.put([makeDocument({ id: 'a', title: 'third' })]);
  expect([findIds(index, { keywords: 'second' }), findIds(index, { keywords: 'third' })]).toEqual([[], ['a']]);
  expect(index.stats().documents).toBe(1);
});

test('distinguishes ids with the same hash, before and after a search', () => {
  const index = indexOf(makeDocument({ id: 'declinate', title: 'data' }));
  index.put([makeDocument({ id: 'macallums', title: 'data' }), makeDocument({ id: 'x\ud800', title: 'data' })]);
  expect(index.remove(['declinate'])).toBe(1);
  expect(index.search(makeQuery({ keywords: 'data' })).total).toBe(2);
  expect([index.remove(['declinate']), index.remove(['x\ud800']), index.remove(['macallums'])]).toEqual([0, 1, 1]);
});

test('finds long texts by each of their words', () => {
  const words = Array.from({ length: 5_000 }, (_, i) => `word${i.toString(36)}`);
  const document = { description: words.join(' ') };
  const index = indexOf(makeDocument({ id: 'a', ...document }), makeDocument({ id: 'b', ...document }));
  for (const keywords of [words[0], words[300], words[4_999]])
    expect(index.search(makeQuery({ keywords: keywords ?? '', model: 'strict' })).total).toBe(2);
});

// Over two seconds of CPU: more than 65,536 documents are indexed.
test('puts, replaces and removes more documents than a chunk has', () => {
  const index = createObjectIndex();
  const count = 66_000;
  const document = (i: number, title = 'data') => makeDocument({ id: `https://a.example/${i}`, title });
  index.put(Array.from({ length: count }, (_, i) => document(i, i === 65_536 ? 'data beyond' : 'data')));
  index.put([document(0, 'data again')]);
  expect(index.remove([document(65_600).id])).toBe(1);
  expect([findIds(index, { keywords: 'beyond' }), findIds(index, { keywords: 'again' })]).toEqual([
    [document(65_536).id],
    [document(0).id],
  ]);
  expect(index.search(makeQuery({ keywords: 'data' })).total).toBe(count - 1);
  expect(index.stats().documents).toBe(count - 1);
});

test('counts removed documents, new or old', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'data' }));
  index.search(makeQuery({ keywords: 'data' }));
  index.put([makeDocument({ id: 'b', title: 'data' })]);
  expect(index.remove(['a', 'b', 'c', 'a'])).toBe(2);
  expect(findIds(index, { keywords: 'data' })).toEqual([]);
});

test('stores facts in a snapshot, and can be changed after loading', () => {
  const block = indexOf(makeDocument({ id: 'a', title: 'data' }), makeDocument({ id: 'b', title: 'data' })).save({
    fingerprint: 'f',
  });
  const { index, meta } = loadObjectIndex(Buffer.from(block));
  expect(meta).toEqual({ fingerprint: 'f' });
  index.remove(['a']);
  index.put([makeDocument({ id: 'c', title: 'data' })]);
  expect(findIds(index, { keywords: 'data' }).sort()).toEqual(['b', 'c']);
  expect(findIds(loadObjectIndex(block).index, { keywords: 'data' }).sort()).toEqual(['a', 'b']);
});

test('counts documents, terms and segments', () => {
  const { documents, terms, postings, segments, bytes } = indexOf(
    makeDocument({ id: 'a', title: 'data science', publishers: ['Press'] }),
    makeDocument({ id: 'b', title: 'data', publishers: ['Press'] }),
  ).stats();
  // data, science, press and the publisher word press.
  expect({ documents, terms, postings, segments }).toEqual({
    documents: 2,
    terms: 4,
    postings: 7,
    segments: 1,
  });
  expect(bytes).toBeGreaterThan(7 * 5);
});
