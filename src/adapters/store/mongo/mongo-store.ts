import type { Connection } from 'mongoose';
import type { SchemaState, Store, StoreDescription, StoreTransfer } from '#ports/store/store';
import { createRepositories, longLivedRecords, SCHEMA_VERSION, storeRecords } from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import type { OpenedConnection } from './connection.ts';
import { createMongoError, explainMongoFailures, openMongoConnection, UNLIMITED_MS } from './connection.ts';
import { createRateCounterRepository, createShelfAddition, createUsageAddition, listTopInsight } from './counting.ts';
import { createImportEntries } from './import-entries.ts';
import { createLeaseQueue } from './lease-queue.ts';
import { createRecords, toRecordReplacement, writeAllRecords } from './records.ts';
import { migrate, readSchemaState } from './schema.ts';

/** Opens a store in MongoDB 4.4 or newer, and brings it up to date. Errors: STORE_UNAVAILABLE. */
export async function createMongoStore(uri: string): Promise<Store> {
  // Indexes of large collections take minutes.
  await useConnection(await openMongoConnection(uri, UNLIMITED_MS), migrate);
  return assembleMongoStore(await openMongoConnection(uri));
}

/** Reads the state of the schema without changing anything. Errors: STORE_UNAVAILABLE. */
export async function readMongoStoreSchema(uri: string): Promise<SchemaState> {
  return useConnection(await openMongoConnection(uri), readSchemaState);
}

async function useConnection<T>(opened: OpenedConnection, use: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    return await use(opened.connection);
  } catch (cause) {
    throw createMongoError(opened.location, cause);
  } finally {
    await opened.connection.close();
  }
}

function assembleMongoStore(opened: OpenedConnection): Store {
  const { connection, db, location } = opened;
  const explained = <T extends object>(repository: T) => explainMongoFailures(repository, location);
  const repositories = createRepositories({
    explain: explained,
    open: (description) => createRecords(connection, description),
    openQueue: (description, lane) => createLeaseQueue(connection, description, lane),
    removeTenant: (id) => removeTenantFromMongo(connection, id),
    addUsage: createUsageAddition(connection),
    addToShelf: createShelfAddition(connection),
    listTopInsight: (query) => listTopInsight(connection, query),
    rateCounters: createRateCounterRepository(connection),
    importEntries: createImportEntries(connection),
  });
  return {
    ...repositories,
    transfer: explained(createStoreTransfer(connection)),
    ...explained({
      describe: () => describeMongoServer(opened),
      async check() {
        await db.admin().ping();
      },
      // The server does both by itself.
      dropRemains: async () => undefined,
    }),
    close: () => connection.close(),
  };
}

async function describeMongoServer({ db, location }: OpenedConnection): Promise<StoreDescription> {
  const [{ version }, { dataSize }] = await Promise.all([db.admin().buildInfo(), db.stats()]);
  const bytes = typeof dataSize === 'number' ? dataSize : null;
  return { kind: 'mongo', location, version, schemaVersion: SCHEMA_VERSION, bytes };
}

/** Removes a tenant after its records, so that an interrupted removal can be repeated. */
async function removeTenantFromMongo(connection: Connection, id: string): Promise<void> {
  for (const description of storeRecords)
    if ('tenantId' in description.fields) await openCollection(connection, description).deleteMany({ tenantId: id });
  for (const description of storeRecords) {
    const { tenants, version } = description.fields;
    if (tenants?.type !== 'tenants') continue;
    // Counts as a change, so that nobody who has read the record before can bring the id back.
    const change = { $pull: { tenants: id }, ...(version !== undefined && { $inc: { version: 1 } }) };
    await openCollection(connection, description).updateMany({ tenants: id }, change);
  }
  await openCollection(connection, longLivedRecords.tenants).deleteOne({ _id: id });
}

/** Reads records in the order of their keys: servers order an `_id` by its UTF-8 bytes. */
function createStoreTransfer(connection: Connection): StoreTransfer {
  return {
    async readRecords(name, after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const model = openCollection(connection, longLivedRecords[name]);
      const documents = await model.find(later).sort({ _id: 1 }).limit(limit).lean<Document[]>();
      const { toRecord } = collectionOf(longLivedRecords[name]);
      return documents.map((document) => ({ key: document._id, record: toRecord(document) }));
    },
    writeRecords(name, records) {
      const { toDocument } = collectionOf(longLivedRecords[name]);
      const replacements = records.map(({ record }) => toRecordReplacement(toDocument(record)));
      return writeAllRecords(openCollection(connection, longLivedRecords[name]), replacements);
    },
  };
}
