import { createHash } from 'node:crypto';
import type { Launch } from '#domain/lti/launch';
import { CONTEXT_HISTORY_PARAMETER, type Placement, toLtiPerson } from '#domain/lti/placement';
import type { Clock } from '#ports/clock';
import type { LtiLinkRecord, PlacementRepository, TenantRepository } from '#ports/store/store';
import type { Insight } from '#services/host/insight';
import type { Usage } from '#services/host/usage';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { createLinks, createNoLinkError, type OpenedLink } from './links.ts';
import { readHistory } from './originals.ts';
import {
  type ChosenObject,
  makePlacement,
  pickNewestPlacements,
  refuseOversizedPlacement,
} from './placement-records.ts';

/** Learning objects in courses. */
export interface Placements {
  /** Keeps what an instructor chose, in this order, and counts it. Errors: PARAMETERS_INVALID for more than 50 or for what
   *  is out of bounds; TENANT_UNKNOWN, TENANT_DISABLED. */
  place(launch: Launch, chosen: readonly ChosenObject[]): Promise<readonly Placement[]>;
  /** What a resource link shows: as it was left here; else as the link it was copied from (`ResourceLink.id.history`); else
   *  as its custom parameter says, which also wins where it was chosen later: then the item was chosen anew in the platform.
   *  Null where nothing was chosen for it, or what was chosen is another tenant's. */
  openLink(launch: Launch): Promise<OpenedLink | null>;
  /** Puts another object behind the link of a resource link launch, also behind one that had none.
   *  Errors: PARAMETERS_INVALID, TENANT_UNKNOWN, TENANT_DISABLED. */
  replace(launch: Launch, chosen: ChosenObject): Promise<OpenedLink>;
  /** What stands behind the item that a launch is about, without opening it; null where it is not one of ours. */
  findChosen(launch: Launch): Promise<Placement | null>;
  /** Has a copied course show what the courses show now that it was copied from, at most 1,000 links of them. The same notice
   *  again changes nothing. */
  copyCourse(copy: CourseCopy): Promise<void>;
  /** Chosen in this course or those it was copied from, newest first, each object once, at most 20. */
  listRecent(launch: Launch): Promise<readonly Placement[]>;
  /** Chosen by others of the tenant, newest first, each object once, at most 20. */
  listOfColleagues(launch: Launch): Promise<readonly Placement[]>;
}

export interface PlacementsDeps {
  readonly placements: PlacementRepository;
  readonly tenants: TenantRepository;
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteObject'>;
  readonly clock: Clock;
}

/** Of one list. */
const MOST_SHOWN = 20;

/** More is read than is listed: the same object may have been chosen many times. */
const MOST_READ = 100;

export function createPlacements(deps: PlacementsDeps): Placements {
  const { placements, tenants, usage, insight, clock } = deps;
  const links = createLinks({ placements, clock });

  async function checkChosen(launch: Launch, chosen: readonly ChosenObject[]): Promise<void> {
    refuseOversizedPlacement(chosen);
    await getActiveTenant(tenants, launch.tenantId);
  }

  async function keep(placed: readonly Placement[]): Promise<void> {
    if (placed.length > 0) await placements.addPlacements(placed);
    for (const { tenantId, object } of placed) {
      usage.count(tenantId, 'embeds');
      insight.noteObject(tenantId, 'placed', object);
    }
  }

  return {
    async place(launch, chosen) {
      await checkChosen(launch, chosen);
      const placedAt = clock.now();
      const placed = chosen.map((choice) => makePlacement(launch, choice, placedAt));
      await keep(placed);
      return placed;
    },
    openLink: links.openLink,
    async replace(launch, chosen) {
      if (launch.resourceLink === null) throw createNoLinkError();
      await checkChosen(launch, [chosen]);
      const placement = makePlacement(launch, chosen, clock.now());
      await keep([placement]);
      return links.putBehind(launch, placement);
    },
    findChosen: links.findChosen,
    copyCourse: (copy) => copyCourse({ placements, clock }, copy),
    async listRecent(launch) {
      const { tenantId, registrationId, context } = launch;
      if (context === null) return [];
      const courses = [...new Set([context.id, ...readHistory(launch, CONTEXT_HISTORY_PARAMETER)])];
      const lists = await Promise.all(
        courses.map((contextId) =>
          placements.listPlacementsOfContext({ tenantId, registrationId, contextId }, MOST_READ),
        ),
      );
      return pickNewestPlacements(lists.flat(), MOST_SHOWN);
    },
    async listOfColleagues({ tenantId, registrationId, user }) {
      const person = toLtiPerson(registrationId, user.id);
      return pickNewestPlacements(
        await placements.listPlacementsOfOthers(tenantId, person, MOST_READ),
        MOST_SHOWN,
      );
    },
  };
}

/** A course that was copied, as its platform tells. */
interface CourseCopy extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId' | 'deploymentId'> {
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
