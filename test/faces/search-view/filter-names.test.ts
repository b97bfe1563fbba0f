import { expect, test } from 'vitest';
import {
  findNearestFilterNames,
  matchFilterName,
  nameUsualFilterValues,
} from '../../../src/faces/search-view/filter-names.ts';

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
])('%j resembles %j', (typed, near) => {
  expect(findNearestFilterNames(typed, words, (word) => [word])).toEqual(near);
});

const types = [
  { value: 'book', names: ['Book', 'Livre'] },
  { value: 'ebook', names: ['E-book', 'Livre numérique'] },
  { value: 'video', names: ['Video', 'Vidéo'] },
  { value: 'serious game', names: ['Serious game', 'Jeu sérieux'] },
];

test.each([
  ['book', 'book'],
  ['Books', 'book'],
  ['e-book', 'ebook'],
  ['VIDÉOS', 'video'],
  ['jeux', null],
  ['jeu', 'serious game'],
  ['serious-game', 'serious game'],
  ['game', 'serious game'],
  ['numerique', 'ebook'],
  ['livre', 'book'],
  ['liv', null],
  ['vi', null],
  ['', null],
  ['---', null],
])('%j matches %j', (typed, value) => {
  expect(matchFilterName(typed, types)).toBe(value);
});

test.each([
  ['anfänger', 'beginner'],
  ['mittel', 'intermediate'],
  ['Fortgeschrittene', 'advanced'],
  ['fortgeschritten', 'advanced'],
  ['Experten', 'advanced'],
])('the German level %j is the one that pages call so: %s', (typed, value) => {
  expect(matchFilterName(typed, nameUsualFilterValues([], { now: () => new Date() }).level)).toBe(value);
});
