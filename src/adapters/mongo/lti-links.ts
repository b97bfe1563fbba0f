import type { Connection } from 'mongoose';
import type { LtiLinkRecord, PlacementRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { instant, text } from './fields.ts';

export const ltiLinks = defineCollection<LtiLinkRecord>('ltiLinks', {
  fields: {
    tenantId: text,
    registrationId: text,
    deploymentId: text,
    contextId: text,
    resourceLinkId: text,
    placementId: text,
    firstOpenedAt: instant,
  },
  indexes: [{ key: { tenantId: 1 } }],
});

type LtiLinks = Pick<PlacementRepository, 'openLink' | 'findLink' | 'replaceLinkPlacement'>;

export function createLtiLinks(connection: Connection): LtiLinks {
  const model = openCollection(connection, ltiLinks);
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
    async replaceLinkPlacement(tenantId, linkId, placementId) {
      const change = { $set: { placementId } };
      return (await model.updateOne({ _id: linkId, tenantId }, change)).matchedCount === 1;
    },
  };
}
