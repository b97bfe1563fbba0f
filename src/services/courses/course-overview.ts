import type { Launch } from '#domain/lti/launch';
import type { ActivityCounts, LinkCheck, LtiLinkRecord, PlacedLink, Store, VerdictCounts } from '#ports/store/store';

export interface CourseResource extends Pick<PlacedLink, 'placement'> {
  /** Null if the resource was chosen and not opened in the course yet. */
  readonly link: LtiLinkRecord | null;
  /** Title of the link in the course, else of the placement. */
  readonly title: string;
  readonly counts: ActivityCounts;
  /** Verdicts on the present placement of the link. */
  readonly verdicts: VerdictCounts;
  readonly check: LinkCheck | null;
}

type CourseOverviewDeps = Pick<Store, 'placements' | 'activity' | 'linkChecks' | 'linkMends'>;
const MAX_RESOURCES = 200;
const MAX_MENDS = 1_000;

/** Returns the resources of a course by title, opened ones first, at most 200 (`isCut` beyond);
 *  none if the platform does not name the course. @param teachers IDs of people who are not
 *  counted */
export async function readCourseOverview(deps: CourseOverviewDeps, launch: Launch, teachers: readonly string[]) {
  const { activity, linkChecks } = deps;
  const placed = await listPlacedResources(deps, launch);
  const listed = placed.slice(0, MAX_RESOURCES);
  const checks = await linkChecks.findLinkChecks([...new Set(listed.map(({ placement }) => placement.object.url))]);
  const checkOf = new Map(checks.map((check) => [check.url, check]));
  const resources = listed.map(async ({ link, placement }): Promise<CourseResource> => {
    const { tenantId, id, object, title } = placement;
    const linkId = link?.id ?? '';
    const [counts, verdicts] = await Promise.all([
      activity.countActivity(tenantId, linkId, teachers),
      activity.countVerdicts(tenantId, linkId, id),
    ]);
    const check = object.isRestricted ? null : (checkOf.get(object.url) ?? null);
    return { link, placement, title: link?.title ?? title, counts, verdicts, check };
  });
  return { resources: await Promise.all(resources), isCut: placed.length > MAX_RESOURCES };
}

/** Lists the links of the course, then placements that were chosen for it and have no link. */
async function listPlacedResources(
  { placements, linkMends }: CourseOverviewDeps,
  { tenantId, registrationId, context }: Launch,
): Promise<readonly Pick<CourseResource, 'link' | 'placement'>[]> {
  if (context === null) return [];
  const course = { tenantId, registrationId, contextId: context.id };
  const limit = MAX_RESOURCES + 1;
  const [links, chosen] = await Promise.all([
    placements.listLinksOfCourses({ ...course, contextIds: [context.id], chosenId: null, after: null, limit }),
    placements.listPlacementsOfContext(course, limit),
  ]);
  const opened = links.map(async (link) => {
    const placement = await placements.findPlacement(tenantId, link.placementId);
    return placement === null ? [] : [{ link, placement }];
  });
  const placed = (await Promise.all(opened)).flat();
  const urls = [...new Set([...placed.map(({ placement }) => placement), ...chosen].map(({ object }) => object.url))];
  const mends = urls.length === 0 ? [] : await linkMends.listLinkMends([tenantId], urls, MAX_MENDS);
  // What stood behind a link for a while was never sent to the platform.
  const notSent = new Set([
    ...links.flatMap(({ chosenId, placementId }) => [chosenId, placementId]),
    ...mends.flatMap(({ changes }) => changes.map(({ to }) => to)),
  ]);
  const waiting = chosen.filter(({ id }) => !notSent.has(id));
  return [
    ...placed.toSorted((a, b) => compareTitles(a.link.title, b.link.title)),
    ...waiting.toSorted((a, b) => compareTitles(a.title, b.title)).map((placement) => ({ link: null, placement })),
  ];
}

const compareTitles = (a: string | null, b: string | null): number =>
  (a ?? '').localeCompare(b ?? '', undefined, { numeric: true });
