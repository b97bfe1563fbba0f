import { expect, it } from 'vitest';
import { createPhraseFinder } from '../../../../src/engine/objects/query/phrase-sources.ts';
import { createTermSpeller } from '../../../../src/engine/objects/query/term-sources.ts';
import { buildSegment } from '../../../../src/engine/objects/segment/build-segment.ts';
import { listPostingDocuments } from '../../../../src/engine/objects/segment/postings.ts';
import type { Segment } from '../../../../src/engine/objects/segment/segment.ts';
import { makeDocument } from '../fixtures.ts';

const titled = (...titles: string[]) => buildSegment(titles.map((title, i) => makeDocument({ id: `${i}`, title })));
const segment = titled('data base', 'data mining', 'base camp', 'mining data', 'database');

const finderOf = (...segments: Segment[]) => createPhraseFinder(segments, createTermSpeller(segments));

/** Words that nobody wrote, so that only their terms find them. */
const toWords = (words: readonly (readonly string[])[]) => words.map((terms) => ({ word: '-', terms }));

/** Each phrase in a search of its own, as queries come one after the other. */
function findIn(one: Segment, words: readonly (readonly string[])[], { weight = 0.8, isExact = true } = {}) {
  const [sources] = finderOf(one)([[{ words: toWords(words), weight }]], isExact);
  return sources!;
}

const docsIn = (one: Segment, words: readonly (readonly string[])[]) =>
  findIn(one, words).flatMap((source) => [...listPostingDocuments(source)]);

it('caches the sources of phrases, separately for exact matches and guesses', () => {
  const phrases = [
    { words: toWords([['data/en'], ['mine/en']]), weight: 0.8 },
    { words: toWords([['camp/en']]), weight: 0.8 },
  ];
  const find = (isExact: boolean) => finderOf(segment)([phrases], isExact)[0]!;
  const first = find(true);
  expect(first.map((source) => [...listPostingDocuments(source)])).toEqual([[1, 3], [2]]);
  expect(find(true)[0]).toBe(first[0]);
  expect(find(false).map(({ isExact }) => isExact)).toEqual([false, false]);
});

it('weighs the same phrase differently in each search', () => {
  const words = [['data/en'], ['mine/en']];
  for (const worth of [
    { weight: 0.8, isExact: true },
    { weight: 0.3, isExact: true },
    { weight: 0.3, isExact: false },
  ])
    expect(findIn(segment, words, worth)).toMatchObject([worth]);
});

it('distinguishes alternatives of a word from the words of a phrase', () => {
  expect(docsIn(segment, [['data/en', 'base/en']])).toEqual([0, 1, 3, 0, 2]);
  expect(docsIn(segment, [['data/en'], ['base/en']])).toEqual([0]);
});

it('counts a document with several forms of a word once', () => {
  expect(
    docsIn(segment, [
      ['data/en', 'base/en', 'mine/en'],
      ['camp/en', 'data/en', 'base/en'],
    ]),
  ).toEqual([0, 1, 2, 3]);
});

it('caches each segment separately', () => {
  const words = [['base/en'], ['camp/en']];
  expect(docsIn(segment, words)).toEqual([2]);
  expect(docsIn(titled('base camp', 'camp'), words)).toEqual([0]);
});

it('finds a word by its stem if only another segment has the spelling', () => {
  const [plural, singular] = [titled('courses about data'), titled('a course')];
  const phrases = [{ words: ['course', 'data'].map((word) => ({ word, terms: [] })), weight: 0.8 }];
  const find = (...segments: Segment[]) =>
    finderOf(...segments)([phrases], true).map((own) => own.flatMap((source) => [...listPostingDocuments(source)]));
  expect(find(plural)).toEqual([[]]);
  expect(find(plural, singular)).toEqual([[0], []]);
  expect(find(plural)).toEqual([[]]);
});
