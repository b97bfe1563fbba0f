import type { Connection } from 'mongoose';
import {
  createRepositories,
  type Delivery,
  type DeliveryQueue,
  longLivedRecords,
  type RecordDescription,
  SCHEMA_VERSION,
  type SchemaState,
  type Store,
  type StoreDescription,
  type StoreTransfer,
  storeRecords,
} from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { type OpenedConnection, openConnection } from './connection.ts';
import { createRateCounterRepository, createShelfAddition, createUsageAddition } from './counting.ts';
import { createMongoError, explainFailures } from './failures.ts';
import { createImportEntries } from './import-entries.ts';
import { createInsightRepository } from './insight.ts';
import { createPlacedLinks } from './placed-links.ts';
import { createRecords, toReplacement, writeAll } from './records.ts';
import { migrate, readSchemaState } from './schema.ts';

/** The store for several hosts: one MongoDB database, 4.4 or newer. Changes of several documents
 *  are made in an order that can be repeated, so nothing needs a transaction.
 *  Errors: STORE_UNAVAILABLE when the server cannot be reached, also of every call. */
export async function createMongoStore(uri: string): Promise<Store> {
  // Indexes of large collections take minutes.
  const patient = await openConnection(uri, 0);
  try {
    await migrate(patient.connection);
  } catch (cause) {
    throw createMongoError(patient.location, cause);
  } finally {
    await patient.connection.close();
  }
  return assembleStore(await openConnection(uri));
}

/** How far the database is, without changing anything. Errors: STORE_UNAVAILABLE. */
export async function readMongoStoreSchema(uri: string): Promise<SchemaState> {
  const { connection, location } = await openConnection(uri);
  try {
    return await readSchemaState(connection);
  } catch (cause) {
    throw createMongoError(location, cause);
  } finally {
    await connection.close();
  }
}

function assembleStore({ connection, db, location }: OpenedConnection): Store {
  const explained = <T extends object>(repository: T) => explainFailures(repository, location);
  const repositories = createRepositories({
    explain: explained,
    open: (description) => createRecords(connection, description),
    openQueue: (description, lane) => createLeaseQueue(connection, description, lane),
    removeTenant: (id) => removeTenant(connection, id),
    addUsage: createUsageAddition(connection),
    addToShelf: createShelfAddition(connection),
    insight: createInsightRepository(connection),
    rateCounters: createRateCounterRepository(connection),
    placed: createPlacedLinks(connection),
    importEntries: createImportEntries(connection),
  });
  return {
    ...repositories,
    transfer: explained(createStoreTransfer(connection)),
    ...explained({
      describe: async () => ({ ...(await describeServer(db)), location, schemaVersion: SCHEMA_VERSION }),
      async check() {
        await db.admin().ping();
      },
    }),
    close: () => connection.close(),
  };
}

type Told = Pick<StoreDescription, 'kind' | 'version' | 'bytes'>;

async function describeServer(db: OpenedConnection['db']): Promise<Told> {
  const [{ version }, { dataSize }] = await Promise.all([db.admin().buildInfo(), db.stats()]);
  return { kind: 'mongo', version, bytes: typeof dataSize === 'number' ? dataSize : null };
}

/** The tenant is removed last, so that all can be repeated after an interruption. */
async function removeTenant(connection: Connection, id: string): Promise<void> {
  for (const description of storeRecords)
    if ('tenantId' in description.fields) await openCollection(connection, description).deleteMany({ tenantId: id });
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
      const replacements = records.map(({ record }) => toReplacement(toDocument(record)));
      return writeAll(openCollection(connection, longLivedRecords[name]), replacements);
    },
  };
}

const longestDue = { dueAt: 1, _id: 1 } as const;

/** Claims due records of a collection one by one, each under a lease that keeps others away. */
function createLeaseQueue<R extends Delivery>(
  connection: Connection,
  description: RecordDescription<R>,
  lane: keyof R & string,
): DeliveryQueue<R> {
  const model = openCollection(connection, description);

  /** Waiting records of the other lanes. Naming these lets the server skip the busy ones. */
  async function waitingBut(busy: readonly string[]): Promise<object> {
    if (busy.length === 0) return { state: 'waiting' };
    const lanes = (await model.distinct(lane, { state: 'waiting' })) as string[];
    return { state: 'waiting', [lane]: { $in: lanes.filter((name) => !busy.includes(name)) } };
  }

  return {
    async claimDue(now, leasedUntil, busy = []) {
      const free = { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }] };
      const due = { ...(await waitingBut(busy)), dueAt: { $lte: now }, ...free };
      const change = { $set: { leasedUntil }, $inc: { attempts: 1 } };
      const options = { sort: longestDue, returnDocument: 'after' } as const;
      const claimed = await model.findOneAndUpdate(due, change, options).lean<Document | null>();
      return collectionOf(description).toRecordOrNull(claimed);
    },
    async findNextDue(busy = []) {
      const free = { ...(await waitingBut(busy)), leasedUntil: null };
      const next = model.findOne(free, { dueAt: 1 }).sort(longestDue);
      return (await next.lean<{ readonly dueAt: Date } | null>())?.dueAt ?? null;
    },
    async correctTimes(now, { latestDue, latestLease }) {
      const wrong = { $or: [{ dueAt: { $gt: latestDue } }, { leasedUntil: { $gt: latestLease } }] };
      const change = { $min: { dueAt: now }, $set: { leasedUntil: null } };
      return (await model.updateMany({ state: 'waiting', ...wrong }, change)).modifiedCount;
    },
  };
}
