import type { TenantScope } from '#domain/admin';
import type { LearningObject } from '#domain/learning-object';
import type { Placement } from '#domain/lti/placement';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf, type Where } from './record.ts';

export const ltiLinkRecords = describeRecord('ltiLinks', {
  fields: {
    /** SHA-256, hexadecimal, of registration, deployment, resource link id and the placement that
     *  the item names, if any: some platforms give several items one resource link id. */
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    deploymentId: field.text(),
    contextId: field.nullable(field.text()),
    /** Empty for a copy that was announced by a notice and not launched yet. */
    resourceLinkId: field.text(),
    /** For such a copy, the original's resource link id, or empty; else null. */
    copiedFrom: field.nullable(field.text()),
    /** Id of the placement that the item names, in the original and in every copy. Null where it
     *  names none, and in records of early versions. */
    chosenId: field.nullable(field.text()),
    /** From the first launch; null where the platform sent none. */
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

export type LtiLinkRecord = RecordOf<typeof ltiLinkRecords>;

export type CourseKey = Pick<Placement, 'tenantId' | 'registrationId'> & { readonly contextId: string };

export interface LinksOfCourses extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId'> {
  readonly contextIds: readonly string[];
  readonly chosenId: string | null;
  /** Only greater ids; null for all. */
  readonly after: string | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

interface LinksOfResources extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId'> {
  readonly resourceLinkIds: readonly string[];
}

/** A link of a course with its placement, without announced copies that were launched since. */
export interface PlacedLink {
  readonly link: LtiLinkRecord;
  readonly placement: Placement;
}

/** Number of links of a tenant to an object. */
export interface PlacedCount {
  readonly tenantId: string;
  /** As stored in the placement. */
  readonly url: string;
  /** From the placement with the least id. */
  readonly title: string;
  readonly courses: number;
  readonly links: number;
}

interface ChosenCount {
  /** From the latest choice. */
  readonly object: LearningObject;
  /** Choices outside of courses count as one course for each platform. */
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

/** Queries that join placements and links; each store implements them. */
export interface PlacedLinks {
  /** Most courses first, ties in the order of the addresses, at most `limit` (1 to 100). */
  listMostChosen(tenantId: string, limit: number): Promise<readonly ChosenCount[]>;
  /** Addresses of objects in courses of all tenants, linked or chosen and not opened yet, by
   *  placement. An address may be repeated.
   *  @param after from the last call, null for the first; null is returned at the end
   *  @param limit placements, 1 to 1,000 */
  readPlacedAddresses(
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly string[]; readonly after: string | null }>;
  /** Links to these addresses (at most 1,000), by address and tenant. */
  countPlacedLinks(scope: TenantScope, urls: readonly string[]): Promise<readonly PlacedCount[]>;
  /** By id, at most `limit` (1 to 1,000). */
  listPlacedLinks(tenantId: string, url: string, limit: number): Promise<readonly PlacedLink[]>;
}

const MAX_LINKS = 200;

export function createPlacementRepository(open: OpenRecords, placed: PlacedLinks) {
  const placements = open(placementRecords);
  const links = open(ltiLinkRecords);
  const newest = (where: Where<Placement>, limit: number) => placements.find({ where, order: ['-placedAt'], limit });
  return {
    ...placed,
    /** After a failure, some of them may be stored. */
    addPlacements: (records: readonly Placement[]) => placements.add(records),
    findPlacement: (tenantId: string, id: string) => placements.get({ tenantId, id }),
    /** Newest first, ties by id, at most `limit` (1 to 1,000). */
    listPlacementsOfContext: ({ tenantId, registrationId, contextId }: CourseKey, limit: number) =>
      newest({ tenantId, registrationId, contextId }, limit),
    /** Chosen by others than `person`, newest first, ties by id, at most `limit` (1 to 100). */
    listPlacementsOfOthers: (tenantId: string, person: string, limit: number) =>
      newest({ tenantId, person: is.not(person) }, limit),
    /** @returns the given record if it was added, else the existing one */
    async openLink(record: LtiLinkRecord): Promise<LtiLinkRecord> {
      const existing = await links.get({ id: record.id });
      if (existing !== null) return existing;
      if (await links.putIf(record, null)) return record;
      // Another call added it first.
      return (await links.get({ id: record.id })) ?? record;
    },
    findLink: (tenantId: string, id: string) => links.get({ tenantId, id }),
    listLinksOfCourses: ({ tenantId, registrationId, contextIds, chosenId, after, limit }: LinksOfCourses) =>
      links.find({
        where: { tenantId, registrationId, contextId: is.oneOf(contextIds), chosenId: chosenId ?? undefined },
        after: after === null ? null : { id: after },
        limit,
      }),
    /** Of any item, in the order of the ids, at most 200. */
    listLinksOfResources: ({ tenantId, registrationId, resourceLinkIds }: LinksOfResources) =>
      links.find({
        where: { tenantId, registrationId, resourceLinkId: is.oneOf(resourceLinkIds) },
        limit: MAX_LINKS,
      }),
    /** Detaches an announced copy once a learner launched the real link. Its id stays in use, so
     *  that the same notice does not add it again. False when detached already. */
    detachCopiedLink: async (tenantId: string, id: string) =>
      (await links.changeIf({ tenantId, id, contextId: is.not(null) }, { contextId: null })) === 1,
    replaceLinkPlacement: async (tenantId: string, id: string, placementId: string) =>
      (await links.changeIf({ tenantId, id }, { placementId })) === 1,
  };
}
