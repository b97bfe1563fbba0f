/** Finds what a link of a copied course was copied from. A copy names the same item, so only links
 *  of this item count. In this order:
 *  1. the copy in this course that a notice of the platform announced;
 *  2. the nearest link in the history that the platform sends. A history of links makes the history
 *  of courses irrelevant;
 *  3. a link in this course, in the courses it was copied from, the nearest first, or in the course
 *  for which the item was chosen. Of several, one with the same title is preferred, then the one
 *  whose title was extended here, as LMSs do with duplicates; never one with a longer title.
 *  Of several remaining links, the one with the newest placement is taken. */

import type { Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { CONTEXT_HISTORY_PARAMETER, LINK_HISTORY_PARAMETER, PLACEMENT_PARAMETER } from '#domain/lti/placement';
import type { LtiLinkRecord, PlacementRepository } from '#ports/store/store';

/** Finds the placement of the original, and the copy that a notice announced, if one did.
 *  @param named the placement that the item of the launch names; null if there is none */
export async function findOriginal(placements: PlacementRepository, launch: Launch, named: Placement | null) {
  const noticedCopy = await findNoticedCopy(placements, launch);
  const placement = noticedCopy
    ? await findNewestPlacement(placements, [noticedCopy])
    : await findOriginalByHistory(placements, launch, named);
  return placement && { placement, noticedCopy };
}

async function findNoticedCopy(placements: PlacementRepository, launch: Launch): Promise<LtiLinkRecord | null> {
  const { context, resourceLink } = launch;
  const chosenId = readChosenId(launch);
  if (context === null || chosenId === null) return null;
  const links = await listLinksInCourses(placements, launch, chosenId, [context.id]);
  const noticed = links.filter(({ copiedFrom }) => copiedFrom !== null);
  const history = readHistory(launch, LINK_HISTORY_PARAMETER);
  const inHistory = history.flatMap((id) => noticed.filter(({ copiedFrom }) => copiedFrom === id));
  const sameTitle = noticed.filter(({ title }) => title === resourceLink?.title);
  const candidates = [inHistory.slice(0, 1), sameTitle, noticed].find(({ length }) => length > 0) ?? [];
  const newest = await findNewestPlacement(placements, candidates);
  return candidates.find(({ placementId }) => placementId === newest?.id) ?? null;
}

async function findOriginalByHistory(placements: PlacementRepository, launch: Launch, named: Placement | null) {
  const placement = await findOriginalByLinkHistory(placements, launch, named);
  const hasLinkHistory = launch.custom[LINK_HISTORY_PARAMETER] !== undefined;
  return placement ?? (hasLinkHistory ? null : findOriginalByCourses(placements, launch, named));
}

async function findOriginalByLinkHistory(placements: PlacementRepository, launch: Launch, named: Placement | null) {
  const { tenantId, registrationId, resourceLink, deploymentId } = launch;
  const chosenId = readChosenId(launch);
  const history = readHistory(launch, LINK_HISTORY_PARAMETER);
  // Where the launch names no item, the link itself may be stored with one.
  const ids = chosenId === null && resourceLink !== null ? [resourceLink.id, ...history] : history;
  if (ids.length === 0) return null;
  const stored = await placements.listLinksOfResources({ tenantId, registrationId, resourceLinkIds: ids });
  // Another deployment may use the same ID for another link.
  const links = stored.filter((link) => link.deploymentId === deploymentId);
  for (const id of ids) {
    const ofId = links.filter(({ resourceLinkId }) => resourceLinkId === id);
    const ofItem = ofId.filter((link) => chosenId === null || link.chosenId === chosenId);
    const placement = await findNewestPlacement(placements, ofItem);
    if (placement !== null) return placement;
    const withoutItem = ofId.filter((link) => link.chosenId === null);
    const ofWholeLink = await findNewestPlacement(placements, withoutItem);
    if (ofWholeLink !== null && mayHaveReplaced(ofWholeLink, named)) return ofWholeLink;
  }
  return null;
}

async function findOriginalByCourses(placements: PlacementRepository, launch: Launch, named: Placement | null) {
  const { context, resourceLink } = launch;
  const chosenId = readChosenId(launch);
  const history = readHistory(launch, CONTEXT_HISTORY_PARAMETER);
  const contextIds = [context?.id, ...history, named?.contextId].filter((id) => id != null);
  if (chosenId === null || contextIds.length === 0) return null;
  const links = await listLinksInCourses(placements, launch, chosenId, contextIds);
  const title = resourceLink?.title ?? null;
  const sameTitle = links.filter((link) => link.title === title);
  const notLonger = links.filter((link) => !isShortenedTitle(link.title, title));
  for (const candidates of [sameTitle, notLonger])
    for (const id of contextIds) {
      const inCourse = candidates.filter(({ contextId }) => contextId === id);
      const placement = await findNewestPlacement(placements, preferLongestPrefix(inCourse, title));
      if (placement !== null) return placement;
    }
  return null;
}

/** Limit of the links of one item in a course and those it was copied from. */
const MAX_COPIES = 500;

function listLinksInCourses(
  placements: PlacementRepository,
  { tenantId, registrationId }: Launch,
  chosenId: string,
  contextIds: readonly string[],
): Promise<readonly LtiLinkRecord[]> {
  const item = { tenantId, registrationId, contextIds, chosenId };
  return placements.listLinksOfCourses({ ...item, after: null, limit: MAX_COPIES });
}

async function findNewestPlacement(placements: PlacementRepository, links: readonly LtiLinkRecord[]) {
  const reads = links.map(({ tenantId, placementId }) => placements.findPlacement(tenantId, placementId));
  const existing = (await Promise.all(reads)).filter((placement) => placement !== null);
  return existing.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime())[0] ?? null;
}

/** Returns whether the placement of a link that is stored without an item may have replaced the one
 *  that the launch names, which was chosen anew in the platform if it is the newer one. */
export const mayHaveReplaced = (placement: Placement, named: Placement | null): boolean =>
  named === null || placement.id === named.id || placement.placedAt > named.placedAt;

/** Returns the links whose titles are the longest prefix of this title; all links without any. */
function preferLongestPrefix(links: readonly LtiLinkRecord[], title: string | null) {
  const prefixLength = (link: LtiLinkRecord) =>
    link.title !== null && title?.startsWith(link.title) === true ? link.title.length : 0;
  const longest = Math.max(...links.map(prefixLength));
  return links.filter((link) => prefixLength(link) === longest);
}

const isShortenedTitle = (original: string | null, title: string | null): boolean =>
  original !== null && title !== null && original !== title && original.startsWith(title);

/** IDs of placements are far shorter; a longer value is not one of this host. */
const MAX_ID_LENGTH = 100;

/** Returns the ID of the placement that the launch names; null if it names none. */
export function readChosenId({ custom }: Pick<Launch, 'custom'>): string | null {
  const id = custom[PLACEMENT_PARAMETER];
  return id === undefined || id === '' || id.length > MAX_ID_LENGTH ? null : id;
}

/** The history grows with each copy; only the nearest IDs are read. */
const MAX_HISTORY = 20;

/** Reads a list of URL-encoded, comma-separated IDs, at most 20 of them.
 *  https://www.imsglobal.org/spec/lti/v1p3/#customproperty
 *  @example readHistory({ custom: { links: 'a%2C1, b' } }, 'links') // ['a,1', 'b'] */
export function readHistory({ custom }: Pick<Launch, 'custom'>, parameter: string): readonly string[] {
  const ids = (custom[parameter] ?? '').split(',').map((id) => decodeLinkId(id.trim()));
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_HISTORY);
}

/** Returns an ID that is not URL-encoded unchanged. */
function decodeLinkId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
