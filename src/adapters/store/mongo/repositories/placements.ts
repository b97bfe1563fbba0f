import type { Connection } from 'mongoose';
import type { Placement } from '../../../../domain/lti/placement.ts';
import type {
  LtiLinkRecord,
  PlacedCount,
  PlacedLink,
  PlacementRepository,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { instant, integer, json, text } from '../fields.ts';
import { orderListBy } from '../list-page.ts';

export const placements = defineCollection<Placement>('placements', {
  fields: {
    tenantId: text,
    registrationId: text,
    contextId: text,
    person: text,
    object: json,
    address: text,
    requestId: text,
    title: text,
    completion: text,
    points: integer,
    placedAt: instant,
  },
  derived: { url: { field: text, of: ({ object }) => object.url } },
  indexes: [
    { key: { 'derived.url': 1, tenantId: 1 } },
    { key: { tenantId: 1, registrationId: 1, contextId: 1, placedAt: -1, _id: 1 } },
    { key: { tenantId: 1, placedAt: -1, _id: 1 } },
  ],
});

export function createPlacementRepository(connection: Connection): PlacementRepository {
  const model = openCollection(connection, placements);
  const listNewest = async (wanted: object, limit: number) => {
    const newest = model
      .find(wanted)
      .sort(orderListBy(['placedAt'], true))
      .limit(limit);
    return (await newest.lean<Document[]>()).map(placements.toRecord);
  };
  return {
    ...createLtiLinks(connection),
    ...createPlacedLinks(connection),
    async addPlacements(records) {
      if (records.length === 0) return;
      const insertions = records.map((record) => ({
        insertOne: { document: placements.toDocument(record) },
      }));
      await model.bulkWrite(insertions, { ordered: false, throwOnValidationError: true });
    },
    findPlacement: async (tenantId, id) =>
      placements.toRecordOrNull(await model.findOne({ _id: id, tenantId }).lean<Document | null>()),
    listPlacementsOfContext: ({ tenantId, registrationId, contextId }, limit) =>
      listNewest({ tenantId, registrationId, contextId }, limit),
    listPlacementsOfOthers: (tenantId, person, limit) =>
      listNewest({ tenantId, person: { $ne: person } }, limit),
    async listMostChosen(tenantId, limit) {
      // Ids only: whole placements of a large tenant are more than a server groups in memory.
      const counted = await model.aggregate<{ last: string; courses: number }>([
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
      const found = await model.find({ _id: { $in: counted.map(({ last }) => last) } }).lean<Document[]>();
      const objects = new Map(found.map(placements.toRecord).map(({ id, object }) => [id, object]));
      return counted.flatMap(({ last, courses }) => {
        const object = objects.get(last);
        return object === undefined ? [] : [{ object, courses }];
      });
    },
  };
}

export const ltiLinks = defineCollection<LtiLinkRecord>('ltiLinks', {
  fields: {
    tenantId: text,
    registrationId: text,
    deploymentId: text,
    contextId: text,
    resourceLinkId: text,
    copiedFrom: text,
    chosenId: text,
    title: text,
    placementId: text,
    firstOpenedAt: instant,
  },
  indexes: [
    { key: { tenantId: 1 } },
    { key: { tenantId: 1, registrationId: 1, contextId: 1, chosenId: 1, _id: 1 } },
    { key: { tenantId: 1, registrationId: 1, resourceLinkId: 1 } },
    { key: { tenantId: 1, placementId: 1 } },
  ],
});

type LtiLinks = Pick<
  PlacementRepository,
  | 'openLink'
  | 'findLink'
  | 'listLinksOfCourses'
  | 'listLinksOfResources'
  | 'takeToldLink'
  | 'replaceLinkPlacement'
>;

const MOST_OF_RESOURCES = 200;

function createLtiLinks(connection: Connection): LtiLinks {
  const model = openCollection(connection, ltiLinks);
  const list = async (wanted: object, limit: number) => {
    const found = model.find(wanted).sort({ _id: 1 }).limit(limit);
    return (await found.lean<Document[]>()).map(ltiLinks.toRecord);
  };
  return {
    async openLink(record) {
      const { _id, ...rest } = ltiLinks.toDocument(record);
      const options = { upsert: true, returnDocument: 'before' } as const;
      // By `_id` alone: servers repeat such an upsert themselves where two hosts add it at once.
      const change = { $setOnInsert: rest };
      const standing = await model.findOneAndUpdate({ _id }, change, options).lean<Document | null>();
      return ltiLinks.toRecordOrNull(standing) ?? record;
    },
    findLink: async (tenantId, id) =>
      ltiLinks.toRecordOrNull(await model.findOne({ _id: id, tenantId }).lean<Document | null>()),
    listLinksOfCourses: ({ tenantId, registrationId, contextIds, chosenId, after, limit }) =>
      list(
        {
          ...{ tenantId, registrationId, contextId: { $in: contextIds } },
          ...(chosenId !== null && { chosenId }),
          ...(after !== null && { _id: { $gt: after } }),
        },
        limit,
      ),
    listLinksOfResources: ({ tenantId, registrationId, resourceLinkIds }) =>
      list({ tenantId, registrationId, resourceLinkId: { $in: resourceLinkIds } }, MOST_OF_RESOURCES),
    async takeToldLink(tenantId, linkId) {
      const told = { _id: linkId, tenantId, contextId: { $ne: null } };
      return (await model.updateOne(told, { $set: { contextId: null } })).matchedCount === 1;
    },
    async replaceLinkPlacement(tenantId, linkId, placementId) {
      const change = { $set: { placementId } };
      return (await model.updateOne({ _id: linkId, tenantId }, change)).matchedCount === 1;
    },
  };
}

/** A notice told of it, and it was launched since under another id. */
const isTaken = { resourceLinkId: '', contextId: null };

type PlacedLinks = Pick<PlacementRepository, 'readPlacedAddresses' | 'countPlacedLinks' | 'listPlacedLinks'>;

function createPlacedLinks(connection: Connection): PlacedLinks {
  const ofPlacements = openCollection(connection, placements);
  const ofLinks = openCollection(connection, ltiLinks);

  /** Links with what stands behind them, in the order of the links' ids. */
  async function listPlaced(wanted: object): Promise<PlacedLink[]> {
    const behind = await ofPlacements.find(wanted).lean<Document[]>();
    const byId = new Map(behind.map((document) => [document._id, placements.toRecord(document)]));
    const found = ofLinks.find({ placementId: { $in: [...byId.keys()] }, $nor: [isTaken] }).sort({ _id: 1 });
    return (await found.lean<Document[]>()).map(ltiLinks.toRecord).flatMap((link) => {
      const placement = byId.get(link.placementId);
      return placement?.tenantId === link.tenantId ? [{ link, placement }] : [];
    });
  }

  const keyOf = ({ tenantId, id }: Pick<Placement, 'tenantId' | 'id'>) => `${tenantId} ${id}`;
  const listDistinct = (read: readonly Placement[], name: 'tenantId' | 'registrationId' | 'contextId') => ({
    $in: [...new Set(read.map((each) => each[name]))],
  });

  /** Of these, those that stand behind links. */
  async function listBehind(read: readonly Placement[]): Promise<ReadonlySet<string>> {
    const tenantId = listDistinct(read, 'tenantId');
    const placementId = { $in: read.map(({ id }) => id) };
    const found = await ofLinks.find({ tenantId, placementId, $nor: [isTaken] }).lean<Document[]>();
    return new Set(
      found.map(ltiLinks.toRecord).map((link) => keyOf({ tenantId: link.tenantId, id: link.placementId })),
    );
  }

  /** Of these, those whose item was opened in the course where it was chosen. */
  async function listOpened(read: readonly Placement[]): Promise<ReadonlySet<string>> {
    const wanted = {
      tenantId: listDistinct(read, 'tenantId'),
      registrationId: listDistinct(read, 'registrationId'),
      contextId: listDistinct(read, 'contextId'),
      chosenId: { $in: read.map(({ id }) => id) },
    };
    const links = (await ofLinks.find(wanted).lean<Document[]>()).map(ltiLinks.toRecord);
    const itemOf = ({ tenantId, registrationId, contextId }: Placement | LtiLinkRecord, id: string | null) =>
      JSON.stringify([tenantId, registrationId, contextId, id]);
    const opened = new Set(links.map((link) => itemOf(link, link.chosenId)));
    return new Set(read.filter((each) => opened.has(itemOf(each, each.id))).map(keyOf));
  }

  return {
    async readPlacedAddresses(after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const found = ofPlacements.find(later).sort({ _id: 1 }).limit(limit);
      const read = (await found.lean<Document[]>()).map(placements.toRecord);
      const [behind, opened] = await Promise.all([listBehind(read), listOpened(read)]);
      return {
        urls: read
          .filter((each) => behind.has(keyOf(each)) || !opened.has(keyOf(each)))
          .map(({ object }) => object.url),
        after: read.length < limit ? null : (read.at(-1)?.id ?? null),
      };
    },
    async countPlacedLinks(scope, urls) {
      const tenants = scope === null ? {} : { tenantId: { $in: [...scope] } };
      return countPlaced(await listPlaced({ 'derived.url': { $in: [...urls] }, ...tenants }));
    },
    listPlacedLinks: async (tenantId, url, limit) =>
      (await listPlaced({ 'derived.url': url, tenantId })).slice(0, limit),
  };
}

function countPlaced(placed: readonly PlacedLink[]): readonly PlacedCount[] {
  const groups = new Map<string, PlacedLink[]>();
  for (const each of placed) {
    const { object, tenantId } = each.placement;
    const key = JSON.stringify([object.url, tenantId]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const counts = [...groups.values()].map((group) => {
    const [first] = group.map(({ placement }) => placement).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const courses = group.map(({ link }) =>
      JSON.stringify([link.registrationId, link.contextId ?? [link.id]]),
    );
    return {
      tenantId: first?.tenantId ?? '',
      url: first?.object.url ?? '',
      title: first?.object.title ?? '',
      courses: new Set(courses).size,
      links: group.length,
    };
  });
  const order = ({ url, tenantId }: PlacedCount) => [url, tenantId] as const;
  return counts.toSorted((a, b) => {
    const [[urlA, tenantA], [urlB, tenantB]] = [order(a), order(b)];
    return Buffer.compare(Buffer.from(urlA), Buffer.from(urlB)) || (tenantA < tenantB ? -1 : 1);
  });
}
