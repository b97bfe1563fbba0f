import type { TenantScope } from '#domain/admin';
import type { LearningObject } from '#domain/learning-object';
import type { Placement } from '#domain/lti/placement';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf, type Where } from './record.ts';

export const ltiLinkRecords = describeRecord('ltiLinks', {
  fields: {
    /** SHA-256, hexadecimal: over registration, deployment and resource link id, and the placement
     *  that its item names, where it names one. Some platforms give several items one resource link
     *  id. */
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    deploymentId: field.text(),
    contextId: field.nullable(field.text()),
    /** Empty for one that only a notice has told of: it was copied, and not launched yet. */
    resourceLinkId: field.text(),
    /** Resource link id of the one that such a link was copied from, empty where that had not been
     *  launched either; else null. */
    copiedFrom: field.nullable(field.text()),
    /** Id of the placement that its item names, as the platform sends it, in the original and in
     *  every copy. Null where it names none, and in records of early versions. */
    chosenId: field.nullable(field.text()),
    /** As the platform called it when it was opened first; null where it did not say. */
    title: field.nullable(field.text()),
    placementId: field.text(),
    firstOpenedAt: field.instant,
  },
  indexes: [
    ['tenantId', 'registrationId', 'contextId', 'chosenId', KEY],
    ['tenantId', 'registrationId', 'resourceLinkId'],
    ['tenantId', 'placementId'],
  ],
});

/** A resource link of a platform, as it opens one of our items, and what stands behind it now. */
export type LtiLinkRecord = RecordOf<typeof ltiLinkRecords>;

export type CourseKey = Pick<Placement, 'tenantId' | 'registrationId'> & { readonly contextId: string };

export interface LinksOfCourses extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId'> {
  readonly contextIds: readonly string[];
  /** Of one item only; null for all. */
  readonly chosenId: string | null;
  /** Only those with a greater id; null for all. */
  readonly after: string | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

interface LinksOfResources extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId'> {
  readonly resourceLinkIds: readonly string[];
}

/** A link of a course with what stands behind it. Those that only a notice told of, and that were
 *  launched since, are none. */
export interface PlacedLink {
  readonly link: LtiLinkRecord;
  readonly placement: Placement;
}

/** How often an object stands behind links of a tenant. */
export interface PlacedCount {
  readonly tenantId: string;
  /** Of the object, as it was found. */
  readonly url: string;
  /** Of the object, in its placement with the least id. */
  readonly title: string;
  readonly courses: number;
  readonly links: number;
}

/** An object that is chosen in a tenant. */
interface ChosenCount {
  /** As it was chosen last. */
  readonly object: LearningObject;
  /** Number of courses; choices outside of courses count as one for each platform. */
  readonly courses: number;
}

export type PlacementRepository = ReturnType<typeof createPlacementRepository>;

export const placementRecords = describeRecord<Placement>('placements', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    contextId: field.nullable(field.text()),
    person: field.text(),
    object: field.json(),
    address: field.text(),
    requestId: field.nullable(field.text()),
    title: field.text(),
    completion: field.text(),
    points: field.nullable(field.integer),
    placedAt: field.instant,
  },
  derived: { url: { of: ({ object }) => object.url } },
  indexes: [
    ['derived.url', 'tenantId'],
    ['tenantId', 'registrationId', 'contextId', '-placedAt', 'id'],
    ['tenantId', '-placedAt', 'id', 'person'],
  ],
});

/** The queries that join placements and links, which each store implements. */
export interface PlacedLinks {
  /** The objects chosen in most courses of the tenant, ties in the order of their addresses, at
   *  most `limit` (1 to 100). */
  listMostChosen(tenantId: string, limit: number): Promise<readonly ChosenCount[]>;
  /** Addresses of objects in courses of all tenants, placement after placement: those behind links,
   *  and those that were chosen and not opened yet in their course. The same may come again.
   *  @param after as the last call gave it, null for the first; null is given at the end
   *  @param limit placements, 1 to 1,000 */
  readPlacedAddresses(
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly string[]; readonly after: string | null }>;
  /** Of these addresses (at most 1,000), those behind links, by address and tenant. */
  countPlacedLinks(scope: TenantScope, urls: readonly string[]): Promise<readonly PlacedCount[]>;
  /** Links of a tenant to the object of this address, by id, at most `limit` (1 to 1,000). */
  listPlacedLinks(tenantId: string, url: string, limit: number): Promise<readonly PlacedLink[]>;
}

const MAX_LINKS = 200;

export function createPlacementRepository(open: OpenRecords, placed: PlacedLinks) {
  const placements = open(placementRecords);
  const links = open(ltiLinkRecords);
  const newest = (where: Where<Placement>, limit: number) => placements.find({ where, order: ['-placedAt'], limit });
  return {
    ...placed,
    /** After an error some may be there. */
    addPlacements: (records: readonly Placement[]) => placements.add(records),
    /** Null when there is none in this tenant. */
    findPlacement: (tenantId: string, id: string) => placements.get({ tenantId, id }),
    /** Chosen in this course, newest first, ties by id, at most `limit` (1 to 1,000). */
    listPlacementsOfContext: ({ tenantId, registrationId, contextId }: CourseKey, limit: number) =>
      newest({ tenantId, registrationId, contextId }, limit),
    /** Chosen in the tenant by others than `person`, newest first, ties in the order of the ids, at
     *  most `limit` (1 to 100). */
    listPlacementsOfOthers: (tenantId: string, person: string, limit: number) =>
      newest({ tenantId, person: is.not(person) }, limit),
    /** Adds a link and returns it, this very value, or else the existing one of this id. */
    async openLink(record: LtiLinkRecord): Promise<LtiLinkRecord> {
      const existing = await links.get({ id: record.id });
      if (existing !== null) return existing;
      if (await links.putIf(record, null)) return record;
      // Somebody else was quicker.
      return (await links.get({ id: record.id })) ?? record;
    },
    /** Null when there is none in this tenant. */
    findLink: (tenantId: string, id: string) => links.get({ tenantId, id }),
    /** In the order of the ids. */
    listLinksOfCourses: ({ tenantId, registrationId, contextIds, chosenId, after, limit }: LinksOfCourses) =>
      links.find({
        where: { tenantId, registrationId, contextId: is.oneOf(contextIds), chosenId: chosenId ?? undefined },
        after: after === null ? null : { id: after },
        limit,
      }),
    /** Whatever their items are, in the order of the ids, at most 200. */
    listLinksOfResources: ({ tenantId, registrationId, resourceLinkIds }: LinksOfResources) =>
      links.find({
        where: { tenantId, registrationId, resourceLinkId: is.oneOf(resourceLinkIds) },
        limit: MAX_LINKS,
      }),
    /** Detaches from its course a link that a copy notice announced, once a learner launched the
     *  real one. Its id stays in use, so that the same notice does not add it again. False when it
     *  is detached already, or there is none. */
    detachCopiedLink: async (tenantId: string, id: string) =>
      (await links.changeIf({ tenantId, id, contextId: is.not(null) }, { contextId: null })) === 1,
    /** False when there is no such link. */
    replaceLinkPlacement: async (tenantId: string, id: string, placementId: string) =>
      (await links.changeIf({ tenantId, id }, { placementId })) === 1,
  };
}
