import { createHash } from 'node:crypto';
import type { Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, PlacementRepository } from '#ports/store/store';
import { createOriginals, isOfSameLink, readChosenId } from './originals.ts';

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
  const findOriginal = createOriginals(placements);

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
      copiedFrom: null,
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
      const original = await findOriginal(launch, given);
      const placement = original?.placement ?? given;
      if (placement === null) return null;
      const link = await placements.openLink(makeLink(launch, placement));
      if (original?.told) await placements.takeToldLink(link.tenantId, original.told.id);
      // Where it is another one, that was put behind it meanwhile.
      return link.placementId === placement.id ? { link, placement } : findBehind(launch, link.id);
    },
    async findChosen(launch) {
      const given = await findGiven(launch);
      const own = launch.resourceLink && (await findOwn(launch, given));
      return own?.placement ?? (await findOriginal(launch, given))?.placement ?? given;
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

/** What the store knows a resource link by: platforms number their links each for itself. */
function linkId({ registrationId, deploymentId, resourceLink }: Launch, chosenId: string | null): string {
  const parts = [registrationId, deploymentId, resourceLink?.id];
  const text = JSON.stringify(chosenId === null ? parts : [...parts, chosenId]);
  return createHash('sha256').update(text).digest('hex');
}
