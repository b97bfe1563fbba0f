import type { Store } from '#ports/store/store';

/** How the courses of a tenant use an object. */
export interface ObjectUse {
  readonly courses: number;
  /** Share of learners who found it useful, 0 to 1; null if too few of them say. */
  readonly helpful: number | null;
}

type UsesDeps = Pick<Store, 'placements' | 'activity'>;

/** Fewer would tell what a single learner says. */
const MIN_VERDICTS = 5;

/** Of the objects that courses use, by address; a list that has none of them costs one read. */
export async function countObjectUses(
  deps: UsesDeps,
  tenantId: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, ObjectUse>> {
  const used = urls.length === 0 ? [] : await deps.placements.countPlacedLinks([tenantId], urls);
  if (used.length === 0) return new Map();
  const verdicts = await countUseVerdicts(
    deps,
    tenantId,
    used.map(({ url }) => url),
  );
  return new Map(
    used.map(({ url, courses }) => {
      const { all = 0, useful = 0 } = verdicts.get(url) ?? {};
      return [url, { courses, helpful: all < MIN_VERDICTS ? null : useful / all }];
    }),
  );
}

async function countUseVerdicts({ placements, activity }: UsesDeps, tenantId: string, urls: readonly string[]) {
  const placed = await placements.listPlacementsOfUrls(tenantId, urls);
  const urlOf = new Map(placed.map(({ id, object }) => [id, object.url]));
  const links = await placements.listLinksOfPlacements(tenantId, [...urlOf.keys()]);
  const sums = await activity.sumVerdicts(
    tenantId,
    links.map(({ id }) => id),
  );
  const verdicts = new Map<string, { all: number; useful: number }>();
  for (const { verdictPlacementId, verdict, count } of sums) {
    const url = urlOf.get(verdictPlacementId ?? '');
    // A broken link says nothing of the object.
    if (url === undefined || verdict === 'broken') continue;
    const { all, useful } = verdicts.get(url) ?? { all: 0, useful: 0 };
    verdicts.set(url, { all: all + count, useful: useful + (verdict === 'useful' ? count : 0) });
  }
  return verdicts;
}
