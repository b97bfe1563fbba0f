import { createHash } from 'node:crypto';
import type { Launch } from '../../domain/lti/launch.ts';
import {
  CONTEXT_HISTORY_PARAMETER,
  LINK_HISTORY_PARAMETER,
  PLACEMENT_PARAMETER,
  type Placement,
} from '../../domain/lti/placement.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LtiLinkRecord, PlacementRepository } from '../../ports/store/store.ts';

/** A resource link with the placement behind it now. */
export interface OpenedLink {
  readonly link: LtiLinkRecord;
  readonly placement: Placement;
}

export interface LinksDeps {
  readonly placements: PlacementRepository;
  readonly clock: Clock;
}

/** Resource links, and what stands behind them: what was put there here, else what stands behind the link it was copied from,
 *  else what its item names. */
export interface Links {
  openLink(launch: Launch): Promise<OpenedLink | null>;
  findChosen(launch: Launch): Promise<Placement | null>;
  /** Puts a placement behind the link of a launch. Errors: PARAMETERS_INVALID where it is about none. */
  putBehind(launch: Launch, placement: Placement): Promise<OpenedLink>;
}

export function createLinks({ placements, clock }: LinksDeps): Links {
  /** The link's own record: of this item, or, where that may be an older one of the same, of the resource link id alone. */
  async function findOwn(launch: Launch, given: Placement | null): Promise<OpenedLink | null> {
    const named = await findBehind(launch, linkId(launch, readChosenId(launch)));
    if (named !== null) return named;
    const unnamed = await findBehind(launch, linkId(launch, null));
    return unnamed !== null && isOfSameLink(unnamed.placement, given) ? unnamed : null;
  }

  async function findBehind({ tenantId }: Launch, id: string): Promise<OpenedLink | null> {
    const link = await placements.findLink(tenantId, id);
    const placement = link && (await placements.findPlacement(tenantId, link.placementId));
    return placement && { link, placement };
  }

  /** What stands behind the link that this one was copied from. */
  async function findCopied(launch: Launch, given: Placement | null): Promise<Placement | null> {
    return (await findByLinkHistory(launch, given)) ?? (await findByCourses(launch, given));
  }

  /** The nearest that the platform names. */
  async function findByLinkHistory(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { tenantId, registrationId, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readLinkHistory(launch, LINK_HISTORY_PARAMETER);
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

  /** The same item in this course, in those it was copied from, the nearest first, or in the one it was chosen for. A course may
   *  have it several times: one of the same title is more likely to be the one. */
  async function findByCourses(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { tenantId, registrationId, context, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readLinkHistory(launch, CONTEXT_HISTORY_PARAMETER);
    const contextIds = [context?.id, ...history, given?.contextId].filter((id) => id != null);
    if (chosenId === null || contextIds.length === 0) return null;
    const wanted = { tenantId, registrationId, contextIds, chosenId, after: null, limit: MOST_COPIES };
    const found = await placements.listLinksOfCourses(wanted);
    const isAlike = ({ title }: LtiLinkRecord) => title === (resourceLink?.title ?? null);
    for (const links of [found.filter(isAlike), found])
      for (const id of contextIds) {
        const behind = await findNewestBehind(links.filter(({ contextId }) => contextId === id));
        if (behind !== null) return behind;
      }
    return null;
  }

  /** Of several copies that cannot be told apart, the one that was replaced last. */
  async function findNewestBehind(links: readonly LtiLinkRecord[]): Promise<Placement | null> {
    const behind = links.map(({ tenantId, placementId }) => placements.findPlacement(tenantId, placementId));
    const found = (await Promise.all(behind)).filter((each) => each !== null);
    return found.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime())[0] ?? null;
  }

  async function findGiven(launch: Launch): Promise<Placement | null> {
    const said = readChosenId(launch);
    return said === null ? null : placements.findPlacement(launch.tenantId, said);
  }

  /** As it is when it is opened for the first time. Errors: PARAMETERS_INVALID where the launch is about none. */
  function makeLink(launch: Launch, placement: Placement): LtiLinkRecord {
    const { tenantId, registrationId, deploymentId, context, resourceLink } = launch;
    if (resourceLink === null) throw createNoLinkError();
    const chosenId = readChosenId(launch);
    return {
      id: linkId(launch, chosenId),
      tenantId,
      registrationId,
      deploymentId,
      contextId: context?.id ?? null,
      resourceLinkId: resourceLink.id,
      chosenId,
      title: resourceLink.title,
      placementId: placement.id,
      firstOpenedAt: clock.now(),
    };
  }

  return {
    async openLink(launch) {
      if (launch.resourceLink === null) return null;
      const given = await findGiven(launch);
      const own = await findOwn(launch, given);
      if (own !== null) return own;
      const placement = (await findCopied(launch, given)) ?? given;
      if (placement === null) return null;
      const link = await placements.openLink(makeLink(launch, placement));
      if (link.placementId === placement.id) return { link, placement };
      // Another object was put behind it meanwhile.
      return findBehind(launch, link.id);
    },
    async findChosen(launch) {
      const given = await findGiven(launch);
      const own = launch.resourceLink && (await findOwn(launch, given));
      return own?.placement ?? (await findCopied(launch, given)) ?? given;
    },
    async putBehind(launch, placement) {
      const own = await findOwn(launch, await findGiven(launch));
      // A link that had nothing is opened with what it has now.
      const link = own?.link ?? (await placements.openLink(makeLink(launch, placement)));
      if (link.placementId !== placement.id)
        await placements.replaceLinkPlacement(link.tenantId, link.id, placement.id);
      return { link: { ...link, placementId: placement.id }, placement };
    },
  };
}

export function createNoLinkError(): AppError {
  return new AppError(
    'PARAMETERS_INVALID',
    'This launch is not about a link in a course. Open the link in the course, and try again there.',
  );
}

/** Whether what stands behind a link of which it is not known what its item names, may be what was put into the place of `given`:
 *  an item that is chosen anew is a later one. */
function isOfSameLink(behind: Placement, given: Placement | null): boolean {
  return given === null || behind.id === given.id || behind.placedAt > given.placedAt;
}

/** Links of one item in one course and those it was copied from. */
const MOST_COPIES = 500;

/** Ids of placements are far shorter: anything longer is not ours. */
const MAX_ID = 100;

function readChosenId({ custom }: Pick<Launch, 'custom'>): string | null {
  const said = custom[PLACEMENT_PARAMETER];
  return said === undefined || said.length > MAX_ID ? null : said;
}

/** Most ids that are read of those a platform sends; after many copies there may be any number. */
const MAX_HISTORY = 20;

/** What the store knows a resource link by: platforms number their links each for itself. */
function linkId({ registrationId, deploymentId, resourceLink }: Launch, chosenId: string | null): string {
  const parts = [registrationId, deploymentId, resourceLink?.id];
  const text = JSON.stringify(chosenId === null ? parts : [...parts, chosenId]);
  return createHash('sha256').update(text).digest('hex');
}

/** Ids that the platform put into a history parameter, URL-encoded and separated by commas.
 *  Source: https://www.imsglobal.org/spec/lti/v1p3/#customproperty
 *  @example readLinkHistory({ custom: { link_history: 'a%2C1, b' } }, 'link_history') // ['a,1', 'b'] */
export function readLinkHistory({ custom }: Pick<Launch, 'custom'>, parameter: string): readonly string[] {
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
