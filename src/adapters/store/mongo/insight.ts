import type { Connection, Model } from 'mongoose';
import {
  type InsightRecord,
  type InsightRepository,
  type InsightSum,
  insightCounters,
  insightRecords,
  is,
  type PendingCounts,
  type PendingLimits,
  type PendingSearch,
  pendingSearchRecords,
  searchCounters,
} from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { findExistingTenants } from './counting.ts';
import { toFilter } from './filter.ts';
import { createRecords, writeAll } from './records.ts';

const insight = collectionOf(insightRecords);
const marks = collectionOf(pendingSearchRecords);

export function createInsightRepository(connection: Connection): InsightRepository {
  const model = openCollection(connection, insightRecords);
  const waiting = openCollection(connection, pendingSearchRecords);
  const records = createRecords(connection, insightRecords);
  return {
    async addInsight(counted, mostADay) {
      const existing = await findExistingTenants(connection, counted);
      const added = counted.filter(({ tenantId }) => existing.has(tenantId));
      await writeAll(model, await toAdditions(model, added, mostADay));
    },
    async findExistingSearches(tenantId, names) {
      const matching = { tenantId, kind: 'search', name: { $in: [...names] } };
      return (await model.distinct('name', matching)).map(String);
    },
    async addPendingSearch(search, limits) {
      if (!(await findExistingTenants(connection, [search])).has(search.tenantId)) return null;
      return addWaiting(waiting, search, limits);
    },
    async listTopInsight({ scope, kind, by, name, firstDay, lastDay, limit }) {
      const documents = await model.aggregate<Omit<InsightSum, 'tenantId' | 'name'> & { _id: InsightSum }>([
        {
          $match: toFilter(insight, { kind, day: is.between(firstDay, lastDay), name, tenantId: is.inScope(scope) }),
        },
        {
          $group: {
            _id: { tenantId: '$tenantId', name: '$name' },
            title: { $max: '$title' },
            ...Object.fromEntries(insightCounters.map((counter) => [counter, { $sum: `$${counter}` }])),
          },
        },
        { $match: { [by]: { $gt: 0 } } },
        { $sort: { [by]: -1, '_id.name': 1, '_id.tenantId': 1 } },
        { $limit: limit },
      ]);
      return documents.map(({ _id: { tenantId, name }, ...rest }) => ({ tenantId, name, ...rest }));
    },
    async removeOldInsight(day, now, limit) {
      await waiting.deleteMany({ expiresAt: { $lte: now } });
      return (await records.remove({ day: is.below(day) }, limit)) === limit;
    },
  };
}

/** By `_id` alone: servers then repeat an upsert that collides with that of another host. */
async function toAdditions(model: Model<Document>, records: readonly InsightRecord[], mostADay: number) {
  const ids = [...new Set(records.map(insight.toId))];
  const documents = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean<Document[]>();
  const existing = new Set(documents.map(({ _id }) => _id));
  const room = new Map<string, number>();
  const additions = [];
  for (const record of records) {
    const { tenantId, day, kind, name, title } = record;
    const _id = insight.toId(record);
    if (!existing.has(_id)) {
      const place = `${tenantId} ${day} ${kind}`;
      const free = room.get(place) ?? mostADay - (await model.countDocuments({ tenantId, day, kind }));
      room.set(place, free - 1);
      if (free <= 0) continue;
      existing.add(_id);
    }
    const counts = Object.fromEntries(insightCounters.map((counter) => [counter, record[counter]]));
    const update = { $inc: counts, $set: { title }, $setOnInsert: { tenantId, day, kind, name } };
    additions.push({ updateOne: { filter: { _id }, update, upsert: true } });
  }
  return additions;
}

/** The call that removes the complete search gets it; others start again, or get nothing. */
async function addWaiting(
  waiting: Model<Document>,
  { person, ...search }: PendingSearch,
  { people, most, now, expiresAt }: PendingLimits,
): Promise<PendingCounts | null> {
  const { tenantId, mark } = search;
  const _id = marks.toId(search);
  await waiting.deleteOne({ _id, expiresAt: { $lte: now } });
  const counts = Object.fromEntries(searchCounters.map((counter) => [counter, search[counter]]));
  const change = { $addToSet: { people: person }, $inc: counts };
  const { matchedCount } = await waiting.updateOne({ _id }, change);
  if (matchedCount === 0) {
    if ((await waiting.countDocuments({ tenantId })) >= most) return null;
    const insertion = { ...change, $setOnInsert: { tenantId, mark, expiresAt } };
    await waiting.updateOne({ _id }, insertion, { upsert: true });
  }
  const enough = { _id, [`people.${people - 1}`]: { $exists: true } };
  const removed = await waiting.findOneAndDelete(enough).lean<Document | null>();
  if (removed === null) return null;
  const { asked, poor, empty, unopened } = marks.toRecord(removed);
  return { asked, poor, empty, unopened };
}
