import type { Connection, Model } from 'mongoose';
import type { Placement } from '#domain/lti/placement';
import {
  type LtiLinkRecord,
  ltiLinkRecords,
  type PlacedCount,
  type PlacedLink,
  type PlacedLinks,
  placementRecords,
} from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';

/** A link that a notice announced, and that was launched since under another id. */
const isReplaced = { resourceLinkId: '', contextId: null };

const placements = collectionOf(placementRecords);
const ltiLinks = collectionOf(ltiLinkRecords);

export function createPlacedLinks(connection: Connection): PlacedLinks {
  const models = {
    placements: openCollection(connection, placementRecords),
    links: openCollection(connection, ltiLinkRecords),
  };
  return {
    listMostChosen: (tenantId, limit) => listMostChosen(models, tenantId, limit),
    async readPlacedAddresses(after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const documents = models.placements.find(later).sort({ _id: 1 }).limit(limit);
      const placementsRead = (await documents.lean<Document[]>()).map(placements.toRecord);
      const [linked, opened] = await Promise.all([
        findLinked(models, placementsRead),
        findOpened(models, placementsRead),
      ]);
      return {
        urls: placementsRead
          .filter((each) => linked.has(toKey(each)) || !opened.has(toKey(each)))
          .map(({ object }) => object.url),
        after: placementsRead.length < limit ? null : (placementsRead.at(-1)?.id ?? null),
      };
    },
    async countPlacedLinks(scope, urls) {
      const tenants = scope === null ? {} : { tenantId: { $in: [...scope] } };
      return countPlaced(await listPlaced(models, { 'derived.url': { $in: [...urls] }, ...tenants }));
    },
    listPlacedLinks: async (tenantId, url, limit) =>
      (await listPlaced(models, { 'derived.url': url, tenantId })).slice(0, limit),
  };
}

type Models = Readonly<Record<'placements' | 'links', Model<Document>>>;

async function listMostChosen(models: Models, tenantId: string, limit: number) {
  // Ids only: whole placements of a large tenant are more than a server groups in memory.
  const counted = await models.placements.aggregate<{ last: string; courses: number }>([
    { $match: { tenantId } },
    { $sort: { placedAt: 1 } },
    {
      $group: {
        _id: '$derived.url',
        last: { $last: '$_id' },
        courses: { $addToSet: { platform: '$registrationId', course: '$contextId' } },
      },
    },
    { $project: { last: 1, courses: { $size: '$courses' } } },
    { $sort: { courses: -1, _id: 1 } },
    { $limit: limit },
  ]);
  const ids = counted.map(({ last }) => last);
  const documents = await models.placements.find({ _id: { $in: ids } }).lean<Document[]>();
  const objects = new Map(documents.map(placements.toRecord).map(({ id, object }) => [id, object]));
  return counted.flatMap(({ last, courses }) => {
    const object = objects.get(last);
    return object === undefined ? [] : [{ object, courses }];
  });
}

/** In the order of the ids of the links. */
async function listPlaced(models: Models, filter: object): Promise<PlacedLink[]> {
  const documents = await models.placements.find(filter).lean<Document[]>();
  const byId = new Map(documents.map((document) => [document._id, placements.toRecord(document)]));
  const links = models.links.find({ placementId: { $in: [...byId.keys()] }, $nor: [isReplaced] }).sort({ _id: 1 });
  return (await links.lean<Document[]>()).map(ltiLinks.toRecord).flatMap((link) => {
    const placement = byId.get(link.placementId);
    return placement?.tenantId === link.tenantId ? [{ link, placement }] : [];
  });
}

async function findLinked(models: Models, placementsRead: readonly Placement[]): Promise<ReadonlySet<string>> {
  const tenantId = inValues(placementsRead, 'tenantId');
  const placementId = { $in: placementsRead.map(({ id }) => id) };
  const filter = { tenantId, placementId, $nor: [isReplaced] };
  const links = (await models.links.find(filter).lean<Document[]>()).map(ltiLinks.toRecord);
  return new Set(links.map((link) => toKey({ tenantId: link.tenantId, id: link.placementId })));
}

/** Keys of those placements whose item was opened in the course where it was chosen. */
async function findOpened(models: Models, placementsRead: readonly Placement[]): Promise<ReadonlySet<string>> {
  const filter = {
    tenantId: inValues(placementsRead, 'tenantId'),
    registrationId: inValues(placementsRead, 'registrationId'),
    contextId: inValues(placementsRead, 'contextId'),
    chosenId: { $in: placementsRead.map(({ id }) => id) },
  };
  const links = (await models.links.find(filter).lean<Document[]>()).map(ltiLinks.toRecord);
  const itemOf = ({ tenantId, registrationId, contextId }: Placement | LtiLinkRecord, id: string | null) =>
    JSON.stringify([tenantId, registrationId, contextId, id]);
  const opened = new Set(links.map((link) => itemOf(link, link.chosenId)));
  return new Set(placementsRead.filter((each) => opened.has(itemOf(each, each.id))).map(toKey));
}

const toKey = ({ tenantId, id }: Pick<Placement, 'tenantId' | 'id'>): string => `${tenantId} ${id}`;

const inValues = (placementsRead: readonly Placement[], name: 'tenantId' | 'registrationId' | 'contextId') => ({
  $in: [...new Set(placementsRead.map((each) => each[name]))],
});

function countPlaced(placed: readonly PlacedLink[]): readonly PlacedCount[] {
  const groups = new Map<string, PlacedLink[]>();
  for (const each of placed) {
    const { object, tenantId } = each.placement;
    const key = JSON.stringify([object.url, tenantId]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const counts = [...groups.values()].map((group) => {
    const [first] = group.map(({ placement }) => placement).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const courses = group.map(({ link }) => JSON.stringify([link.registrationId, link.contextId ?? [link.id]]));
    return {
      tenantId: first?.tenantId ?? '',
      url: first?.object.url ?? '',
      title: first?.object.title ?? '',
      courses: new Set(courses).size,
      links: group.length,
    };
  });
  const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  return counts.toSorted((a, b) => compare(a.url, b.url) || compare(a.tenantId, b.tenantId));
}
