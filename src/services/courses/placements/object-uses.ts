import type { Store } from '#ports/store/store';

/** How the courses of a tenant use an object. */
export interface ObjectUse {
  readonly courses: number;
  /** Share of learners who found it useful, 0 to 1; null if fewer than five gave a verdict. */
  readonly helpful: number | null;
}

type UsesDeps = Pick<Store, 'placements' | 'activity'>;

/** Fewer verdicts would reveal that of a single learner. */
const MIN_VERDICTS = 5;

/** Counts uses by address; costs one read if no course uses any of the objects. */
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
    // A broken link says nothing about the object.
    if (url === undefined || verdict === 'broken') continue;
    const { all, useful } = verdicts.get(url) ?? { all: 0, useful: 0 };
    verdicts.set(url, { all: all + count, useful: useful + (verdict === 'useful' ? count : 0) });
  }
  return verdicts;
}
