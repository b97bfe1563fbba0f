import type { TenantScope } from '#domain/admin';
import type { LearningObject } from '#domain/learning-object';
import type { CompletionRule, Placement } from '#domain/lti/placement';
import { compareKeyBytes } from '#domain/record-key';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf, type Records, type Where } from './record.ts';

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
    /** Id of the placement that the item names, in the original and in every copy. Null if it
     *  names none, and in records of early versions. */
    chosenId: field.nullable(field.text()),
    /** Title from the first launch; null if the platform sent none. */
    title: field.nullable(field.text()),
    placementId: field.text(),
    firstOpenedAt: field.instant,
  },
  impersonal: [
    'id tenantId registrationId deploymentId contextId resourceLinkId copiedFrom chosenId title placementId',
    'firstOpenedAt',
  ],
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
export type PlacedLink = { readonly link: LtiLinkRecord; readonly placement: Placement };

/** Numbers of links of a tenant to an object, and of the courses they are in. */
export interface PlacedCount {
  readonly tenantId: string;
  /** Address as it is stored in the placement. */
  readonly url: string;
  /** Title from the placement with the least id. */
  readonly title: string;
  readonly courses: number;
  readonly links: number;
}

interface ChosenCount {
  /** The object as it was chosen last. */
  readonly object: LearningObject;
  /** Choices outside of courses count as one course for each platform. */
  readonly courses: number;
}

export type PlacementRepository = ReturnType<typeof createPlacementRepository>;

export const placementRecords = describeRecord('placements', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    contextId: field.nullable(field.text()),
    person: field.text(),
    object: field.json<LearningObject>(),
    address: field.text(),
    requestId: field.nullable(field.text()),
    title: field.text(),
    completion: field.text<CompletionRule>(),
    points: field.nullable(field.integer),
    placedAt: field.instant,
  },
  personal: { account: 'person', about: 'placedAt' },
  impersonal: 'id tenantId registrationId contextId object address requestId title completion points',
  privacy: { seenBy: ['nobody'], kept: 'course', erasure: 'pseudonym' },
  derived: { url: { of: ({ object }) => object.url } },
  indexes: [
    ['derived.url', 'tenantId'],
    ['tenantId', 'registrationId', 'contextId', '-placedAt', 'id'],
    ['tenantId', '-placedAt', 'id', 'person'],
  ],
});

const MAX_LINKS = 200;
const MAX_OF_URLS = 500;
const MAX_OF_PLACEMENTS = 1_000;

export function createPlacementRepository(open: OpenRecords) {
  const placements = open(placementRecords);
  const links = open(ltiLinkRecords);
  const findNewest = (where: Where<Placement>, limit: number) =>
    placements.find({ where, order: ['-placedAt'], limit });
  return {
    ...createPlacedLinks({ placements, links }),
    /** Adds placements. After a failure, some of them may be stored. */
    addPlacements: (records: readonly Placement[]) => placements.add(records),
    findPlacement: (tenantId: string, id: string) => placements.get({ tenantId, id }),
    /** Lists the placements of a course, newest first, ties by id, at most `limit` (1 to 1,000). */
    listPlacementsOfContext: ({ tenantId, registrationId, contextId }: CourseKey, limit: number) =>
      findNewest({ tenantId, registrationId, contextId }, limit),
    /** Lists the placements of these addresses (at most 1,000), newest first, at most 500. */
    listPlacementsOfUrls: (tenantId: string, urls: readonly string[]) =>
      findNewest({ tenantId, 'derived.url': is.oneOf(urls) }, MAX_OF_URLS),
    /** Lists at most 1,000 links of at most 500 placements. */
    listLinksOfPlacements: (tenantId: string, placementIds: readonly string[]) =>
      links.find({ where: { tenantId, placementId: is.oneOf(placementIds) }, limit: MAX_OF_PLACEMENTS }),
    /** Lists what people other than `person` chose, newest first, at most `limit` (1 to 100). */
    listPlacementsOfOthers: (tenantId: string, person: string, limit: number) =>
      findNewest({ tenantId, person: is.not(person) }, limit),
    /** Adds a link. @returns the given record if it was added, else the existing one */
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
    /** Lists the links of any item with these resource link ids, by their ids, at most 200. */
    listLinksOfResources: ({ resourceLinkIds, ...place }: LinksOfResources) =>
      links.find({ where: { ...place, resourceLinkId: is.oneOf(resourceLinkIds) }, limit: MAX_LINKS }),
    /** Detaches an announced copy once a learner launched the real link. Its id stays in use, so
     *  that the same notice does not add it again. Returns false when detached already. */
    detachCopiedLink: async (tenantId: string, id: string) =>
      (await links.changeIf({ tenantId, id, contextId: is.not(null) }, { contextId: null })) === 1,
    replaceLinkPlacement: async (tenantId: string, id: string, placementId: string) =>
      (await links.changeIf({ tenantId, id }, { placementId })) === 1,
  };
}

interface PlacedRecords {
  readonly placements: Records<Placement>;
  readonly links: Records<LtiLinkRecord>;
}

function createPlacedLinks(records: PlacedRecords) {
  const { placements } = records;
  return {
    /** Lists the objects that most courses have, ties by address, at most `limit` (1 to 100). */
    listMostChosen: (tenantId: string, limit: number) => listMostChosenPlacements(placements, tenantId, limit),
    /** Reads the addresses of objects in courses of all tenants, linked or chosen and not opened
     *  yet, by placement. An address may be repeated.
     *  @param after is what the last call returned; null for the first call, and at the end
     *  @param limit number of placements that are read, 1 to 1,000 */
    async readPlacedAddresses(after: string | null, limit: number) {
      const read = await placements.find({ after: after === null ? null : { id: after }, limit });
      const urls = (await omitReplaced(records, read)).map(({ object }) => object.url);
      return { urls, after: read.length < limit ? null : (read.at(-1)?.id ?? null) };
    },
    /** Counts the links to these addresses (at most 1,000), by address and tenant. */
    countPlacedLinks: async (scope: TenantScope, urls: readonly string[]): Promise<readonly PlacedCount[]> =>
      countPlacementLinks(
        await findPlacedLinks(records, { 'derived.url': is.oneOf(urls), tenantId: is.inScope(scope) }),
      ),
    /** Lists the links to an address by their ids, at most `limit` (1 to 1,000). */
    listPlacedLinks: async (tenantId: string, url: string, limit: number): Promise<readonly PlacedLink[]> =>
      (await findPlacedLinks(records, { 'derived.url': url, tenantId })).slice(0, limit),
  };
}

async function listMostChosenPlacements(
  placements: Records<Placement>,
  tenantId: string,
  limit: number,
): Promise<readonly ChosenCount[]> {
  const courses = await placements.summarize(['derived.url', 'registrationId', 'contextId'], { tenantId });
  const counts = new Map<string, number>();
  for (const { 'derived.url': url } of courses) counts.set(url, (counts.get(url) ?? 0) + 1);
  const most = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compareKeyBytes(a, b)).slice(0, limit);
  const latest = await Promise.all(
    most.map(([url]) => placements.find({ where: { tenantId, 'derived.url': url }, order: ['-placedAt'], limit: 1 })),
  );
  return latest.flat().map(({ object }) => ({ object, courses: counts.get(object.url) ?? 0 }));
}

/** Tells whether a notice announced the link, and it was launched since under another id. */
const isReplacedPlacement = ({ resourceLinkId, contextId }: LtiLinkRecord) =>
  resourceLinkId === '' && contextId === null;

/** Returns the placements that a link shows, and those whose item was not opened yet. */
async function omitReplaced({ links }: PlacedRecords, placements: readonly Placement[]): Promise<Placement[]> {
  const linksOfPage = await findLinksOf(links, placements);
  const linkedIds = new Set(linksOfPage.map(({ placementId, tenantId }) => `${tenantId} ${placementId}`));
  const openedLinks = await Promise.all(
    placements.map(async ({ id: chosenId, tenantId, registrationId, contextId }) =>
      linkedIds.has(`${tenantId} ${chosenId}`) ? null : links.get({ tenantId, registrationId, contextId, chosenId }),
    ),
  );
  return placements.filter((_, number) => openedLinks[number] === null);
}

/** Finds the links to matching placements, in the order of the ids of the links. */
async function findPlacedLinks({ placements, links }: PlacedRecords, where: Where<Placement>): Promise<PlacedLink[]> {
  const matching = await placements.find({ where });
  const byId = new Map(matching.map((placement) => [placement.id, placement]));
  return (await findLinksOf(links, matching)).flatMap((link) => {
    const placement = byId.get(link.placementId);
    return placement?.tenantId === link.tenantId ? [{ link, placement }] : [];
  });
}

async function findLinksOf(links: Records<LtiLinkRecord>, placements: readonly Placement[]): Promise<LtiLinkRecord[]> {
  const tenantId = is.oneOf([...new Set(placements.map((placement) => placement.tenantId))]);
  const placementId = is.oneOf(placements.map(({ id }) => id));
  return (await links.find({ where: { tenantId, placementId } })).filter((link) => !isReplacedPlacement(link));
}

function countPlacementLinks(placed: readonly PlacedLink[]): PlacedCount[] {
  const groups = new Map<string, PlacedLink[]>();
  for (const placedLink of placed) {
    const { tenantId, object } = placedLink.placement;
    const name = `${tenantId} ${object.url}`;
    groups.set(name, [...(groups.get(name) ?? []), placedLink]);
  }
  const counts = [...groups.values()].map((group): PlacedCount => {
    const [first] = group.map(({ placement }) => placement).sort((a, b) => compareKeyBytes(a.id, b.id));
    const { tenantId, object } = first as Placement;
    const courses = group.map(({ link }) => JSON.stringify([link.registrationId, link.contextId ?? [link.id]]));
    return { tenantId, url: object.url, title: object.title, courses: new Set(courses).size, links: group.length };
  });
  return counts.sort((a, b) => compareKeyBytes(a.url, b.url) || compareKeyBytes(a.tenantId, b.tenantId));
}
