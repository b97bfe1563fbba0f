import { expect, test } from 'vitest';
import { createObjectIndex, loadObjectIndex } from '../../../src/engine/objects/object-index.ts';
import { findIds, indexOf, makeDocument, makeQuery } from './fixtures.ts';

test('an empty index answers, saves and loads', () => {
  const index = createObjectIndex();
  expect(index.search(makeQuery({ keywords: 'data', details: true })).total).toBe(0);
  const loaded = loadObjectIndex(index.save('empty'));
  expect(loaded.meta).toBe('empty');
  expect(findIds(loaded.index, { keywords: 'data' })).toEqual([]);
  expect(loaded.index.stats()).toMatchObject({ documents: 0, postings: 0 });
});

test('the last of two documents with one id is there, and once', () => {
  const index = indexOf(
    makeDocument({ id: 'a', title: 'first' }),
    makeDocument({ id: 'a', title: 'second' }),
  );
  expect(findIds(index, { keywords: 'first' })).toEqual([]);
  expect(findIds(index, { keywords: 'second' })).toEqual(['a']);
  index.put([makeDocument({ id: 'a', title: 'third' })]);
  expect([findIds(index, { keywords: 'second' }), findIds(index, { keywords: 'third' })]).toEqual([
    [],
    ['a'],
  ]);
  expect(index.stats().documents).toBe(1);
});

test('removing counts what was there, added just before or long ago', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'data' }));
  index.search(makeQuery({ keywords: 'data' }));
  index.put([makeDocument({ id: 'b', title: 'data' })]);
  expect(index.remove(['a', 'b', 'c', 'a'])).toBe(2);
  expect(findIds(index, { keywords: 'data' })).toEqual([]);
});

test('a snapshot carries its own facts and can be changed after loading', () => {
  const block = indexOf(
    makeDocument({ id: 'a', title: 'data' }),
    makeDocument({ id: 'b', title: 'data' }),
  ).save({
    fingerprint: 'f',
  });
  const { index, meta } = loadObjectIndex(Buffer.from(block));
  expect(meta).toEqual({ fingerprint: 'f' });
  index.remove(['a']);
  index.put([makeDocument({ id: 'c', title: 'data' })]);
  expect(findIds(index, { keywords: 'data' }).sort()).toEqual(['b', 'c']);
  expect(findIds(loadObjectIndex(block).index, { keywords: 'data' }).sort()).toEqual(['a', 'b']);
});

test('stats tell what is there', () => {
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
