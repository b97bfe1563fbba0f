import type { Connection, Model } from 'mongoose';
import type { ScoreCounts, ScoreRecord, ScoreRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { instant, integer, json, text } from '../fields.ts';
import { createLeaseQueue } from '../lease-queue.ts';
import { type Condition, countListValues } from '../list-page.ts';

export const scores = defineCollection<ScoreRecord>('scores', {
  fields: {
    tenantId: text,
    registrationId: text,
    linkId: text,
    userId: text,
    lineItem: text,
    newLineItem: json,
    points: integer,
    earnedAt: instant,
    state: text,
    attempts: integer,
    failures: integer,
    dueAt: instant,
    leasedUntil: instant,
    lastError: text,
  },
  indexes: [
    { key: { tenantId: 1, registrationId: 1, state: 1 } },
    { key: { tenantId: 1, linkId: 1, state: 1 } },
    { key: { state: 1, dueAt: 1, _id: 1 } },
    // The same for some registrations, and which registrations have any.
    { key: { state: 1, registrationId: 1, dueAt: 1, _id: 1 } },
  ],
});

export function createScoreRepository(connection: Connection): ScoreRepository {
  const model = openCollection(connection, scores);
  const queue = createLeaseQueue(model, scores, 'registrationId');
  return {
    putScore: (record) => putScore(model, record),
    findScore: async (tenantId, id) =>
      scores.toRecordOrNull(await model.findOne({ _id: id, tenantId }).lean<Document | null>()),
    claimDueScore: (now, leasedUntil, busy = []) => queue.claimDue(now, leasedUntil, busy),
    settleScore: (id, attempts, { state, failures, dueAt, lastError, earnedAt }) =>
      queue.settle(id, attempts, { state, failures, dueAt, lastError, earnedAt }),
    findNextDueScore: (busy = []) => queue.findNextDue(busy),
    mendScoreTimes: (now, latest) => queue.mendTimes(now, latest),
    countUnsentScores: (tenantId, registrationId) => countUnsent(model, { tenantId, registrationId }),
    countUnsentScoresOfLink: (tenantId, linkId) => countUnsent(model, { tenantId, linkId }),
    async requeueScores(tenantId, registrationId, now) {
      const unsent = { tenantId, registrationId, state: { $in: ['parked', 'refused'] } };
      const change = { $set: { state: 'waiting', dueAt: now, failures: 0 } };
      return (await model.updateMany(unsent, change)).modifiedCount;
    },
  };
}

/** One attempt more than the replaced score had, so that a delivery of that one that is under way settles nothing. */
async function putScore(model: Model<Document>, record: ScoreRecord): Promise<void> {
  const document = scores.toDocument(record);
  const { _id, attempts: _, ...changes } = document;
  const replace = async () => {
    const { matchedCount } = await model.updateOne({ _id }, { $set: changes, $inc: { attempts: 1 } });
    return matchedCount === 1;
  };
  if (await replace()) return;
  const isAdded = await writeUnlessTaken(async () => {
    await model.insertOne(document);
    return true;
  });
  if (!isAdded) await replace();
}

async function countUnsent(model: Model<Document>, wanted: Condition): Promise<ScoreCounts> {
  const unsent = { ...wanted, state: { $in: ['waiting', 'parked', 'refused'] } };
  const countOf = await countListValues(model, unsent, 'state');
  return { waiting: countOf('waiting'), parked: countOf('parked'), refused: countOf('refused') };
}
