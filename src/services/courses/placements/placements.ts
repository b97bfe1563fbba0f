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
import { type ChosenObject, checkChosenObjects, makePlacement, pickNewestPlacements } from './placement-records.ts';

interface PlacementsDeps extends Pick<Store, 'placements' | 'tenants' | 'activity'> {
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteObject'>;
  readonly clock: Clock;
}

type PlacementsState = PlacementsDeps & { countPlaced(placement: Placement, launch: Launch): void };
const MAX_LISTED = 20;
/** More are read than listed, as an object may have been chosen many times. */
const MAX_READ = 100;
const MAX_ADDRESSES = 500;
/** Limit of the links of a course that are read or copied, and of its placements without a link. */
const MAX_COPIED = 1_000;

export function createPlacements(deps: PlacementsDeps) {
  const countPlaced = ({ tenantId, object }: Placement, launch: Launch) => {
    deps.usage.count(tenantId, 'embeds');
    deps.insight.noteObject(tenantId, 'placed', object, { place: launch });
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
        findTitled: findPlacementByTitle,
        copyCourse: copyCoursePlacements,
        countUses: countObjectUses,
      },
    ),
    /** Returns the placement that `openLink` would return, without storing the link. */
    findChosen: (launch: Launch) => findLinkPlacement(deps.placements, launch),
    /** Lists at most 20 objects of this course and its originals, newest first. */
    async listRecent(launch: Launch): Promise<readonly Placement[]> {
      if (launch.context === null) return [];
      const courses = [launch.context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)];
      const placements = await listCoursePlacements(deps, launch, [...new Set(courses)], MAX_READ);
      return pickNewestPlacements(placements, MAX_LISTED);
    },
    /** Lists at most 20 objects that colleagues chose, newest first. */
    async listOfColleagues({ tenantId, registrationId, user }: Launch): Promise<readonly Placement[]> {
      const person = toLtiPerson(registrationId, user.id);
      const placements = await deps.placements.listPlacementsOfOthers(tenantId, person, MAX_READ);
      // Objects that only people of a course can open stay in that course.
      const shareable = placements.filter(({ object }) => !object.isRestricted);
      return pickNewestPlacements(shareable, MAX_LISTED);
    },
  };
}

/** Stores the chosen objects in this order. Each is counted when first opened in its course, as a
 *  platform may not receive it; at once if the platform does not launch such items. Errors:
 *  PARAMETERS_INVALID beyond the limits; TENANT_UNKNOWN, TENANT_DISABLED. */
async function placeObjects(
  { placements, tenants, clock, countPlaced }: PlacementsState,
  launch: Launch,
  chosen: readonly ChosenObject[],
): Promise<readonly Placement[]> {
  checkChosenObjects(chosen);
  await getActiveTenant(tenants, launch.tenantId);
  const placedAt = clock.now();
  const made = chosen.map((choice) => makePlacement(launch, choice, placedAt));
  if (made.length > 0) await placements.addPlacements(made);
  if (!launch.deepLinking?.acceptTypes.includes('ltiResourceLink'))
    for (const placement of made) countPlaced(placement, launch);
  return made;
}

/** Shows a former placement again. @returns false if it was never chosen in this course */
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

/** Returns the addresses of the latest 500 objects that were chosen for the course: those that were
 *  opened in it, and those that were only sent to the platform. */
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
  const chosen = new Set(placed.map(({ address }) => address));
  return { opened: [...opened], sent: [...chosen].filter((address) => !opened.has(address)) };
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

/** Finds the placement of an activity that the platform names only by a title, perhaps one given in
 *  the course: the newest one with points, whose grades could be lost, else the newest. */
async function findPlacementByTitle(deps: PlacementsDeps, launch: Launch, title: string): Promise<Placement | null> {
  const { placements } = deps;
  const { tenantId, registrationId, context } = launch;
  if (context === null) return null;
  const contextIds = [context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)];
  const course = { tenantId, registrationId, contextIds, chosenId: null, after: null };
  const links = await placements.listLinksOfCourses({ ...course, limit: MAX_COPIED });
  const oneLine = toOneLine(title);
  const isTitled = (each: { readonly title: string | null }) => toOneLine(each.title ?? '') === oneLine;
  const reads = links.filter(isTitled).map(({ placementId }) => placements.findPlacement(tenantId, placementId));
  const chosen = await listCoursePlacements(deps, launch, contextIds, MAX_COPIED);
  const titled = [
    ...(await Promise.all(reads)).filter((placement) => placement !== null),
    ...chosen.filter(isTitled),
  ].toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  return titled.find(({ points }) => points !== null) ?? titled[0] ?? null;
}

/** A notice of a platform that a course was copied. */
interface CourseCopy extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId' | 'deploymentId'> {
  /** ID of the copy. */
  readonly contextId: string;
  /** IDs of the courses it was copied from. */
  readonly originIds: readonly string[];
  readonly noticeId: string;
}

/** Stores the links of the original courses, at most 1,000, for their copy; repeatable. The IDs of
 *  the links in the copy are unknown yet: each takes its stored link when it is launched first. */
export async function copyCoursePlacements(
  deps: Pick<PlacementsDeps, 'placements' | 'clock'>,
  { originIds, noticeId, ...copy }: CourseCopy,
): Promise<void> {
  const { placements, clock } = deps;
  const { tenantId, registrationId, contextId: copyId } = copy;
  const contextIds = originIds.filter((id) => id !== copyId);
  const courses = { tenantId, registrationId, contextIds, chosenId: null, after: null, limit: MAX_COPIED };
  const links = await placements.listLinksOfCourses(courses);
  const chosen = await listCoursePlacements(deps, copy, contextIds, MAX_COPIED);
  // A placement that was never launched has no link.
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
