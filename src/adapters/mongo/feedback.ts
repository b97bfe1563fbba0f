import type { Connection } from 'mongoose';
import { foldText, foldTexts } from '../../domain/search-text.ts';
import type { FeedbackFilter, FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { unlessTaken } from './failures.ts';
import { instant, integer, text } from './fields.ts';
import {
  type Condition,
  containing,
  equalTo,
  inPeriod,
  inScope,
  listPage,
  orderBy,
  orderIndexes,
  where,
} from './list-page.ts';

const sorts = { receivedAt: ['receivedAt'], url: ['derived.url'] } as const;

export const feedback = defineCollection<FeedbackRecord>('feedback', {
  fields: {
    tenantId: text,
    url: text,
    comment: text,
    requestId: text,
    email: text,
    source: text,
    provider: text,
    receivedAt: instant,
    state: text,
    attempts: integer,
    dueAt: instant,
    lastError: text,
    destination: text,
  },
  derived: {
    url: { field: text, of: ({ url }) => foldText(url) },
    search: { field: text, of: ({ url, comment, email }) => foldTexts(url, comment, email) },
    email: { field: text, of: ({ email }) => email.toLowerCase() },
  },
  indexes: [
    ...orderIndexes(sorts),
    // Those of one tenant, newest first as the page shows them.
    { key: { tenantId: 1, receivedAt: -1, _id: 1 } },
    { key: { tenantId: 1, provider: 1 } },
    { key: { provider: 1 } },
    { key: { state: 1, dueAt: 1, _id: 1 } },
    { key: { 'derived.email': 1 } },
  ],
});

export function createFeedbackRepository(connection: Connection): FeedbackRepository {
  const model = openCollection(connection, feedback);
  const claim = async (wanted: object, leaseUntil: Date) => {
    const found = await model
      .findOneAndUpdate(
        wanted,
        { $set: { state: 'waiting', dueAt: leaseUntil }, $inc: { attempts: 1 } },
        { sort: { dueAt: 1, _id: 1 }, returnDocument: 'after' },
      )
      .lean<Document | null>();
    return feedback.toRecordOrNull(found);
  };
  return {
    saveFeedback: (record) =>
      unlessTaken(async () => {
        await model.insertOne(feedback.toDocument(record));
        return true;
      }),
    findFeedback: async (id) =>
      feedback.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    listFeedback: (request) =>
      listPage(model, feedback, {
        conditions: filterConditions(request),
        order: orderBy(sorts[request.sort], request.descending),
        page: request,
      }),
    async readFeedback(filter, after, limit) {
      const wanted = where([...filterConditions(filter), ...(after === null ? [] : earlierThan(after))]);
      const order = orderBy(sorts.receivedAt, true);
      return (await model.find(wanted).sort(order).limit(limit).lean<Document[]>()).map(feedback.toRecord);
    },
    async listFeedbackProviders(scope) {
      const named = where([...inScope(scope), { provider: { $ne: null } }]);
      return ((await model.distinct('provider', named)) as string[]).toSorted();
    },
    claimDueFeedback: (now, leaseUntil) => claim({ state: 'waiting', dueAt: { $lte: now } }, leaseUntil),
    claimFeedback: (id, leaseUntil) => claim({ _id: id, state: { $in: ['waiting', 'parked'] } }, leaseUntil),
    async settleFeedback(id, attempts, { state, dueAt, lastError }) {
      const claimed = { _id: id, state: 'waiting', attempts };
      const { matchedCount } = await model.updateOne(claimed, { $set: { state, dueAt, lastError } });
      return matchedCount > 0;
    },
    async findNextDue() {
      const next = model.findOne({ state: 'waiting' }, { dueAt: 1 }).sort({ dueAt: 1, _id: 1 });
      const found = await next.lean<Pick<FeedbackRecord, 'dueAt'> | null>();
      return found === null ? null : found.dueAt;
    },
    async eraseFeedbackOf(scope, email) {
      const ofPerson = where([...equalTo('derived.email', email.toLowerCase()), ...inScope(scope)]);
      return (await model.deleteMany(ofPerson)).deletedCount;
    },
    async removeFeedbackBefore(tenantId, before, limit) {
      const old = { tenantId, receivedAt: { $lt: before }, state: { $ne: 'waiting' } };
      const found = await model.find(old, { _id: 1 }).limit(limit).lean<Document[]>();
      // The state once more: a parked one may have been made to wait again in between.
      const removal = { _id: { $in: found.map(({ _id }) => _id) }, state: { $ne: 'waiting' } };
      return (await model.deleteMany(removal)).deletedCount;
    },
  };
}

function filterConditions({ scope, state, provider, received, search }: FeedbackFilter): Condition[] {
  return [
    ...inScope(scope),
    ...equalTo('state', state),
    ...equalTo('provider', provider),
    ...inPeriod('receivedAt', received),
    ...containing('derived.search', search),
  ];
}

/** The first condition says nothing new, but lets the server begin at the right place of its index. */
function earlierThan({ receivedAt, id }: Pick<FeedbackRecord, 'receivedAt' | 'id'>): Condition[] {
  return [
    { receivedAt: { $lte: receivedAt } },
    { $or: [{ receivedAt: { $lt: receivedAt } }, { _id: { $gt: id } }] },
  ];
}
