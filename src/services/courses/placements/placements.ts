import { hash } from 'node:crypto';
import type { Launch } from '#domain/lti/launch';
import { CONTEXT_HISTORY_PARAMETER, type Placement, toLtiPerson } from '#domain/lti/placement';
import { toOneLine } from '#domain/text';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Insight } from '#services/host/insight';
import type { Usage } from '#services/host/usage';
import { getActiveTenant } from '#services/tenants/tenant-records';
import type { OpenedLink } from './links.ts';
import { createNoLinkError, findLinkPlacement, openPlacedLink, replaceLinkPlacement } from './links.ts';
import { countObjectUses } from './object-uses.ts';
import { readHistory } from './originals.ts';
import { type ChosenObject, checkPlacementSize, makePlacement, pickNewestPlacements } from './placement-records.ts';

interface PlacementsDeps extends Pick<Store, 'placements' | 'tenants' | 'activity'> {
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteObject'>;
  readonly clock: Clock;
}

type PlacementsState = PlacementsDeps & { countPlaced(placement: Placement, launch: Launch): void };
const MAX_LISTED = 20;
/** More is read than listed, as an object may have been chosen many times. */
const MAX_READ = 100;
const MAX_ADDRESSES = 500;

export function createPlacements(deps: PlacementsDeps) {
  const countPlaced = ({ tenantId, object }: Placement, launch: Launch) => {
    deps.usage.count(tenantId, 'embeds');
    deps.insight.noteObject(tenantId, 'placed', object, launch);
  };
  return {
    ...bindState(
      { ...deps, countPlaced },
      {
        place: placeObjects,
        openLink: openPlacedLink,
        replace: replacePlacement,
        restore: restorePlacement,
        listAddresses: listPlacementAddresses,
        findTitled: findPlacementsByTitle,
        copyCourse: copyCoursePlacements,
        countUses: countObjectUses,
      },
    ),
    /** The placement that `openPlacedLink` would return, without opening the link. */
    findChosen: (launch: Launch) => findLinkPlacement(deps.placements, launch),
    /** The latest of this course and its originals, newest first, at most 20 distinct objects. */
    async listRecent(launch: Launch): Promise<readonly Placement[]> {
      if (launch.context === null) return [];
      const courses = [launch.context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)];
      return pickNewestPlacements(
        await listCoursePlacements(deps, launch, [...new Set(courses)], MAX_READ),
        MAX_LISTED,
      );
    },
    /** The latest by other people of the tenant, newest first, at most 20 distinct objects. */
    async listOfColleagues({ tenantId, registrationId, user }: Launch): Promise<readonly Placement[]> {
      const person = toLtiPerson(registrationId, user.id);
      const others = await deps.placements.listPlacementsOfOthers(tenantId, person, MAX_READ);
      // What only people of a course can open stays in that course.
      return pickNewestPlacements(
        others.filter(({ object }) => !object.isRestricted),
        MAX_LISTED,
      );
    },
  };
}

/** Stores what an instructor chose, in this order. It is counted when first opened in its course,
 *  as a platform may not receive it, or at once where the platform launches no such items. Errors:
 *  PARAMETERS_INVALID beyond 50 objects or bounds; TENANT_UNKNOWN, TENANT_DISABLED. */
async function placeObjects(
  { placements, tenants, clock, countPlaced }: PlacementsState,
  launch: Launch,
  chosen: readonly ChosenObject[],
): Promise<readonly Placement[]> {
  checkPlacementSize(chosen);
  await getActiveTenant(tenants, launch.tenantId);
  const placedAt = clock.now();
  const made = chosen.map((choice) => makePlacement(launch, choice, placedAt));
  if (made.length > 0) await placements.addPlacements(made);
  if (!launch.deepLinking?.acceptTypes.includes('ltiResourceLink'))
    for (const placement of made) countPlaced(placement, launch);
  return made;
}

/** Shows a former placement in the link of a launch again.
 *  @returns false if it was never chosen in this course */
async function restorePlacement(deps: PlacementsState, launch: Launch, id: string): Promise<boolean> {
  const { tenantId, registrationId, context } = launch;
  const placement = await deps.placements.findPlacement(tenantId, id);
  const isOfCourse = placement?.registrationId === registrationId && placement.contextId === (context?.id ?? null);
  if (placement === null || !isOfCourse) return false;
  await replaceLinkPlacement(deps, launch, placement);
  return true;
}

/** Errors: PARAMETERS_INVALID, TENANT_UNKNOWN, TENANT_DISABLED. */
async function replacePlacement(state: PlacementsState, launch: Launch, chosen: ChosenObject): Promise<OpenedLink> {
  if (launch.resourceLink === null) throw createNoLinkError();
  const [placement] = await placeObjects(state, launch, [chosen]);
  return replaceLinkPlacement(state, launch, placement as Placement);
}

/** Of the latest 500 objects chosen for the course, also of those the platform may have lost. */
async function listPlacementAddresses({ placements }: PlacementsDeps, { tenantId, registrationId, context }: Launch) {
  if (context === null) return { opened: [], sent: [] };
  const course = { tenantId, registrationId, contextId: context.id };
  const links = { ...course, contextIds: [context.id], chosenId: null, after: null, limit: MAX_COPIED };
  const [placed, openedLinks] = await Promise.all([
    placements.listPlacementsOfContext(course, MAX_ADDRESSES),
    placements.listLinksOfCourses(links),
  ]);
  const openedIds = new Set(openedLinks.flatMap(({ chosenId, placementId }) => [chosenId, placementId]));
  const opened = new Set(placed.filter(({ id }) => openedIds.has(id)).map(({ address }) => address));
  const all = new Set(placed.map(({ address }) => address));
  return { opened: [...opened], sent: [...all].filter((address) => !opened.has(address)) };
}

async function listCoursePlacements(
  { placements }: Pick<PlacementsDeps, 'placements'>,
  { tenantId, registrationId }: Pick<Launch, 'tenantId' | 'registrationId'>,
  contextIds: readonly string[],
  limit: number,
): Promise<readonly Placement[]> {
  const lists = contextIds.map((contextId) =>
    placements.listPlacementsOfContext({ tenantId, registrationId, contextId }, limit),
  );
  return (await Promise.all(lists)).flat();
}

/** For platforms that name an activity only by its title: the newest placement with points, whose
 *  grades could be lost. Titles of links count as well: activities are renamed in courses. */
async function findPlacementsByTitle(deps: PlacementsDeps, launch: Launch, title: string): Promise<Placement | null> {
  const { placements } = deps;
  const { tenantId, registrationId, context } = launch;
  if (context === null) return null;
  const contextIds = [context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)];
  const course = { tenantId, registrationId, contextIds, chosenId: null, after: null };
  const links = await placements.listLinksOfCourses({ ...course, limit: MAX_COPIED });
  const oneLine = toOneLine(title);
  const isTitled = (each: { readonly title: string | null }) => toOneLine(each.title ?? '') === oneLine;
  const behind = links.filter(isTitled).map(({ placementId }) => placements.findPlacement(tenantId, placementId));
  const chosen = await listCoursePlacements(deps, launch, contextIds, MAX_COPIED);
  const titled = [
    ...(await Promise.all(behind)).filter((placement) => placement !== null),
    ...chosen.filter(isTitled),
  ].toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  return titled.find(({ points }) => points !== null) ?? titled[0] ?? null;
}

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

/** Stores what the original courses show, at most 1,000 links, for their copy; repeatable. The
 *  links of the copy are unknown yet: each takes its stored link when it is launched first. */
export async function copyCoursePlacements(
  deps: Pick<PlacementsDeps, 'placements' | 'clock'>,
  { originIds, noticeId, ...copy }: CourseCopy,
): Promise<void> {
  const { placements, clock } = deps;
  const { tenantId, registrationId, contextId: copyId } = copy;
  const contextIds = originIds.filter((id) => id !== copyId);
  const all = { tenantId, registrationId, contextIds, chosenId: null, after: null, limit: MAX_COPIED };
  const links = await placements.listLinksOfCourses(all);
  const chosen = await listCoursePlacements(deps, copy, contextIds, MAX_COPIED);
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
    const id = hash('sha256', JSON.stringify([noticeId, link.id]), 'hex');
    await placements.openLink({ ...link, ...copy, id, resourceLinkId: '', firstOpenedAt });
  }
}
