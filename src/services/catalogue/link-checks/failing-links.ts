import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import type {
  CourseKey,
  LinkCheck,
  LinkCheckRepository,
  LinkMend,
  LinkMendRepository,
  LinkState,
  MendKind,
  Page,
  PageRequest,
  PlacedCount,
  PlacedLink,
  PlacementRepository,
} from '#ports/store/store';

/** To let it be dead, or to take somebody's word that it works. */
export type LinkDecision = Exclude<MendKind, 'replace'>;

/** An address that fails, in the courses of a tenant. */
export interface FailingLink extends PlacedCount {
  readonly check: LinkCheck;
  /** What somebody of the tenant decided since it died; null where nobody has. */
  readonly decision: LinkDecision | null;
}

/** Which links of courses fail. */
export interface FailingLinks {
  /** Those in courses: what needs a decision first, the dead before those that may come back, then what is in most courses.
   *  `search` is found in the title or the address. */
  listFailing(
    scope: TenantScope,
    request: PageRequest & { readonly search: string },
  ): Promise<Page<FailingLink>>;
  /** How many of them are dead, and wait for a decision. */
  countDead(scope: TenantScope): Promise<number>;
  /** The dead links of a course that nobody has decided about, at most 20. */
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
      return check === undefined ? [] : [{ ...count, check, decision: findLinkDecision(check, own) }];
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
    countDead: async (scope) =>
      (await readFailing(scope, ['dead'])).filter(({ decision }) => decision === null).length,
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
          return check === undefined || findLinkDecision(check, own) !== null ? [] : [{ ...each, check }];
        })
        .slice(0, MOST_OF_COURSE);
    },
  };
}

/** What counts of all that a tenant has decided about an address. @param mends newest first */
export function findLinkDecision(
  { since, state }: LinkCheck,
  mends: readonly LinkMend[],
): LinkDecision | null {
  if (state !== 'dead') return null;
  for (const { kind, undoneAt, madeAt } of mends)
    if (kind !== 'replace' && undoneAt === null && madeAt >= since) return kind;
  return null;
}

function compareFailing(a: FailingLink, b: FailingLink): number {
  const rank = ({ decision, check }: FailingLink) => (decision !== null ? 2 : check.state === 'dead' ? 0 : 1);
  const byTitle = foldText(a.title) < foldText(b.title) ? -1 : 1;
  return (
    rank(a) - rank(b) || b.courses - a.courses || a.check.since.getTime() - b.check.since.getTime() || byTitle
  );
}
