import { expect, test } from 'vitest';
import { findNearest } from '../../../../src/faces/slack/learn/match-names.ts';

const words = ['video', 'article', 'book', 'ebook', 'max', 'min'];

test.each([
  ['vidoe', ['video']],
  ['viddeo', ['video']],
  ['vdeo', ['video']],
  ['boko', ['book']],
  ['book', ['book', 'ebook']],
  ['mxa', ['max']],
  ['art', ['article']],
  ['ma', []],
  ['docker', []],
  ['', []],
])('%j may mean %j', (typed, near) => {
  expect(findNearest(typed, words, (word) => [word])).toEqual(near);
});
