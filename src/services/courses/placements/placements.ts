import type { Launch } from '#domain/lti/launch';
import { CONTEXT_HISTORY_PARAMETER, type Placement, toLtiPerson } from '#domain/lti/placement';
import type { Clock } from '#ports/clock';
import type { PlacementRepository, TenantRepository } from '#ports/store/store';
import type { Insight } from '#services/host/insight/insight';
import type { Usage } from '#services/host/usage';
import { getActiveTenant } from '#services/tenants/tenants/tenant-records';
import { type CourseCopy, copyCourse } from './course-copies.ts';
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
