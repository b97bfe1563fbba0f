import { randomInt } from 'node:crypto';
import type { Connection, Model } from 'mongoose';
import { AppError } from '#errors';
import {
  type InsightQuery,
  type InsightSum,
  insightCounters,
  insightRecords,
  is,
  latestShortLivedExpiry,
  type RateCounterRepository,
  rateWindowRecords,
  type ShelfRecord,
  type StoreParts,
  shelfRecords,
  tenantRecords,
  usageRecords,
  type WindowCount,
} from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { isTakenFailure, quickWrites, writeUnlessTaken } from './connection.ts';
import { toFilter } from './filter.ts';
import { writeAllRecords } from './records.ts';

/** Returns a function that adds counts, but none for a removed tenant. */
export function createUsageAddition(connection: Connection): StoreParts['addUsage'] {
  const tenants = openCollection(connection, tenantRecords);
  return async (counts) => {
    const ids = [...new Set(counts.map(({ tenantId }) => tenantId))];
    const existing = await tenants.distinct('_id', { _id: { $in: ids } });
    const additions = counts
      .filter(({ tenantId }) => existing.includes(tenantId))
      .map(({ count, ...counted }) => {
        const update = { $inc: { count }, $setOnInsert: counted };
        // By `_id` alone: the server retries an upsert that collides with that of another host.
        const filter = { _id: collectionOf(usageRecords).toId(counted) };
        return { updateOne: { filter, update, upsert: true } };
      });
    await writeAllRecords(openCollection(connection, usageRecords), additions);
  };
}

export async function listTopInsight(connection: Connection, query: InsightQuery): Promise<readonly InsightSum[]> {
  const { scope, kind, by, name, firstDay, lastDay, limit } = query;
  const where = { kind, day: is.between(firstDay, lastDay), name, tenantId: is.inScope(scope) };
  const sums = insightCounters.map((counter) => [counter, { $sum: `$${counter}` }]);
  const _id = { tenantId: '$tenantId', name: '$name' };
  const model = openCollection(connection, insightRecords);
  const documents = await model.aggregate<Omit<InsightSum, 'tenantId' | 'name'> & { readonly _id: InsightSum }>([
    { $match: toFilter(collectionOf(insightRecords), where) },
    { $group: { _id, title: { $max: '$title' }, ...Object.fromEntries(sums) } },
    { $match: { [by]: { $gt: 0 } } },
    { $sort: { [by]: -1, '_id.name': 1, '_id.tenantId': 1 } },
    { $limit: limit },
  ]);
  return documents.map(({ _id: { tenantId, name }, ...sums }) => ({ tenantId, name, ...sums }));
}

const shelf = collectionOf(shelfRecords);

/** How often a call whose place is taken meanwhile tries another one. */
const MAX_ATTEMPTS = 50;

/** Returns a function that adds an object to a shelf. Each object has a place: a number below the
 *  capacity, unique by an index, so that simultaneous calls never exceed it. */
export function createShelfAddition(connection: Connection): StoreParts['addToShelf'] {
  const model = openCollection(connection, shelfRecords);
  return async (record, capacity) => {
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const outcome = await tryToAddToShelf(model, record, capacity);
      if (outcome !== 'overtaken') return outcome;
    }
    throw new AppError('STORE_UNAVAILABLE', 'The shelf is changed by too many at once. Try again.');
  };
}

/** Tries one place. Returns `overtaken` if another call took it, or added the object, meanwhile. */
async function tryToAddToShelf(model: Model<Document>, record: ShelfRecord, capacity: number) {
  const { tenantId, person } = record;
  const key = shelf.toId(record);
  const shelved = await model
    .find({ tenantId, person }, { 'derived.place': 1 })
    .lean<(Document & { readonly derived: { readonly place: string } })[]>();
  if (shelved.some(({ _id }) => _id === key)) return 'kept';
  if (shelved.length >= capacity) return 'full';
  // NaN for an object without a number, whose place is derived from its address.
  const usedPlaces = shelved.map(({ derived }) => Number(derived.place));
  const place = findFreeShelfPlace(usedPlaces, capacity);
  const isAdded = await writeUnlessTaken(async () => {
    await model.insertOne({ ...shelf.toDocument(record), derived: { place } });
    return true;
  });
  return isAdded ? 'added' : 'overtaken';
}

/** Chooses a random free place, so that simultaneous calls seldom choose the same. Each object
 *  without a number, or with a number from a larger capacity, reduces the usable numbers by one. */
function findFreeShelfPlace(usedPlaces: readonly number[], capacity: number): string {
  let usable = capacity;
  while (usable + usedPlaces.filter((number) => !(number < usable)).length > capacity) usable -= 1;
  const numbers = Array.from({ length: usable }, (_, number) => number);
  const free = numbers.filter((number) => !usedPlaces.includes(number));
  return `${free[randomInt(free.length)]}`;
}

/** How often a call tries: after the expiry, one call renews the window, and the rest add to it. */
const MAX_RENEWALS = 5;

type Addition = WindowCount & { readonly window: string; readonly now: Date };

export function createRateCounterRepository(connection: Connection): RateCounterRepository {
  const model = openCollection(connection, rateWindowRecords);
  return {
    async addRatePoints(window, points, times) {
      const addition = { window, points, ...times };
      for (let tried = 0; tried < MAX_RENEWALS; tried += 1) {
        const count = (await addToRunningCount(model, addition)) ?? (await renewExpiredCount(model, addition));
        if (count !== null) return count;
      }
      throw new AppError('STORE_UNAVAILABLE', `The rate window ${window} could not be counted. Try again.`);
    },
  };
}

/** Adds to a window, or begins one. Null if the existing one has expired or ends too late: MongoDB
 *  then refuses the insertion. Reads the value before the change, as the server of the tests may
 *  return a later one after it. */
async function addToRunningCount(model: Model<Document>, addition: Addition): Promise<WindowCount | null> {
  const { window, points, now, expiresAt } = addition;
  const running = { _id: window, expiresAt: { $gt: now, $lte: latestShortLivedExpiry(expiresAt) } };
  const change = { $inc: { points }, $setOnInsert: { expiresAt } };
  const options = { ...quickWrites, upsert: true, returnDocument: 'before' } as const;
  try {
    const document = await model.findOneAndUpdate(running, change, options).lean<Document | null>();
    if (document === null) return { points, expiresAt };
    const before = toWindowCount(document);
    return { ...before, points: before.points + points };
  } catch (error) {
    if (isTakenFailure(error)) return null;
    throw error;
  }
}

/** Begins an expired window again. Null if another call has just done that. */
async function renewExpiredCount(model: Model<Document>, addition: Addition): Promise<WindowCount | null> {
  const { window, points, now, expiresAt } = addition;
  const outside = [{ expiresAt: { $lte: now } }, { expiresAt: { $gt: latestShortLivedExpiry(expiresAt) } }];
  const expired = { _id: window, $or: outside };
  const { matchedCount } = await model.updateOne(expired, { $set: { points, expiresAt } }, quickWrites);
  return matchedCount === 1 ? { points, expiresAt } : null;
}

function toWindowCount(document: Document): WindowCount {
  const { points, expiresAt } = collectionOf(rateWindowRecords).toRecord(document);
  return { points, expiresAt };
}
