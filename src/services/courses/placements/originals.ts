import type { Launch } from '#domain/lti/launch';
import {
  CONTEXT_HISTORY_PARAMETER,
  LINK_HISTORY_PARAMETER,
  PLACEMENT_PARAMETER,
  type Placement,
} from '#domain/lti/placement';
import type { LtiLinkRecord, PlacementRepository } from '#ports/store/store';

/** What a link shows that was not launched yet: what stands behind the one it was copied from. */
export interface Original {
  readonly placement: Placement;
  /** The copy of that link which a notice told of; null where none did. */
  readonly told: LtiLinkRecord | null;
}

/** Finds what a link was copied from. What its item names is in every copy, so all of these are links of the same item:
 *  1. the copy in this course that a notice told of;
 *  2. the nearest link that the platform names; one that names links tells nothing by naming courses;
 *  3. a link in this course, in those it was copied from, the nearest first, or in the one the item was chosen for. A course may have it
 *     several times: one of the same title is most likely to be the one, then the one whose title has become longer here, as those of
 *     duplicates do; none whose own is longer.
 *  Of several that cannot be told apart, the one that was replaced last.
 *  @param given the placement that the item names; null where it names none that is known */
export function createOriginals(placements: PlacementRepository) {
  const listInCourses = (launch: Launch, chosenId: string, contextIds: readonly string[]) => {
    const { tenantId, registrationId } = launch;
    const wanted = { tenantId, registrationId, contextIds, chosenId };
    return placements.listLinksOfCourses({ ...wanted, after: null, limit: MOST_COPIES });
  };

  async function findTold(launch: Launch): Promise<LtiLinkRecord | null> {
    const { context, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    if (context === null || chosenId === null) return null;
    const found = await listInCourses(launch, chosenId, [context.id]);
    const told = found.filter(({ copiedFrom }) => copiedFrom !== null);
    const history = readHistory(launch, LINK_HISTORY_PARAMETER);
    const named = history.flatMap((id) => told.filter(({ copiedFrom }) => copiedFrom === id));
    const alike = told.filter(({ title }) => title === resourceLink?.title);
    const [likely = []] = [named.slice(0, 1), alike, told].filter(({ length }) => length > 0);
    const behind = await findNewestBehind(likely);
    return likely.find(({ placementId }) => placementId === behind?.id) ?? null;
  }

  async function findByLinkHistory(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { tenantId, registrationId, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readHistory(launch, LINK_HISTORY_PARAMETER);
    // Where the platform names no item, the link itself may be known with one.
    const ids = chosenId === null && resourceLink !== null ? [resourceLink.id, ...history] : history;
    if (ids.length === 0) return null;
    const known = await placements.listLinksOfResources({ tenantId, registrationId, resourceLinkIds: ids });
    // The same id may be another link under another deployment.
    const found = known.filter(({ deploymentId }) => deploymentId === launch.deploymentId);
    const isOfItem = (link: LtiLinkRecord) => chosenId === null || link.chosenId === chosenId;
    for (const id of ids) {
      const links = found.filter(({ resourceLinkId }) => resourceLinkId === id);
      const behind = await findNewestBehind(links.filter(isOfItem));
      if (behind !== null) return behind;
      const unnamed = await findNewestBehind(links.filter((link) => link.chosenId === null));
      if (unnamed !== null && isOfSameLink(unnamed, given)) return unnamed;
    }
    return null;
  }

  async function findByCourses(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { context, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readHistory(launch, CONTEXT_HISTORY_PARAMETER);
    const contextIds = [context?.id, ...history, given?.contextId].filter((id) => id != null);
    if (chosenId === null || contextIds.length === 0) return null;
    const found = await listInCourses(launch, chosenId, contextIds);
    const name = resourceLink?.title ?? null;
    const alike = found.filter(({ title }) => title === name);
    const others = found.filter(({ title }) => !isLonger(title, name));
    for (const links of [alike, others])
      for (const id of contextIds) {
        const inCourse = links.filter(({ contextId }) => contextId === id);
        const behind = await findNewestBehind(preferBeginnings(inCourse, name));
        if (behind !== null) return behind;
      }
    return null;
  }

  async function findNewestBehind(links: readonly LtiLinkRecord[]): Promise<Placement | null> {
    const behind = links.map(({ tenantId, placementId }) => placements.findPlacement(tenantId, placementId));
    const found = (await Promise.all(behind)).filter((each) => each !== null);
    return found.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime())[0] ?? null;
  }

  async function findPlacement(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const behind = await findByLinkHistory(launch, given);
    const namesLinks = launch.custom[LINK_HISTORY_PARAMETER] !== undefined;
    return behind ?? (namesLinks ? null : findByCourses(launch, given));
  }

  return async (launch: Launch, given: Placement | null): Promise<Original | null> => {
    const told = await findTold(launch);
    const placement = told ? await findNewestBehind([told]) : await findPlacement(launch, given);
    return placement && { placement, told };
  };
}

/** Whether what stands behind a link of which it is not known what its item names, may be what was put into the place of `given`:
 *  an item that is chosen anew is a later one. */
export function isOfSameLink(behind: Placement, given: Placement | null): boolean {
  return given === null || behind.id === given.id || behind.placedAt > given.placedAt;
}

/** Links of one item in one course and those it was copied from. */
const MOST_COPIES = 500;

/** Those whose title is the longest beginning of this name; all of them where none is. */
function preferBeginnings(links: readonly LtiLinkRecord[], name: string | null) {
  const lengthOf = ({ title }: LtiLinkRecord) =>
    title !== null && name?.startsWith(title) === true ? title.length : 0;
  const longest = Math.max(...links.map(lengthOf));
  return links.filter((link) => lengthOf(link) === longest);
}

function isLonger(title: string | null, name: string | null): boolean {
  return title !== null && name !== null && title !== name && title.startsWith(name);
}

/** Ids of placements are far shorter: anything longer is not ours. */
const MAX_ID = 100;

/** The placement that the item of a launch names; null where it names none. */
export function readChosenId({ custom }: Pick<Launch, 'custom'>): string | null {
  const said = custom[PLACEMENT_PARAMETER];
  return said === undefined || said === '' || said.length > MAX_ID ? null : said;
}

/** Most ids that are read of those a platform sends; after many copies there may be any number. */
const MAX_HISTORY = 20;

/** Ids that the platform put into a history parameter, URL-encoded and separated by commas.
 *  Source: https://www.imsglobal.org/spec/lti/v1p3/#customproperty
 *  @example readHistory({ custom: { link_history: 'a%2C1, b' } }, 'link_history') // ['a,1', 'b'] */
export function readHistory({ custom }: Pick<Launch, 'custom'>, parameter: string): readonly string[] {
  const ids = (custom[parameter] ?? '').split(',').map((id) => decoded(id.trim()));
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_HISTORY);
}

/** Unchanged where it is not encoded after all. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
