import type { Connection } from 'mongoose';
import { toRecordKey } from '../../../../domain/record-key.ts';
import type { ObjectChange, ObjectLayerRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { instant, integer, json, text } from '../fields.ts';

const keyOf = ({ tenantId, address }: Pick<ObjectChange, 'tenantId' | 'address'>) =>
  toRecordKey([tenantId, address]);

export const objectChanges = defineCollection<ObjectChange>('objectChanges', {
  fields: {
    tenantId: text,
    address: text,
    url: text,
    state: json,
    before: json,
    suggestedBy: text,
    changedBy: text,
    changedAt: instant,
    version: integer,
  },
  key: keyOf,
  indexes: [{ key: { tenantId: 1, _id: 1 } }, { key: { tenantId: 1, version: 1, changedAt: 1 } }],
});

export function createObjectLayerRepository(connection: Connection): ObjectLayerRepository {
  const model = openCollection(connection, objectChanges);
  return {
    async saveObjectChange(change) {
      const document = objectChanges.toDocument(change);
      if (change.version === 1)
        return writeUnlessTaken(async () => {
          await model.insertOne(document);
          return true;
        });
      const before = { _id: document._id, version: change.version - 1 };
      return (await model.replaceOne(before, document)).matchedCount === 1;
    },
    async findObjectChange(tenantId, address) {
      const found = model.findOne({ _id: keyOf({ tenantId, address }) });
      return objectChanges.toRecordOrNull(await found.lean<Document | null>());
    },
    async readObjectChanges(tenantId, after, limit) {
      const later = after === null ? {} : { _id: { $gt: keyOf({ tenantId, address: after }) } };
      const found = model
        .find({ tenantId, ...later })
        .sort({ _id: 1 })
        .limit(limit);
      return (await found.lean<Document[]>()).map(objectChanges.toRecord);
    },
    async readObjectLayerVersions(tenantIds) {
      const rows = await model.aggregate<{ _id: string; changes: number; at: Date }>([
        { $match: { tenantId: { $in: [...tenantIds] } } },
        { $group: { _id: '$tenantId', changes: { $sum: '$version' }, at: { $max: '$changedAt' } } },
      ]);
      return new Map(rows.map(({ _id, changes, at }) => [_id, `${changes}-${at.getTime()}`]));
    },
  };
}
