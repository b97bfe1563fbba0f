import { createHash } from 'node:crypto';
import type { Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, PlacementRepository, Store } from '#ports/store/store';
import { findOriginal, mayHaveReplaced, readChosenId } from './originals.ts';

export type OpenedLink = { readonly link: LtiLinkRecord; readonly placement: Placement };

export interface LinksDeps extends Pick<Store, 'placements'> {
  readonly clock: Clock;
  /** Called when a placement is first opened in its course, not in a copy of it. */
  countPlaced?(placement: Placement, launch: Launch): void;
}

/** Opens a resource link. Its placement is the stored one, unless the item was chosen anew later;
 *  else that of the link it was copied from (`ResourceLink.id.history`); else the one that the
 *  custom parameter names; null if the tenant has none. */
export async function openPlacedLink(deps: LinksDeps, launch: Launch): Promise<OpenedLink | null> {
  const { placements } = deps;
  if (launch.resourceLink === null) return null;
  const named = await findNamedPlacement(placements, launch);
  const existing = await findExistingLink(placements, launch, named);
  if (existing !== null) return existing;
  const original = await findOriginal(placements, launch, named);
  const placement = original?.placement ?? named;
  if (placement === null) return null;
  const made = makePlacedLink(deps, launch, placement);
  const link = await placements.openLink(made);
  if (link === made && original === null) deps.countPlaced?.(placement, launch);
  if (original?.noticedCopy) await placements.detachCopiedLink(link.tenantId, original.noticedCopy.id);
  // They differ if another placement was put there meanwhile.
  return link.placementId === placement.id ? { link, placement } : findLinkById(placements, launch.tenantId, link.id);
}

/** Finds the same placement without storing the link, also for a launch without a resource link. */
export async function findLinkPlacement(placements: PlacementRepository, launch: Launch): Promise<Placement | null> {
  const named = await findNamedPlacement(placements, launch);
  const existing = launch.resourceLink && (await findExistingLink(placements, launch, named));
  return existing?.placement ?? (await findOriginal(placements, launch, named))?.placement ?? named;
}

/** Shows another placement in a link. Errors: PARAMETERS_INVALID for a launch without a link. */
export async function replaceLinkPlacement(deps: LinksDeps, launch: Launch, placement: Placement): Promise<OpenedLink> {
  const { placements } = deps;
  const named = await findNamedPlacement(placements, launch);
  const existing = await findExistingLink(placements, launch, named);
  const link = existing?.link ?? (await placements.openLink(makePlacedLink(deps, launch, placement)));
  if (link.placementId !== placement.id) await placements.replaceLinkPlacement(link.tenantId, link.id, placement.id);
  return { link: { ...link, placementId: placement.id }, placement };
}

/** Finds the link of this item, else that of the whole resource link if it may show the item. */
async function findExistingLink(placements: PlacementRepository, launch: Launch, named: Placement | null) {
  const { tenantId } = launch;
  const ofItem = await findLinkById(placements, tenantId, toLinkId(launch, readChosenId(launch)));
  if (ofItem !== null) return ofItem;
  const withoutItem = await findLinkById(placements, tenantId, toLinkId(launch, null));
  return withoutItem !== null && mayHaveReplaced(withoutItem.placement, named) ? withoutItem : null;
}

async function findLinkById(placements: PlacementRepository, tenantId: string, id: string): Promise<OpenedLink | null> {
  const link = await placements.findLink(tenantId, id);
  const placement = link && (await placements.findPlacement(tenantId, link.placementId));
  return placement && { link, placement };
}

async function findNamedPlacement(placements: PlacementRepository, launch: Launch): Promise<Placement | null> {
  const id = readChosenId(launch);
  return id === null ? null : placements.findPlacement(launch.tenantId, id);
}

/** Errors: PARAMETERS_INVALID if the launch is not about a resource link. */
function makePlacedLink({ clock }: LinksDeps, launch: Launch, placement: Placement): LtiLinkRecord {
  const { tenantId, registrationId, deploymentId, context, resourceLink } = launch;
  if (resourceLink === null) throw createNoLinkError();
  const chosenId = readChosenId(launch);
  return {
    id: toLinkId(launch, chosenId),
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

export function createNoLinkError(): AppError {
  const message = 'This launch is not about a link in a course. Open the link in the course, and try again there.';
  return new AppError('PARAMETERS_INVALID', message);
}

/** Platforms number their links independently, so the ID covers registration and deployment. */
function toLinkId({ registrationId, deploymentId, resourceLink }: Launch, chosenId: string | null): string {
  const parts = [registrationId, deploymentId, resourceLink?.id];
  const text = JSON.stringify(chosenId === null ? parts : [...parts, chosenId]);
  return createHash('sha256').update(text).digest('hex');
}
