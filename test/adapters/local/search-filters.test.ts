import { describe, expect, test } from 'vitest';
import type { LearningObjectRecord } from '../../../src/adapters/catalog/catalog-schema.ts';
import { toLearningMinutes } from '../../../src/domain/learning-object.ts';
import type { LearningObjectQuery, QueryFilter } from '../../../src/domain/learning-object-query.ts';
import { findDayNumber, listObjectMarks, toDayNumber } from '../../../src/domain/object-facts.ts';
import { measureDistanceKm } from '../../../src/engine/objects/search/filters.ts';
import { searchFor, searchUrls } from './services.ts';
import { openStarterService, readStarterRecords } from './starter-service.ts';

const { learning } = openStarterService();
const records = readStarterRecords();

type Meets = (record: LearningObjectRecord) => boolean;

const minutesOf = ({ learningTime }: LearningObjectRecord) => toLearningMinutes(learningTime) ?? Number.NaN;
const isWithin = (km: number, lat: number, lon: number) => (record: LearningObjectRecord) =>
  record.location !== undefined && measureDistanceKm(lat, lon, record.location.lat, record.location.lon) <= km;
const hasAge = ({ age }: LearningObjectRecord) => age?.min !== undefined || age?.max !== undefined;

/** A filter, words with enough to filter, and which records meet it. */
const filters: readonly [QueryFilter, string, Partial<LearningObjectQuery>, Meets][] = [
  [
    'type',
    'python',
    { types: ['video', 'tutorial'] },
    ({ type }) => type.some((t) => t === 'video' || t === 'tutorial'),
  ],
  ['bloom', 'python', { blooms: ['Create'] }, ({ bloom }) => bloom.includes('Create')],
  [
    'publisher',
    'data',
    { publisher: 'harvard university' },
    ({ publisher }) => publisher.includes('Harvard University'),
  ],
  ['level', 'python', { levelMin: 0 }, ({ level = Number.NaN }) => level >= 0],
  ['level', 'python', { levelMax: -0.5 }, ({ level = Number.NaN }) => level <= -0.5],
  ['level', 'python', { levelMin: -0.5, levelMax: 0 }, ({ level = 9 }) => level >= -0.5 && level <= 0],
  ['learningTime', 'python', { learningTimeMax: 600 }, (record) => minutesOf(record) <= 600],
  ['learningTime', 'python', { learningTimeMin: 900 }, (record) => minutesOf(record) >= 900],
  ['popularity', 'python', { popularityMin: 0.7 }, ({ popularity }) => popularity >= 0.7],
  ['free', 'python', { free: true }, ({ free }) => free === true],
  ['free', 'design', { free: false }, ({ free }) => free === false],
  ['age', 'energy', { ageMin: 15 }, (record) => hasAge(record) && (record.age!.max ?? 120) >= 15],
  ['age', 'experimente', { ageMax: 6 }, (record) => hasAge(record) && (record.age!.min ?? 0) <= 6],
  ['distance', 'python', { address: 'Amsterdam', distanceMax: 40 }, isWithin(40, 52.37, 4.89)],
  ['distance', 'lernen', { address: 'München', distanceMax: 10 }, isWithin(10, 48.137, 11.575)],
];

const titled = filters.map(([name, keywords, change, meets]) => {
  const said = Object.entries(change).map(([key, value]) => `${key} ${value}`);
  return { name, keywords, change, meets, title: said.join(', ') };
});

describe.each(titled)('$title', ({ name, keywords, change, meets }) => {
  const all = () => searchUrls(learning, searchFor(keywords));
  const meeting = (urls: readonly string[]) => urls.filter((url) => meets(records.get(url)!));

  test('strict excludes exactly the objects that do not meet it', async () => {
    const wanted = meeting(await all());
    const found = await searchUrls(learning, searchFor(keywords, { ...change, match: 'strict' }));
    // In another order: at most three of the first five are of one provider.
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan((await all()).length);
  });

  test('!important excludes as strict does', async () => {
    const strict = await searchUrls(learning, searchFor(keywords, { ...change, match: 'strict' }));
    const important = new Set([name]);
    expect(await searchUrls(learning, searchFor(keywords, { ...change, important }))).toEqual(strict);
  });

  test('best-effort ranks objects that do not meet it lower, and excludes none', async () => {
    const before = await all();
    const after = await searchUrls(learning, searchFor(keywords, change));
    expect([...after].sort()).toEqual([...before].sort());
    expect(meeting(after).toSorted()).toEqual(meeting(before).toSorted());
    const ranks = (urls: readonly string[]) => meeting(before).map((url) => urls.indexOf(url));
    const [ranksBefore, ranksAfter] = [ranks(before), ranks(after)];
    const sum = (places: readonly number[]) => places.reduce((total, place) => total + place, 0);
    expect(sum(ranksAfter)).toBeLessThanOrEqual(sum(ranksBefore));
    expect(ranksAfter).not.toEqual(ranksBefore);
  });
});

test.each([
  ['biology', { has: ['mayAdapt'] }, (record) => listObjectMarks(record).includes('mayAdapt')],
  ['photoshop', { newerThan: '2016-06' }, (record) => (findDayNumber(record) ?? 0) >= toDayNumber('2016-06')],
] as const satisfies readonly [string, Partial<LearningObjectQuery>, Meets][])(
  '%s %j excludes what does not state it, also as best-effort',
  async (keywords, change, meets) => {
    const all = await searchUrls(learning, searchFor(keywords));
    const met = all.filter((url) => meets(records.get(url)!));
    const found = await searchUrls(learning, searchFor(keywords, change));
    expect(found.toSorted()).toEqual(met.toSorted());
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
  },
);

test('strict applies several filters together', async () => {
  const change = { free: true, levelMax: 0, types: ['mooc'], popularityMin: 0.5 } as const;
  const found = await searchUrls(learning, searchFor('python', { ...change, match: 'strict' }));
  expect(found.length).toBeGreaterThan(0);
  for (const { free, level = 9, type, popularity } of found.map((url) => records.get(url)!)) {
    expect({ free, isLow: level <= 0, isMooc: type.includes('mooc'), isPopular: popularity >= 0.5 }).toEqual({
      free: true,
      isLow: true,
      isMooc: true,
      isPopular: true,
    });
  }
});

test('refuses an unknown address and an unknown provider', async () => {
  const search = (change: Partial<LearningObjectQuery>) => learning.ask('searchProvider', searchFor('python', change));
  await expect(search({ address: 'Atlantis', distanceMax: 5 })).rejects.toMatchObject({
    code: 'PLACE_UNKNOWN',
    kind: 'invalid',
  });
  await expect(search({ providers: ['edx', 'nobody'] })).rejects.toMatchObject({
    code: 'PROVIDER_UNKNOWN',
    kind: 'not_found',
    data: { provider: 'nobody' },
  });
});
