import type { Connection } from 'mongoose';
import { longLivedRecords, type StoreTransfer, storeRecords } from '../../../ports/store/store.ts';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { toReplacement, writeAll } from './records.ts';

/** The tenant goes last: if this is interrupted, it still says that it is being deleted, and everything can be repeated. */
export async function removeTenant(connection: Connection, id: string): Promise<void> {
  for (const description of storeRecords)
    if ('tenantId' in description.fields)
      await openCollection(connection, description).deleteMany({ tenantId: id });
  for (const description of storeRecords) {
    const { tenants, version } = description.fields;
    if (tenants?.type !== 'tenants') continue;
    // Counts as a change: so nobody who has read the record before can bring the id back.
    const change = { $pull: { tenants: id }, ...(version !== undefined && { $inc: { version: 1 } }) };
    await openCollection(connection, description).updateMany({ tenants: id }, change);
  }
  await openCollection(connection, longLivedRecords.tenants).deleteOne({ _id: id });
}

/** The key is the document's `_id`, and servers order texts by their UTF-8 bytes. */
export function createStoreTransfer(connection: Connection): StoreTransfer {
  return {
    async readRecords(name, after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const model = openCollection(connection, longLivedRecords[name]);
      const found = await model.find(later).sort({ _id: 1 }).limit(limit).lean<Document[]>();
      const { toRecord } = collectionOf(longLivedRecords[name]);
      return found.map((document) => ({ key: document._id, record: toRecord(document) }));
    },
    writeRecords(name, records) {
      const { toDocument } = collectionOf(longLivedRecords[name]);
      const replacements = records.map(({ record }) => toReplacement(toDocument(record)));
      return writeAll(openCollection(connection, longLivedRecords[name]), replacements);
    },
  };
}
