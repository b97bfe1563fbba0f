import { createHash } from 'node:crypto';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, PlacementRepository } from '#ports/store/store';

/** A course that was copied, as its platform tells. */
export interface CourseCopy extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId' | 'deploymentId'> {
  readonly contextId: string;
  /** Ids of those it was copied from. */
  readonly originIds: readonly string[];
  readonly noticeId: string;
}

/** Links of the courses that one is copied from, and objects that were chosen there. */
const MOST_COPIED = 1_000;

/** Keeps what a course shows at this moment for a copy of it. The links of the copy are not known yet; each takes its own when it is
 *  launched. The same notice again adds nothing. */
export async function copyCourse(
  { placements, clock }: { readonly placements: PlacementRepository; readonly clock: Clock },
  { originIds, noticeId, ...copy }: CourseCopy,
): Promise<void> {
  const { tenantId, registrationId, contextId } = copy;
  const contextIds = originIds.filter((id) => id !== contextId);
  const all = { tenantId, registrationId, contextIds, chosenId: null, after: null, limit: MOST_COPIED };
  const links = await placements.listLinksOfCourses(all);
  // What was chosen and not launched yet has no link.
  const listChosen = (id: string) =>
    placements.listPlacementsOfContext({ tenantId, registrationId, contextId: id }, MOST_COPIED);
  const chosen = (await Promise.all(contextIds.map(listChosen))).flat();
  const launched = new Set(links.flatMap(({ chosenId, placementId }) => [chosenId, placementId]));
  const told = [
    ...links.map((link) => ({ ...link, copiedFrom: link.resourceLinkId || (link.copiedFrom ?? '') })),
    ...chosen
      .filter(({ id }) => !launched.has(id))
      .map(({ id, title }) => ({ id, chosenId: id, title, placementId: id, copiedFrom: '' })),
  ];
  const firstOpenedAt = clock.now();
  for (const link of told) {
    const id = createHash('sha256')
      .update(JSON.stringify([noticeId, link.id]))
      .digest('hex');
    await placements.openLink({ ...link, ...copy, id, resourceLinkId: '', firstOpenedAt });
  }
}
