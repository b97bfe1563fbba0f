import type { Connection } from 'mongoose';
import { fieldsOfRecord, SCHEMA_VERSION, type SchemaState, storeRecords } from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { writeAllRecords } from './records.ts';

/** The oldest schema whose hosts may still run beside hosts of this version: they spoil no later
 *  additions, except that records they save lack later fields. Raise it with a schema that does. */
const ENOUGH = 17;
/** The oldest supported schema: that of the last version in development. */
const OLDEST = 17;

interface Meta {
  readonly _id: string;
  readonly migrations: number;
  /** The highest `ENOUGH` of the hosts so far; absent in databases of versions before it. */
  readonly enough?: number;
}

const SCHEMA = 'schema';

export async function readSchemaState(connection: Connection): Promise<SchemaState> {
  const meta = connection.collection<Meta>('meta');
  const { migrations: applied = 0, enough = applied } = (await meta.findOne({ _id: SCHEMA })) ?? {};
  return { applied, current: SCHEMA_VERSION, isTooNew: SCHEMA_VERSION < applied && SCHEMA_VERSION < enough };
}

/** Brings the database up to date. Every step can be repeated, also by several hosts at once. */
export async function migrate(connection: Connection): Promise<void> {
  const { applied, isTooNew } = await readSchemaState(connection);
  if (isTooNew) throw new Error('it was made by a newer version of Skilldock');
  if (applied > 0 && applied < OLDEST)
    throw new Error('it was made in development, by a version that was never released; begin with a new one');
  if (applied >= SCHEMA_VERSION) return;
  await bringUpToDate(connection, { isNew: applied === 0 });
  // Never back: a host of a newer version may be ahead.
  const change = { $max: { migrations: SCHEMA_VERSION, enough: ENOUGH } };
  await connection.collection<Meta>('meta').updateOne({ _id: SCHEMA }, change, { upsert: true });
}

export async function bringUpToDate(connection: Connection, { isNew }: { readonly isNew: boolean }): Promise<void> {
  for (const description of storeRecords) {
    if (!isNew) await addMissingFields(connection, description);
    await openCollection(connection, description).createIndexes();
  }
}

const BATCH = 500;

async function addMissingFields(connection: Connection, description: (typeof storeRecords)[number]): Promise<void> {
  const model = openCollection(connection, description);
  const { derivedParts, toDocument, toRecord, toStored } = collectionOf(description);
  for (const [field, { initial }] of fieldsOfRecord(description))
    if (initial !== undefined)
      await model.updateMany({ [field]: { $exists: false } }, { $set: { [field]: toStored(field, initial) } });
  for (const part of derivedParts.map((name) => `derived.${name}` as const))
    for (;;) {
      const documents = await model
        .find({ [part]: { $exists: false } })
        .limit(BATCH)
        .lean<Document[]>();
      if (documents.length === 0) break;
      const updates = documents.map((document) => {
        const { derived } = toDocument(toRecord(document)) as { derived?: Record<string, unknown> };
        const update = { $set: { [part]: derived?.[part.slice('derived.'.length)] } };
        return { updateOne: { filter: { _id: document._id }, update } };
      });
      await writeAllRecords(model, updates);
    }
}
