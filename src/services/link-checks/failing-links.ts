import type { TenantScope } from '../../domain/admin.ts';
import { foldText } from '../../domain/text.ts';
import type {
  CourseKey,
  LinkCheck,
  LinkCheckRepository,
  LinkMend,
  LinkMendRepository,
  LinkState,
  Page,
  PageRequest,
  PlacedCount,
  PlacedLink,
  PlacementRepository,
} from '../../ports/store/store.ts';

/** An address that fails, in the courses of a tenant. */
export interface FailingLink extends PlacedCount {
  readonly check: LinkCheck;
  /** Whether somebody decided to leave it since it died. */
  readonly isLeft: boolean;
}

/** Which links of courses fail. */
export interface FailingLinks {
  /** Those in courses: what needs a decision first, the dead before those that may come back, then what is in most courses.
   *  `search` is found in the title or the address. */
  listFailing(
    scope: TenantScope,
    request: PageRequest & { readonly search: string },
  ): Promise<Page<FailingLink>>;
  /** How many of them are dead, and not left. */
  countDead(scope: TenantScope): Promise<number>;
  /** The dead links of a course that nobody decided to leave, at most 20. */
  listOfCourse(course: CourseKey): Promise<readonly (PlacedLink & { readonly check: LinkCheck })[]>;
}

export interface FailingLinksDeps {
  readonly linkChecks: LinkCheckRepository;
  readonly linkMends: LinkMendRepository;
  readonly placements: PlacementRepository;
}

/** As many as the store takes at once. */
const BATCH = 1_000;
const MOST_LINKS = 1_000;
const MOST_MENDS = 1_000;
const MOST_OF_COURSE = 20;

export function createFailingLinks({ linkChecks, linkMends, placements }: FailingLinksDeps): FailingLinks {
  async function readFailing(
    scope: TenantScope,
    states: readonly LinkState[],
  ): Promise<readonly FailingLink[]> {
    const failing: FailingLink[] = [];
    for (const state of states)
      for (let after: string | null = null; ; ) {
        const checks: readonly LinkCheck[] = await linkChecks.readLinkChecks({ state, after, limit: BATCH });
        const last = checks.at(-1);
        if (last === undefined) break;
        after = last.url;
        failing.push(...(await joinPlaced(scope, checks)));
      }
    return failing;
  }

  async function joinPlaced(scope: TenantScope, checks: readonly LinkCheck[]): Promise<FailingLink[]> {
    const byUrl = new Map(checks.map((check) => [check.url, check]));
    const counts = await placements.countPlacedLinks(scope, [...byUrl.keys()]);
    const urls = [...new Set(counts.map(({ url }) => url))];
    const mends = urls.length === 0 ? [] : await linkMends.listLinkMends(scope, urls, MOST_MENDS);
    return counts.flatMap((count) => {
      const check = byUrl.get(count.url);
      const own = mends.filter(({ tenantId, url }) => tenantId === count.tenantId && url === count.url);
      return check === undefined ? [] : [{ ...count, check, isLeft: isLeft(check, own) }];
    });
  }

  return {
    async listFailing(scope, { search, page, pageSize }) {
      const wanted = foldText(search);
      const found = (await readFailing(scope, ['dead', 'unsure']))
        .filter(({ title, url }) => foldText(`${title}\n${url}`).includes(wanted))
        .toSorted(compareFailing);
      return { items: found.slice(page * pageSize, (page + 1) * pageSize), total: found.length };
    },
    countDead: async (scope) => (await readFailing(scope, ['dead'])).filter((link) => !link.isLeft).length,
    async listOfCourse({ tenantId, registrationId, contextId }) {
      const wanted = { tenantId, registrationId, contextIds: [contextId], chosenId: null };
      const links = await placements.listLinksOfCourses({ ...wanted, after: null, limit: MOST_LINKS });
      const behind = await Promise.all(
        links.map(async (link) => ({
          link,
          placement: await placements.findPlacement(tenantId, link.placementId),
        })),
      );
      const placed = behind.flatMap(({ link, placement }) => (placement ? [{ link, placement }] : []));
      const urls = [...new Set(placed.map(({ placement }) => placement.object.url))];
      const checks = await linkChecks.findLinkChecks(urls);
      const dead = new Map(checks.filter(({ state }) => state === 'dead').map((check) => [check.url, check]));
      const mends =
        dead.size === 0 ? [] : await linkMends.listLinkMends([tenantId], [...dead.keys()], MOST_MENDS);
      return placed
        .flatMap((each) => {
          const check = dead.get(each.placement.object.url);
          const own = mends.filter(({ url }) => url === check?.url);
          return check === undefined || isLeft(check, own) ? [] : [{ ...each, check }];
        })
        .slice(0, MOST_OF_COURSE);
    },
  };
}

function isLeft({ since, state }: LinkCheck, mends: readonly LinkMend[]): boolean {
  return (
    state === 'dead' &&
    mends.some(({ kind, undoneAt, madeAt }) => kind === 'leave' && undoneAt === null && madeAt >= since)
  );
}

function compareFailing(a: FailingLink, b: FailingLink): number {
  const rank = ({ isLeft: left, check }: FailingLink) => (left ? 2 : check.state === 'dead' ? 0 : 1);
  const byTitle = foldText(a.title) < foldText(b.title) ? -1 : 1;
  return (
    rank(a) - rank(b) || b.courses - a.courses || a.check.since.getTime() - b.check.since.getTime() || byTitle
  );
}
