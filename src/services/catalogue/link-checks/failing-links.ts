import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import type {
  CourseKey,
  LinkCheck,
  LinkMend,
  LinkState,
  MendKind,
  Page,
  PageRequest,
  PlacedCount,
  PlacedLink,
  Store,
} from '#ports/store/store';
import { readEveryLinkCheck } from '../every-record.ts';

/** A decision to leave an address dead, or to believe somebody who reports that it works. */
export type LinkDecision = Exclude<MendKind, 'replace'>;

export interface FailingLink extends PlacedCount {
  readonly check: LinkCheck;
  /** The tenant's decision since it died; null if there is none. */
  readonly decision: LinkDecision | null;
}

export type FailingLinksDeps = Pick<Store, 'linkChecks' | 'linkMends' | 'placements'>;
const MAX_LINKS = 1_000;
const MAX_MENDS = 1_000;
const MAX_OF_COURSE = 20;

export function createFailingLinks(deps: FailingLinksDeps) {
  return {
    /** Lists failing links: undecided first, dead before unsure, then by courses. `search` is a
     *  part of the title or address. */
    async listFailing(
      scope: TenantScope,
      { search, page, pageSize }: PageRequest & { readonly search: string },
    ): Promise<Page<FailingLink>> {
      const searchText = foldText(search);
      const failing = (await readFailingLinks(deps, scope, ['dead', 'unsure']))
        .filter(({ title, url }) => foldText(`${title}\n${url}`).includes(searchText))
        .toSorted(compareFailing);
      return { items: failing.slice(page * pageSize, (page + 1) * pageSize), total: failing.length };
    },
    /** Counts dead links that wait for a decision. */
    async countDead(scope: TenantScope): Promise<number> {
      const dead = await readFailingLinks(deps, scope, ['dead']);
      return dead.filter(({ decision }) => decision === null).length;
    },
    /** Lists the dead links of a course without a decision, at most 20. */
    listOfCourse: (course: CourseKey) => listFailingLinksOfCourse(deps, course),
  };
}

async function readFailingLinks(deps: FailingLinksDeps, scope: TenantScope, states: readonly LinkState[]) {
  const failing: FailingLink[] = [];
  for (const state of states)
    for await (const checks of readEveryLinkCheck(deps.linkChecks, state))
      failing.push(...(await joinFailingLinkCounts(deps, scope, checks)));
  return failing;
}

/** Returns a failing link for each address and each tenant that has it in its courses. */
async function joinFailingLinkCounts(
  { placements, linkMends }: FailingLinksDeps,
  scope: TenantScope,
  checks: readonly LinkCheck[],
): Promise<FailingLink[]> {
  const byUrl = new Map(checks.map((check) => [check.url, check]));
  const counts = await placements.countPlacedLinks(scope, [...byUrl.keys()]);
  const urls = [...new Set(counts.map(({ url }) => url))];
  const mends = urls.length === 0 ? [] : await linkMends.listLinkMends(scope, urls, MAX_MENDS);
  return counts.flatMap((count) => {
    const check = byUrl.get(count.url);
    const ofTenant = mends.filter(({ tenantId, url }) => tenantId === count.tenantId && url === count.url);
    return check === undefined ? [] : [{ ...count, check, decision: findLinkDecision(check, ofTenant) }];
  });
}

async function listFailingLinksOfCourse(
  { linkChecks, linkMends, placements }: FailingLinksDeps,
  { tenantId, registrationId, contextId }: CourseKey,
): Promise<readonly (PlacedLink & { readonly check: LinkCheck })[]> {
  const course = { tenantId, registrationId, contextIds: [contextId], chosenId: null };
  const links = await placements.listLinksOfCourses({ ...course, after: null, limit: MAX_LINKS });
  const placed = await Promise.all(
    links.map(async (link) => {
      const placement = await placements.findPlacement(tenantId, link.placementId);
      return placement ? [{ link, placement }] : [];
    }),
  );
  const urls = [...new Set(placed.flat().map(({ placement }) => placement.object.url))];
  const checks = (await linkChecks.findLinkChecks(urls)).filter(({ state }) => state === 'dead');
  const dead = new Map(checks.map((check) => [check.url, check]));
  const mends = dead.size === 0 ? [] : await linkMends.listLinkMends([tenantId], [...dead.keys()], MAX_MENDS);
  const undecided = placed.flat().flatMap((placedLink) => {
    const check = dead.get(placedLink.placement.object.url);
    const ofAddress = mends.filter(({ url }) => url === check?.url);
    return check === undefined || findLinkDecision(check, ofAddress) !== null ? [] : [{ ...placedLink, check }];
  });
  return undecided.slice(0, MAX_OF_COURSE);
}

/** Returns the decision on an address since it died; null for none. @param mends newest first */
export function findLinkDecision({ since, state }: LinkCheck, mends: readonly LinkMend[]): LinkDecision | null {
  if (state !== 'dead') return null;
  for (const { kind, undoneAt, madeAt } of mends)
    if (kind !== 'replace' && undoneAt === null && madeAt >= since) return kind;
  return null;
}

function compareFailing(a: FailingLink, b: FailingLink): number {
  const isDecided = ({ decision }: FailingLink) => Number(decision !== null);
  const isUnsure = ({ decision, check }: FailingLink) => Number(decision === null && check.state !== 'dead');
  return (
    isDecided(a) - isDecided(b) ||
    isUnsure(a) - isUnsure(b) ||
    b.courses - a.courses ||
    a.check.since.getTime() - b.check.since.getTime() ||
    foldText(a.title).localeCompare(foldText(b.title))
  );
}
