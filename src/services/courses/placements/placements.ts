import { createHash } from 'node:crypto';
import type { Launch } from '#domain/lti/launch';
import { CONTEXT_HISTORY_PARAMETER, type Placement, toLtiPerson } from '#domain/lti/placement';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, PlacementRepository, Store } from '#ports/store/store';
import type { Insight } from '#services/host/insight';
import type { Usage } from '#services/host/usage';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { createNoLinkError, findLinkPlacement, type OpenedLink, openLink, replaceLinkPlacement } from './links.ts';
import { readHistory } from './originals.ts';
import {
  type ChosenObject,
  makePlacement,
  pickNewestPlacements,
  refuseOversizedPlacement,
} from './placement-records.ts';

/** Learning objects in courses. */
export type Placements = ReturnType<typeof createPlacements>;

export interface PlacementsDeps extends Pick<Store, 'placements' | 'tenants'> {
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteObject'>;
  readonly clock: Clock;
}

/** Length of a list. */
const MAX_LISTED = 20;

/** More is read than listed, as an object may have been chosen many times. */
const MAX_READ = 100;
const MAX_ADDRESSES = 500;

export function createPlacements(deps: PlacementsDeps) {
  const { placements, tenants, usage, insight, clock } = deps;
  const count = ({ tenantId, object }: Placement) => {
    usage.count(tenantId, 'embeds');
    insight.noteObject(tenantId, 'placed', object);
  };

  async function store(launch: Launch, chosen: readonly ChosenObject[]): Promise<readonly Placement[]> {
    refuseOversizedPlacement(chosen);
    await getActiveTenant(tenants, launch.tenantId);
    const placedAt = clock.now();
    const made = chosen.map((choice) => makePlacement(launch, choice, placedAt));
    if (made.length > 0) await placements.addPlacements(made);
    if (!launch.deepLinking?.acceptTypes.includes('ltiResourceLink')) made.forEach(count);
    return made;
  }

  return {
    /** Stores what an instructor chose, in this order. It is counted when it is first opened in its
     *  course, as a platform may not receive it; at once where the platform launches no such items.
     *  Errors: PARAMETERS_INVALID for more than 50 objects or a value out of bounds;
     *  TENANT_UNKNOWN, TENANT_DISABLED. */
    place: store,
    /** The placement of a resource link: the one that was put there on this host, unless the item
     *  was chosen anew later; else that of the link it was copied from (`ResourceLink.id.history`);
     *  else the one that the custom parameter names. Null where there is none in this tenant. */
    openLink: (launch: Launch) => openLink({ ...deps, countPlaced: count }, launch),
    /** Shows another object in the link of a launch.
     *  Errors: PARAMETERS_INVALID, TENANT_UNKNOWN, TENANT_DISABLED. */
    async replace(launch: Launch, chosen: ChosenObject): Promise<OpenedLink> {
      if (launch.resourceLink === null) throw createNoLinkError();
      const [placement] = await store(launch, [chosen]);
      return replaceLinkPlacement(deps, launch, placement as Placement);
    },
    /** The placement that `openLink` would return, without opening the link. */
    findChosen: (launch: Launch) => findLinkPlacement(placements, launch),
    /** Addresses of the objects chosen for the course of the launch, of the latest 500: those
     *  opened there, and others, which the platform may not have received. */
    async listAddresses({
      tenantId,
      registrationId,
      context,
    }: Launch): Promise<{ readonly opened: readonly string[]; readonly sent: readonly string[] }> {
      if (context === null) return { opened: [], sent: [] };
      const course = { tenantId, registrationId, contextId: context.id };
      const links = { ...course, contextIds: [context.id], chosenId: null, after: null, limit: MAX_COPIED };
      const [placed, opened] = await Promise.all([
        placements.listPlacementsOfContext(course, MAX_ADDRESSES),
        placements.listLinksOfCourses(links),
      ]);
      const openedIds = new Set(opened.flatMap(({ chosenId, placementId }) => [chosenId, placementId]));
      const [inCourse, others] = [true, false].map((isOpened) =>
        placed.filter(({ id }) => openedIds.has(id) === isOpened).map(({ address }) => address),
      ) as [string[], string[]];
      const addresses = new Set(inCourse);
      return { opened: [...addresses], sent: [...new Set(others)].filter((address) => !addresses.has(address)) };
    },
    /** What an activity of this title shows in the course of the launch, for platforms that name it
     *  only by its title. Of several the newest with points, whose grades could be lost. */
    findTitled: (launch: Launch, title: string) => findTitled(placements, launch, title),
    /** Stores what the original courses show now, at most 1,000 links, for their copy. The same
     *  notice again changes nothing. */
    copyCourse: (copy: CourseCopy) => copyCourse(deps, copy),
    /** The latest placements of this course and those it was copied from, newest first, each object
     *  once, at most 20. */
    async listRecent(launch: Launch): Promise<readonly Placement[]> {
      const { tenantId, registrationId, context } = launch;
      if (context === null) return [];
      const courses = [...new Set([context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)])];
      const lists = await Promise.all(
        courses.map((contextId) =>
          placements.listPlacementsOfContext({ tenantId, registrationId, contextId }, MAX_READ),
        ),
      );
      return pickNewestPlacements(lists.flat(), MAX_LISTED);
    },
    /** The latest placements by other people of the tenant, newest first, each object once, at most
     *  20. */
    async listOfColleagues({ tenantId, registrationId, user }: Launch): Promise<readonly Placement[]> {
      const person = toLtiPerson(registrationId, user.id);
      const placed = await placements.listPlacementsOfOthers(tenantId, person, MAX_READ);
      return pickNewestPlacements(placed, MAX_LISTED);
    },
  };
}

/** An activity may have been renamed in its course, so the titles of links count as well. */
async function findTitled(placements: PlacementRepository, launch: Launch, title: string): Promise<Placement | null> {
  const { tenantId, registrationId, context } = launch;
  if (context === null) return null;
  const contextIds = [context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)];
  const course = { tenantId, registrationId, contextIds, chosenId: null, after: null };
  const links = await placements.listLinksOfCourses({ ...course, limit: MAX_COPIED });
  const oneLine = toOneLine(title);
  const isTitled = (each: { readonly title: string | null }) => toOneLine(each.title ?? '') === oneLine;
  const behind = links.filter(isTitled).map(({ placementId }) => placements.findPlacement(tenantId, placementId));
  const chosen = contextIds.map((contextId) =>
    placements.listPlacementsOfContext({ tenantId, registrationId, contextId }, MAX_COPIED),
  );
  const titled = [
    ...(await Promise.all(behind)).filter((placement) => placement !== null),
    ...(await Promise.all(chosen)).flat().filter(isTitled),
  ].toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  return titled.find(({ points }) => points !== null) ?? titled[0] ?? null;
}

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A notice of a platform that a course was copied. */
export interface CourseCopy extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId' | 'deploymentId'> {
  /** The copy. */
  readonly contextId: string;
  /** The courses it was copied from. */
  readonly originIds: readonly string[];
  readonly noticeId: string;
}

/** Limit of the links, and of the placements without a link, that are copied. */
const MAX_COPIED = 1_000;

/** Stores a link for each link of the original courses. The resource links of the copy are not
 *  known yet: each takes its stored link when it is launched first. */
export async function copyCourse(
  { placements, clock }: Pick<PlacementsDeps, 'placements' | 'clock'>,
  { originIds, noticeId, ...copy }: CourseCopy,
): Promise<void> {
  const { tenantId, registrationId, contextId: copyId } = copy;
  const contextIds = originIds.filter((id) => id !== copyId);
  const all = { tenantId, registrationId, contextIds, chosenId: null, after: null, limit: MAX_COPIED };
  const links = await placements.listLinksOfCourses(all);
  const listChosen = (contextId: string) =>
    placements.listPlacementsOfContext({ tenantId, registrationId, contextId }, MAX_COPIED);
  const chosen = (await Promise.all(contextIds.map(listChosen))).flat();
  // What was chosen and never launched has no link.
  const launched = new Set(links.flatMap(({ chosenId, placementId }) => [chosenId, placementId]));
  const copied = [
    ...links.map((link) => ({ ...link, copiedFrom: link.resourceLinkId || (link.copiedFrom ?? '') })),
    ...chosen
      .filter(({ id }) => !launched.has(id))
      .map(({ id, title }) => ({ id, chosenId: id, title, placementId: id, copiedFrom: '' })),
  ];
  const firstOpenedAt = clock.now();
  for (const link of copied) {
    const id = createHash('sha256')
      .update(JSON.stringify([noticeId, link.id]))
      .digest('hex');
    await placements.openLink({ ...link, ...copy, id, resourceLinkId: '', firstOpenedAt });
  }
}
