import type { Connection } from 'mongoose';
import { initialFeedbackSettings } from '../../../domain/tenant.ts';
import type { SchemaState } from '../../../ports/store/store.ts';
import { type Document, openCollection } from './collection.ts';
import { feedback } from './repositories/feedback-collection.ts';
import { fileParts, files } from './repositories/files.ts';
import { imports } from './repositories/imports.ts';
import { insightWaiting } from './repositories/insight.ts';
import { linkChecks } from './repositories/link-checks.ts';
import { ltiLinks, placements } from './repositories/placements.ts';
import { scores } from './repositories/scores.ts';
import { answers, nonces, rateWindows } from './repositories/short-lived.ts';
import { tenants } from './repositories/tenants.ts';
import { longLived } from './transfer.ts';

/** Changes of indexes and data in order. Each can be done again, and by two hosts at once, without harm: a host may be
 *  stopped in the middle, and several may be starting. Never edit one that was released: add another; a new index is one
 *  more `createIndexes`, a changed one is dropped by its name before. */
const migrations: readonly ((connection: Connection) => Promise<void>)[] = [
  createIndexes,
  addFeedbackSettings,
  // Registrations of platforms, placements, and what learners do with them.
  createIndexes,
  // Where the Slack app is installed, and what is kept of people besides their shelves.
  createIndexes,
  // Imports, and checks of links.
  createIndexes,
  addItemsOfLinks,
  createIndexes,
  addUrlsOfPlacements,
  addValidatorsOfChecks,
  createIndexes,
  addChecksOfImports,
  createIndexes,
  // What administrators change of single objects.
  createIndexes,
  // What was searched for and used.
  createIndexes,
  // Assistants, and what people let them do.
  createIndexes,
  // Files that hosts share.
  createIndexes,
];

/** A host that knows so many of them may start beside hosts of this version: it neither misses what those later ones added, nor spoils
 *  it, but for fields that a record it saves lacks again. Raise it with one that asks for more. */
const ENOUGH = 15;

interface Meta {
  readonly _id: string;
  /** Number of those applied. */
  readonly migrations: number;
  /** The highest `ENOUGH` of the hosts that were here; absent before there was one, when every one had to be known. */
  readonly enough?: number;
}

const SCHEMA = 'schema';

/** Read without changing anything. */
export async function readSchemaState(connection: Connection): Promise<SchemaState> {
  const meta = connection.collection<Meta>('meta');
  const { migrations: applied = 0, enough = applied } = (await meta.findOne({ _id: SCHEMA })) ?? {};
  const known = migrations.length;
  return { applied, known, isTooNew: known < applied && known < enough };
}

/** Brings the database up to date and gives the number of migrations applied. */
export async function migrate(connection: Connection): Promise<number> {
  const meta = connection.collection<Meta>('meta');
  const { applied, isTooNew } = await readSchemaState(connection);
  if (isTooNew) throw new Error('it was made by a newer version of Skilldock');
  const missing = migrations.slice(applied);
  for (const change of new Set(missing)) await change(connection);
  if (missing.length > 0) {
    // Never back: a host of a newer version may be ahead.
    await meta.updateOne(
      { _id: SCHEMA },
      { $max: { migrations: migrations.length, enough: ENOUGH } },
      { upsert: true },
    );
  }
  await addEmails(connection);
  return migrations.length;
}

/** Those of the schemas that are not there yet. */
async function createIndexes(connection: Connection): Promise<void> {
  const shortLived = [rateWindows, nonces, answers, insightWaiting, files, fileParts];
  for (const collection of [...Object.values(longLived), ...shortLived]) {
    await openCollection(connection, collection).createIndexes();
  }
}

/** What a tenant decides about feedback. */
async function addFeedbackSettings(connection: Connection): Promise<void> {
  const undecided = { feedback: { $exists: false } };
  await openCollection(connection, tenants).updateMany(undecided, {
    $set: { feedback: initialFeedbackSettings },
  });
}

/** Links of early versions do not know what their items name, and line items were never made here. */
async function addItemsOfLinks(connection: Connection): Promise<void> {
  const unknown = { chosenId: { $exists: false } };
  const nothing = { copiedFrom: null, chosenId: null, title: null };
  await openCollection(connection, ltiLinks).updateMany(unknown, { $set: nothing });
  const made = { newLineItem: { $exists: false } };
  await openCollection(connection, scores).updateMany(made, { $set: { newLineItem: null } });
}

/** Imports of early versions were not checked first, nor begun again by themselves. */
async function addChecksOfImports(connection: Connection): Promise<void> {
  const early = { changes: { $exists: false } };
  const nothing = { changes: [], comparedWith: 0, origin: null, rhythm: null, 'counts.warned': 0 };
  const unused = { 'rejected.$[].isUsed': false };
  await openCollection(connection, imports).updateMany(early, { $set: { ...nothing, ...unused } });
}

const BATCH = 500;

/** By which the links are found that show an address. */
async function addUrlsOfPlacements(connection: Connection): Promise<void> {
  const model = openCollection(connection, placements);
  const without = { 'derived.url': { $exists: false } };
  for (;;) {
    const found = await model.find(without).limit(BATCH).lean<Document[]>();
    if (found.length === 0) return;
    const updates = found.map((document) => ({
      updateOne: {
        filter: { _id: document._id },
        update: { $set: { 'derived.url': placements.toRecord(document).object.url } },
      },
    }));
    await model.bulkWrite(updates, { ordered: false, throwOnValidationError: true });
  }
}

async function addValidatorsOfChecks(connection: Connection): Promise<void> {
  const unknown = { movedTo: { $exists: false } };
  const nothing = { movedTo: null, etag: null, lastModified: null };
  await openCollection(connection, linkChecks).updateMany(unknown, { $set: nothing });
}

/** Done at each start, as a host of the first version that ran on may have stored more without. Where nothing is missing,
 *  that is one look into an index. */
async function addEmails(connection: Connection): Promise<void> {
  const model = openCollection(connection, feedback);
  const without = { 'derived.email': { $exists: false } };
  for (;;) {
    const found = await model
      .find(without, { email: 1 })
      .limit(BATCH)
      .lean<{ _id: string; email: string }[]>();
    if (found.length === 0) return;
    const updates = found.map(({ _id, email }) => ({
      updateOne: { filter: { _id }, update: { $set: { 'derived.email': email.toLowerCase() } } },
    }));
    await model.bulkWrite(updates, { ordered: false, throwOnValidationError: true });
  }
}
