import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { LearningObjectQuery, QueryFilter } from '../../../../src/domain/learning-object-query.ts';
import { AppError } from '../../../../src/errors.ts';
import { findNearMisses } from '../../../../src/services/searching/discovery/near-misses.ts';
import type { SearchLearningObjects } from '../../../../src/services/searching/discovery/search.ts';
import { createDiscoverySearch } from '../../../../src/services/searching/discovery/search.ts';
import { anObject, openService, searchFor, writeCatalog } from '../../../adapters/local/services.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { answersOf, searchDepsOf } from './discovery-parts.ts';

/** A catalogue of our own engine in which all objects are about the same. */
function open(objects: Readonly<Record<string, object>>) {
  const folder = makeTempDir();
  writeCatalog(folder, {
    objects: Object.entries(objects).map(([id, more]) => anObject(id, { title: `Welding ${id}`, ...more })),
    providers: ['school', 'club'].map((id) => ({ id, name: id })),
  });
  const { learning } = openService(folder, makeTempDir());
  const search = createDiscoverySearch(searchDepsOf(answersOf(learning)));
  const asked: LearningObjectQuery[] = [];
  const watched: SearchLearningObjects = (query, options) => {
    asked.push(query);
    return search(query, options);
  };
  return {
    asked,
    async almost(changes: Partial<LearningObjectQuery>) {
      const query = searchFor('welding', changes);
      const result = await search(query);
      const near = await findNearMisses(watched, { query, result });
      return near.map(({ filter, isCertain, items }) => [filter, isCertain, items.map(nameOf).sort()]);
    },
  };
}

const nameOf = ({ object }: { readonly object: LearningObject }) => object.title.replace('Welding ', '');
const video = { type: ['video'] };
const free = { free: true };
const paid = { free: false };

describe('what almost fits', () => {
  const filters = { types: ['video'], free: true, important: new Set(['type', 'free'] as const) };

  test('misses one filter alone, which it names, and what does not say comes apart', async () => {
    const { almost } = open({
      fits: { ...video, ...free },
      book: { type: ['book'], ...free },
      dear: { ...video, ...paid },
      silent: video,
      neither: { type: ['book'], ...paid },
    });
    expect(await almost(filters)).toEqual([
      ['type', true, ['book']],
      ['free', true, ['dear']],
      ['free', false, ['silent']],
    ]);
  });

  test('is looked for only where fewer than five fit, and only on the first page', async () => {
    const fitting = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, { ...video, ...free }]));
    const { almost, asked } = open({ ...fitting, book: { type: ['book'], ...free } });
    expect(await almost(filters)).toEqual([]);
    expect(await almost({ ...filters, page: 1 })).toEqual([]);
    expect(await almost({})).toEqual([]);
    expect(asked).toEqual([]);
    const { almost: next } = open({ ...fitting, e: paid, book: { type: ['book'], ...free } });
    expect(await next(filters)).toEqual([['type', true, ['book']]]);
  });

  test('is six objects at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`b${i}`, { type: ['book'], ...free }]));
    const { almost } = open({ ...many, dear: { ...video, ...paid } });
    const [type, price] = await almost(filters);
    expect(type).toMatchObject(['type', true, { length: 3 }]);
    expect(price).toEqual(['free', true, ['dear']]);
  });

  test.each<[filter: QueryFilter, changes: Partial<LearningObjectQuery>, misses: object]>([
    ['lang', { lang: 'fr' }, { lang: 'en' }],
    ['level', { levelMax: -0.2 }, { level: 0.5 }],
    ['learningTime', { learningTimeMax: 15 }, { learningTime: { value: 2, unit: 'h' } }],
    ['provider', { providers: ['club'] }, {}],
    ['bloom', { blooms: ['Create'] }, {}],
  ])('can miss the %s', async (filter, changes, misses) => {
    const { almost } = open({ other: misses });
    expect(await almost({ ...changes, important: new Set([filter]) })).toEqual([[filter, true, ['other']]]);
  });
});

test('a service that fails has no near misses', async () => {
  const { almost } = open({ a: video });
  expect(await almost({ types: ['video'], important: new Set(['type']) })).toEqual([]);
  const query = searchFor('x', { types: ['video'] });
  const result = { items: [], hasMore: false } as never;
  const failing = () => Promise.reject(new AppError('UPSTREAM_TIMEOUT', 'It is late.'));
  expect(await findNearMisses(failing, { query, result })).toEqual([]);
});
