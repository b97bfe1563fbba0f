import type { Connection } from 'mongoose';
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

/** A link known from a notice that was launched since under another id. */
const isTaken = { resourceLinkId: '', contextId: null };

const placements = collectionOf(placementRecords);
const ltiLinks = collectionOf(ltiLinkRecords);

export function createPlacedLinks(connection: Connection): PlacedLinks {
  const ofPlacements = openCollection(connection, placementRecords);
  const ofLinks = openCollection(connection, ltiLinkRecords);

  /** Links with what stands behind them, in the order of the links' ids. */
  async function listPlaced(wanted: object): Promise<PlacedLink[]> {
    const behind = await ofPlacements.find(wanted).lean<Document[]>();
    const byId = new Map(behind.map((document) => [document._id, placements.toRecord(document)]));
    const documents = ofLinks
      .find({ placementId: { $in: [...byId.keys()] }, $nor: [isTaken] })
      .sort({ _id: 1 });
    return (await documents.lean<Document[]>()).map(ltiLinks.toRecord).flatMap((link) => {
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
    const documents = await ofLinks.find({ tenantId, placementId, $nor: [isTaken] }).lean<Document[]>();
    return new Set(
      documents
        .map(ltiLinks.toRecord)
        .map((link) => keyOf({ tenantId: link.tenantId, id: link.placementId })),
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
    async listMostChosen(tenantId, limit) {
      // Ids only: whole placements of a large tenant are more than a server groups in memory.
      const counted = await ofPlacements.aggregate<{ last: string; courses: number }>([
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
      const documents = await ofPlacements
        .find({ _id: { $in: counted.map(({ last }) => last) } })
        .lean<Document[]>();
      const objects = new Map(documents.map(placements.toRecord).map(({ id, object }) => [id, object]));
      return counted.flatMap(({ last, courses }) => {
        const object = objects.get(last);
        return object === undefined ? [] : [{ object, courses }];
      });
    },
    async readPlacedAddresses(after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const documents = ofPlacements.find(later).sort({ _id: 1 }).limit(limit);
      const read = (await documents.lean<Document[]>()).map(placements.toRecord);
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
