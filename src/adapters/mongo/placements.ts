import type { Connection } from 'mongoose';
import type { Placement } from '../../domain/lti/placement.ts';
import type { PlacementRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { instant, integer, json, text } from './fields.ts';
import { orderBy } from './list-page.ts';
import { createLtiLinks } from './lti-links.ts';

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
  indexes: [
    { key: { tenantId: 1, registrationId: 1, contextId: 1, placedAt: -1, _id: 1 } },
    { key: { tenantId: 1, placedAt: -1, _id: 1 } },
  ],
});

export function createPlacementRepository(connection: Connection): PlacementRepository {
  const model = openCollection(connection, placements);
  const listNewest = async (wanted: object, limit: number) => {
    const newest = model
      .find(wanted)
      .sort(orderBy(['placedAt'], true))
      .limit(limit);
    return (await newest.lean<Document[]>()).map(placements.toRecord);
  };
  return {
    ...createLtiLinks(connection),
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
  };
}
