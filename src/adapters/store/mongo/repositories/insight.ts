import type { Connection, Model } from 'mongoose';
import { toRecordKey } from '../../../../domain/record-key.ts';
import {
  type InsightRecord,
  type InsightRepository,
  type InsightSum,
  insightCounters,
  searchCounters,
  type WaitedSearch,
  type WaitingLimits,
  type WaitingSearch,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, EXPIRED_KEPT_SECONDS, openCollection } from '../collection.ts';
import { instant, integer, text, texts } from '../fields.ts';
import { joinListConditions, matchListScope } from '../list-page.ts';
import { tenants } from './tenants.ts';

const keyOf = ({ tenantId, day, kind, name }: InsightRecord) => toRecordKey([tenantId, day, kind, name]);

export const insight = defineCollection<InsightRecord>('insight', {
  fields: {
    tenantId: text,
    day: text,
    kind: text,
    name: text,
    title: text,
    asked: integer,
    poor: integer,
    empty: integer,
    unopened: integer,
    opened: integer,
    placed: integer,
    finished: integer,
  },
  key: keyOf,
  indexes: [
    { key: { tenantId: 1, day: 1, kind: 1 } },
    { key: { tenantId: 1, kind: 1, name: 1 } },
    { key: { day: 1 } },
  ],
});

interface Waiting extends Omit<WaitingSearch, 'person'> {
  readonly people: readonly string[];
  readonly expiresAt: Date;
}

const waitingKeyOf = ({ tenantId, mark }: Pick<Waiting, 'tenantId' | 'mark'>) =>
  toRecordKey([tenantId, mark]);

export const insightWaiting = defineCollection<Waiting>('insightWaiting', {
  fields: {
    tenantId: text,
    mark: text,
    people: texts,
    asked: integer,
    poor: integer,
    empty: integer,
    unopened: integer,
    expiresAt: instant,
  },
  key: waitingKeyOf,
  indexes: [{ key: { tenantId: 1 } }, { key: { expiresAt: 1 }, expireAfterSeconds: EXPIRED_KEPT_SECONDS }],
});

export function createInsightRepository(connection: Connection): InsightRepository {
  const model = openCollection(connection, insight);
  const waiting = openCollection(connection, insightWaiting);
  const known = openCollection(connection, tenants);

  /** What was counted before a tenant was removed must not come back. */
  async function findStanding(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await known.find({ _id: { $in: [...new Set(ids)] } }, { _id: 1 }).lean<Document[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  return {
    async addInsight(records, mostADay) {
      const standing = await findStanding(records.map(({ tenantId }) => tenantId));
      const added = records.filter(({ tenantId }) => standing.has(tenantId));
      const additions = await toAdditions(model, added, mostADay);
      if (additions.length > 0)
        await model.bulkWrite(additions, { ordered: false, throwOnValidationError: true });
    },
    async findKnownSearches(tenantId, names) {
      const wanted = { tenantId, kind: 'search', name: { $in: [...names] } };
      return (await model.distinct('name', wanted)).map(String);
    },
    async addWaitingSearch(search, limits) {
      if (!(await findStanding([search.tenantId])).has(search.tenantId)) return null;
      return addWaiting(waiting, search, limits);
    },
    async listTopInsight({ scope, kind, by, name, firstDay, lastDay, limit }) {
      const found = await model.aggregate<Omit<InsightSum, 'tenantId' | 'name'> & { _id: InsightSum }>([
        {
          $match: joinListConditions([
            { kind, day: { $gte: firstDay, $lte: lastDay }, ...(name !== undefined && { name }) },
            ...matchListScope(scope),
          ]),
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
      return found.map(({ _id: { tenantId, name }, ...rest }) => ({ tenantId, name, ...rest }));
    },
    async removeOldInsight(day, now, limit) {
      await waiting.deleteMany({ expiresAt: { $lte: now } });
      const old = await model
        .find({ day: { $lt: day } }, { _id: 1 })
        .limit(limit)
        .lean<Document[]>();
      if (old.length > 0) await model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
      return old.length === limit;
    },
  };
}

/** By `_id` alone: servers repeat such an upsert themselves where two hosts count something for the first time at once. */
async function toAdditions(model: Model<Document>, records: readonly InsightRecord[], mostADay: number) {
  const ids = [...new Set(records.map(keyOf))];
  const found = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean<Document[]>();
  const there = new Set(found.map(({ _id }) => _id));
  const room = new Map<string, number>();
  const additions = [];
  for (const record of records) {
    const { tenantId, day, kind, name, title } = record;
    const _id = keyOf(record);
    if (!there.has(_id)) {
      const place = `${tenantId} ${day} ${kind}`;
      const left = room.get(place) ?? mostADay - (await model.countDocuments({ tenantId, day, kind }));
      room.set(place, left - 1);
      if (left <= 0) continue;
      there.add(_id);
    }
    const counts = Object.fromEntries(insightCounters.map((counter) => [counter, record[counter]]));
    const update = { $inc: counts, $set: { title }, $setOnInsert: { tenantId, day, kind, name } };
    additions.push({ updateOne: { filter: { _id }, update, upsert: true } });
  }
  return additions;
}

/** Whoever takes the whole away gets it; another who adds at the same moment begins anew, or gets nothing. */
async function addWaiting(
  waiting: Model<Document>,
  { person, ...search }: WaitingSearch,
  { people, most, now, expiresAt }: WaitingLimits,
): Promise<WaitedSearch | null> {
  const [_id, { tenantId, mark }] = [waitingKeyOf(search), search];
  await waiting.deleteOne({ _id, expiresAt: { $lte: now } });
  const counts = Object.fromEntries(searchCounters.map((counter) => [counter, search[counter]]));
  const change = { $addToSet: { people: person }, $inc: counts };
  const { matchedCount } = await waiting.updateOne({ _id }, change);
  if (matchedCount === 0) {
    if ((await waiting.countDocuments({ tenantId })) >= most) return null;
    const begun = { ...change, $setOnInsert: { tenantId, mark, expiresAt } };
    await waiting.updateOne({ _id }, begun, { upsert: true });
  }
  const enough = { _id, [`people.${people - 1}`]: { $exists: true } };
  const taken = await waiting.findOneAndDelete(enough).lean<Document | null>();
  if (taken === null) return null;
  const { asked, poor, empty, unopened } = insightWaiting.toRecord(taken);
  return { asked, poor, empty, unopened };
}
