import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { normalizeObjectAddress } from '../../../src/domain/learning-object.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import type { BrowseAnswer } from '../../../src/ports/learning-service.ts';
import { createBrowsing } from '../../../src/services/searching/browsing.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { createFakeLearningService, fullObject } from '../../fakes/learning-service.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { type OpenedServices, openServices } from '../../helpers/open-services.ts';
import { answersOf } from './discovery/discovery-parts.ts';

const facets = { provider: new Map(), type: new Map(), bloom: new Map(), lang: new Map() };
const field = { id: '06', kind: 'field', labels: { en: 'Computing' }, within: [] } as const;

let asked: LearningObjectQuery[] = [];
let counted = 0;
beforeEach(() => {
  [asked, counted] = [[], 0];
});

async function browse({ query }: { readonly query: LearningObjectQuery }): Promise<BrowseAnswer> {
  asked.push(query);
  const totalItems = query.levelMax === -0.2 ? 4 : query.levelMin === 0.2 ? 0 : 7;
  return {
    requestId: 'request-1',
    content: [fullObject],
    page: query.page,
    itemsPerPage: query.max,
    totalItems,
    hasMore: true,
    quality: 'A00',
    within: [field],
    topics: [{ ...field, objects: 7, preferred: 7 }],
    facets,
  };
}

const clock = createStandingClock();
let services: OpenedServices<StandingClock>;
beforeAll(async () => {
  services = await openServices(clock);
});
afterAll(() => services.close());

const placements = {
  listMostChosen: async () => {
    counted++;
    return [{ object: fullObject, courses: 3 }];
  },
  listPlacementsOfOthers: async () => [],
};
const open = (changes: Partial<ReturnType<typeof createFakeLearningService>> = { browse }) =>
  createBrowsing(
    {
      answers: answersOf({ ...createFakeLearningService(), ...changes }),
      placements,
      layers: services.layers,
      clock,
    },
    'default',
  );

describe('browsing', () => {
  test('gives objects with the search that found them, and what they are about', async () => {
    expect(await open().browse({ query: searchOf({}), topics: ['06'] })).toMatchObject({
      items: [{ object: fullObject, requestId: 'request-1', providerId: null }],
      totalItems: 7,
      within: [field],
      topics: [{ id: '06', objects: 7 }],
    });
  });

  test('gives nothing to browse where the service can only be searched', async () => {
    const browsing = open({});
    expect(await browsing.browse({ query: searchOf({}), topics: [] })).toBeNull();
    expect(await browsing.countLevels({ query: searchOf({}), topics: [] })).toEqual(new Map());
  });

  test('counts each level without the one that is chosen', async () => {
    const query = searchOf({ levelMin: 0.2, page: 3 });
    expect(await open().countLevels({ query, topics: [] })).toEqual(
      new Map([
        ['beginner', 4],
        ['intermediate', 7],
        ['advanced', 0],
      ]),
    );
    expect(asked.map(({ page, max }) => [page, max])).toEqual(Array(3).fill([0, 1]));
    expect(asked[0]).not.toHaveProperty('levelMin');
  });

  test('of what finds nothing, finds each filter that alone keeps everything out', async () => {
    const found = async ({ query }: { readonly query: LearningObjectQuery }) => ({
      ...(await browse({ query })),
      totalItems: query.lang === undefined ? 2 : query.types.length === 0 ? 12 : 0,
    });
    const query = searchOf({ types: ['video'], free: true, page: 3 });
    expect(await open({ browse: found }).findFiltersToDrop({ query, topics: ['06'] })).toEqual([
      { filter: 'type', totalItems: 12, isTotalExact: true },
      { filter: 'lang', totalItems: 2, isTotalExact: true },
    ]);
    expect(asked.map(({ page, max }) => [page, max])).toEqual(Array(3).fill([0, 1]));
    expect(await open({}).findFiltersToDrop({ query, topics: [] })).toEqual([]);
  });
});

test('what courses use is counted once a minute', async () => {
  const browsing = open();
  for (let time = 0; time < 3; time++)
    expect(await browsing.listUsed('most')).toEqual([{ object: fullObject, courses: 3 }]);
  expect(counted).toBe(1);
  clock.advance(60_001);
  await browsing.listUsed('most');
  expect(counted).toBe(2);
  expect(await browsing.listUsed('newest')).toEqual([]);
});

test('what courses use is shown as it was edited since, and not where it is hidden', async () => {
  const browsing = open();
  const change = async (version: number, isHidden: boolean) => {
    await services.store.objectLayers.saveObjectChange({
      tenantId: 'default',
      url: fullObject.url,
      address: normalizeObjectAddress(fullObject.url),
      state: { isAdded: false, isHidden, isWaiting: false, fields: { title: 'Edited' } },
      before: null,
      suggestedBy: null,
      changedBy: 'Ada',
      changedAt: clock.now(),
      version,
    });
    services.layers.forget('default');
  };
  expect(await browsing.listUsed('most')).toMatchObject([{ object: { title: fullObject.title } }]);
  await change(1, false);
  expect(await browsing.listUsed('most')).toEqual([{ object: { ...fullObject, title: 'Edited' }, courses: 3 }]);
  await change(2, true);
  expect(await browsing.listUsed('most')).toEqual([]);
});
