import { expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { activeFilters, withoutFilter } from '../../../src/services/discovery/query-filters.ts';
import { searchFor } from '../../adapters/local/services.ts';

const open = searchFor('python');
const filtered: LearningObjectQuery = {
  ...open,
  lang: 'fr',
  providers: ['tube'],
  types: ['mooc'],
  blooms: ['Apply'],
  publisher: 'A university',
  ageMin: 10,
  learningTimeMax: 60,
  levelMin: 0,
  popularityMin: 0,
  address: 'Lyon',
  distanceMax: 0,
  free: false,
};

test('a query without filters has none', () => {
  expect(activeFilters(open)).toEqual([]);
});

test('every filter of a query is named, one of zero or false too', () => {
  expect(activeFilters(filtered).toSorted()).toEqual([
    'age',
    'bloom',
    'distance',
    'free',
    'lang',
    'learningTime',
    'level',
    'popularity',
    'provider',
    'publisher',
    'type',
  ]);
});

test('without one, the others are as they were', () => {
  for (const filter of activeFilters(filtered)) {
    const rest = withoutFilter({ ...filtered, important: new Set([filter, 'lang']) }, filter);
    expect(activeFilters(rest)).toEqual(activeFilters(filtered).filter((name) => name !== filter));
    expect([...rest.important]).toEqual(filter === 'lang' ? [] : ['lang']);
  }
});

test('without all of them, it is the open query', () => {
  expect(activeFilters(filtered).reduce(withoutFilter, filtered)).toEqual(open);
});
