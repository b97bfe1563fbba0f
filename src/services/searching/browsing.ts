import { LRUCache } from 'lru-cache';
import type { LearningObject } from '#domain/learning-object';
import { levels } from '#domain/learning-object-query';
import { limitEntriesAndAge } from '#domain/limit-entries';
import type { Clock } from '#ports/clock';
import type { BrowseAnswer, BrowseRequest, CallOptions } from '#ports/learning-service';
import type { PlacementRepository } from '#ports/store/store';
import { applyObjectLayer, type ObjectLayers } from '#services/catalogue/objects/object-layers';
import { pickNewestPlacements } from '#services/courses/placements/placement-records';
import { bindState } from '#services/host/bind-state';
import { type FilterToDrop, type SearchResult, toObjectHits } from './discovery/results.ts';
import { dropQueryFilter, listQueryFilters } from './query-filters.ts';
import type { TenantAnswers } from './tenant-answers.ts';

/** A page of a browsed list. */
export type Browsed = SearchResult & Pick<BrowseAnswer, 'within' | 'topics' | 'facets'>;

type LevelName = keyof typeof levels;

/** An object in courses of the tenant. */
interface UsedObject {
  readonly object: LearningObject;
  /** Number of courses for which it was chosen; null if that is not counted. */
  readonly courses: number | null;
}

export type UsedOrder = 'most' | 'newest';

interface BrowsingDeps {
  readonly answers: TenantAnswers;
  readonly placements: Pick<PlacementRepository, 'listMostChosen' | 'listPlacementsOfOthers'>;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  readonly clock: Clock;
}

/** Cache time of used objects: anybody may open their page, and counting reads all placements. */
const USED_MS = 60_000;
const MAX_USED = 50;
/** More are read than listed, as an object may have been chosen many times. */
const MAX_READ = 100;
/** No person has this name, so the placements of all people are listed. */
const NOBODY = '';

export function createBrowsing({ answers, placements, layers, clock }: BrowsingDeps, tenantId: string) {
  const readers: Readonly<Record<UsedOrder, () => Promise<readonly UsedObject[]>>> = {
    most: () => placements.listMostChosen(tenantId, MAX_USED),
    async newest() {
      const chosen = await placements.listPlacementsOfOthers(tenantId, NOBODY, MAX_READ);
      return pickNewestPlacements(chosen, MAX_USED).map(({ object }) => ({ object, courses: null }));
    },
  };
  const used = new LRUCache<UsedOrder, readonly UsedObject[]>({
    ...limitEntriesAndAge(2, USED_MS, () => clock.now().getTime()),
    fetchMethod: (order) => readers[order](),
  });
  return {
    ...bindState(answers, { browse, countLevels: countBrowsedLevels, findFiltersToDrop }),
    /** Returns at most 50 objects: those in `most` courses, or the `newest`. The list may be a
     *  minute old; edits of objects show at once. */
    async listUsed(order: UsedOrder): Promise<readonly UsedObject[]> {
      const [chosen, layer] = await Promise.all([used.forceFetch(order), layers.layerOf(tenantId)]);
      return chosen.flatMap(({ object, courses }) => {
        const edited = applyObjectLayer(object, layer);
        return edited === null ? [] : [{ object: edited, courses }];
      });
    },
  };
}

export type Browsing = ReturnType<typeof createBrowsing>;

/** Returns null if the service cannot browse. Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN. */
async function browse(answers: TenantAnswers, request: BrowseRequest, options?: CallOptions): Promise<Browsed | null> {
  const { value, source } = await answers.ask('browse', request, options);
  if (value === null) return null;
  const { requestId, page, itemsPerPage, totalItems, hasMore, quality, within, topics, facets } = value;
  return {
    requestId,
    page,
    itemsPerPage,
    totalItems,
    hasMore,
    quality,
    within,
    topics,
    facets,
    items: toObjectHits({ value, source }, null),
    isTotalExact: true,
    source,
    missing: [],
  };
}

/** Counts the objects of a request; null if the service cannot browse. */
async function countBrowsed(answers: TenantAnswers, request: BrowseRequest, options?: CallOptions) {
  const query = { ...request.query, page: 0, max: 1 };
  return (await browse(answers, { ...request, query, isForTotal: true }, options))?.totalItems ?? null;
}

/** Counts the objects of a request by level; empty if the service cannot browse. */
async function countBrowsedLevels(
  answers: TenantAnswers,
  { query, ...request }: BrowseRequest,
  options?: CallOptions,
): Promise<ReadonlyMap<LevelName, number>> {
  const counts = Object.entries(levels).map(async ([name, range]) => {
    const { levelMin: _, levelMax: __, ...ofAllLevels } = query;
    const total = await countBrowsed(answers, { ...request, query: { ...ofAllLevels, ...range } }, options);
    return total === null ? [] : [[name as LevelName, total] as const];
  });
  return new Map((await Promise.all(counts)).flat());
}

/** Lists filters without which a request has hits, those with the most hits first. */
async function findFiltersToDrop(
  answers: TenantAnswers,
  { query, ...request }: BrowseRequest,
  options?: CallOptions,
): Promise<readonly FilterToDrop[]> {
  const counts = listQueryFilters(query).map(async (filter): Promise<FilterToDrop> => {
    const wider = { ...request, query: dropQueryFilter(query, filter) };
    return { filter, totalItems: (await countBrowsed(answers, wider, options)) ?? 0, isTotalExact: true };
  });
  const helpful = (await Promise.all(counts)).filter(({ totalItems }) => totalItems > 0);
  return helpful.sort((a, b) => b.totalItems - a.totalItems);
}
