import { createHash } from 'node:crypto';
import type { Launch } from '../../domain/lti/launch.ts';
import { LINK_HISTORY_PARAMETER, PLACEMENT_PARAMETER, type Placement } from '../../domain/lti/placement.ts';
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

type NewLink = Omit<LtiLinkRecord, 'placementId'>;

interface Links {
  openLink(launch: Launch): Promise<OpenedLink | null>;
  findChosen(launch: Launch): Promise<Placement | null>;
  /** The link of a launch, as it is when it is opened for the first time. Errors: PARAMETERS_INVALID where it has none. */
  makeLink(launch: Launch): NewLink;
  putBehind(link: NewLink, placement: Placement): Promise<OpenedLink>;
}

/** Resource links, and what stands behind them. */
export function createLinks({ placements, clock }: LinksDeps): Links {
  function makeLink(launch: Launch): NewLink {
    const { tenantId, registrationId, deploymentId, context, resourceLink } = launch;
    if (resourceLink === null) throw noLink();
    const { id: resourceLinkId } = resourceLink;
    const id = linkId(launch, resourceLinkId);
    const contextId = context?.id ?? null;
    return {
      id,
      tenantId,
      registrationId,
      deploymentId,
      contextId,
      resourceLinkId,
      firstOpenedAt: clock.now(),
    };
  }

  /** The placement behind the link itself, or behind the first of the links it was copied from. */
  async function findLeft(launch: Launch): Promise<Placement | null> {
    const { tenantId, resourceLink } = launch;
    const itself = resourceLink === null ? [] : [resourceLink.id];
    for (const id of [...itself, ...readLinkHistory(launch, LINK_HISTORY_PARAMETER)]) {
      const link = await placements.findLink(tenantId, linkId(launch, id));
      if (link !== null) return placements.findPlacement(tenantId, link.placementId);
    }
    return null;
  }

  /** The later choice of the two: made here, by replacing what stood behind a link, or in the platform, by choosing an item
   *  anew. */
  async function findChosen(launch: Launch): Promise<Placement | null> {
    const said = launch.custom[PLACEMENT_PARAMETER];
    const given = said === undefined ? null : await placements.findPlacement(launch.tenantId, said);
    const left = await findLeft(launch);
    if (left === null || given === null) return left ?? given;
    return given.placedAt > left.placedAt ? given : left;
  }

  async function putBehind(link: NewLink, placement: Placement): Promise<OpenedLink> {
    const opened = await placements.openLink({ ...link, placementId: placement.id });
    if (opened.placementId !== placement.id)
      await placements.replaceLinkPlacement(link.tenantId, link.id, placement.id);
    return { link: { ...opened, placementId: placement.id }, placement };
  }

  /** The link with what was found to stand behind it, unless another was put there meanwhile. */
  async function open(link: NewLink, placement: Placement): Promise<OpenedLink> {
    const opened = await placements.openLink({ ...link, placementId: placement.id });
    if (opened.placementId === placement.id) return { link: opened, placement };
    const kept = await placements.findPlacement(link.tenantId, opened.placementId);
    const isNewer = kept === null || placement.placedAt > kept.placedAt;
    return isNewer ? putBehind(link, placement) : { link: opened, placement: kept };
  }

  return {
    makeLink,
    putBehind,
    findChosen,
    async openLink(launch) {
      const placement = launch.resourceLink === null ? null : await findChosen(launch);
      return placement === null ? null : open(makeLink(launch), placement);
    },
  };
}

function noLink(): AppError {
  return new AppError(
    'PARAMETERS_INVALID',
    'This launch is not about a link in a course. Open the link in the course, and try again there.',
  );
}

/** Most ids that are read of those a platform sends; after many copies there may be any number. */
const MAX_HISTORY = 20;

type Installation = Pick<Launch, 'registrationId' | 'deploymentId'>;

/** What the store knows a resource link by: platforms number their links each for itself. */
function linkId({ registrationId, deploymentId }: Installation, resourceLinkId: string): string {
  const text = JSON.stringify([registrationId, deploymentId, resourceLinkId]);
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
