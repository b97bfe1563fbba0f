import type { Connection, Expression, Model } from 'mongoose';
import type { TenantScope } from '../../../../domain/admin.ts';
import type {
  AuthorCount,
  FeedbackFilter,
  FeedbackRecord,
  FeedbackRepository,
} from '../../../../ports/store/store.ts';
import { type Document, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import {
  type Condition,
  joinListConditions,
  listPage,
  matchListPeriod,
  matchListScope,
  matchListText,
  matchListValue,
  orderListBy,
} from '../list-page.ts';
import { changeFeedbackCollection, feedback, sorts } from './feedback-collection.ts';
import { createFeedbackQueue } from './feedback-queue.ts';

const unsent = ['waiting', 'parked'];
const isUnsent: Expression = { $in: ['$state', unsent] };
const isElsewhere: Expression = { $and: [{ $eq: ['$state', 'delivered'] }, { $ne: ['$destination', null] }] };

export function createFeedbackRepository(connection: Connection): FeedbackRepository {
  const model = openCollection(connection, feedback);
  return {
    ...createFeedbackQueue(model),
    ...createFeedbackRemoval(model),
    saveFeedback: (record) =>
      writeUnlessTaken(async () => {
        await model.insertOne(feedback.toDocument(record));
        return true;
      }),
    findFeedback: async (id) =>
      feedback.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    listFeedback: (request) =>
      listPage(model, feedback, {
        conditions: filterConditions(request),
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    async readFeedback(filter, after, limit) {
      const wanted = joinListConditions([
        ...filterConditions(filter),
        ...(after === null ? [] : earlierThan(after)),
      ]);
      const order = orderListBy(sorts.receivedAt, true);
      return (await model.find(wanted).sort(order).limit(limit).lean<Document[]>()).map(feedback.toRecord);
    },
    async listFeedbackProviders(scope) {
      const named = joinListConditions([...matchListScope(scope), { provider: { $ne: null } }]);
      return ((await model.distinct('provider', named)) as string[]).toSorted();
    },
  };
}

function filterConditions({ scope, state, provider, received, search }: FeedbackFilter): Condition[] {
  return [
    ...matchListScope(scope),
    ...matchListValue('state', state),
    ...matchListValue('provider', provider),
    ...matchListPeriod('receivedAt', received),
    ...matchListText('derived.search', search),
  ];
}

/** The first condition is redundant, but lets the server begin at the right place in its index. */
function earlierThan({ receivedAt, id }: Pick<FeedbackRecord, 'receivedAt' | 'id'>): Condition[] {
  return [
    { receivedAt: { $lte: receivedAt } },
    { $or: [{ receivedAt: { $lt: receivedAt } }, { _id: { $gt: id } }] },
  ];
}

type FeedbackRemoval = Pick<
  FeedbackRepository,
  'countFeedbackOf' | 'eraseFeedbackOf' | 'removeFeedbackBefore'
>;

/** Finds feedback by address, and old feedback. */
function createFeedbackRemoval(model: Model<Document>): FeedbackRemoval {
  return {
    async countFeedbackOf(scope, email) {
      const counts = await model.aggregate<{ readonly _id: string } & Omit<AuthorCount, 'tenantId'>>([
        { $match: ofPerson(scope, email) },
        {
          $group: {
            _id: '$tenantId',
            count: { $sum: 1 },
            unsent: countOf(isUnsent),
            elsewhere: countOf(isElsewhere),
          },
        },
        { $sort: { _id: 1 } },
      ]);
      return counts.map(({ _id: tenantId, ...count }) => ({ tenantId, ...count }));
    },
    eraseFeedbackOf: (scope, email) =>
      changeFeedbackCollection(model, ofPerson(scope, email), async (ofTenant) => {
        return (await model.deleteMany(ofTenant)).deletedCount;
      }),
    async removeFeedbackBefore(tenantId, before, limit) {
      const old = { tenantId, receivedAt: { $lt: before }, state: { $nin: unsent } };
      const found = await model.find(old, { _id: 1 }).limit(limit).lean<Document[]>();
      // The state is checked again: a refused one may have been put back in the queue in between.
      await model.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, state: { $nin: unsent } });
      return found.length === limit;
    },
  };
}

function countOf(condition: Expression) {
  return { $sum: { $cond: [condition, 1, 0] } };
}

function ofPerson(scope: TenantScope, email: string): Condition {
  return joinListConditions([
    ...matchListValue('derived.email', email.toLowerCase()),
    ...matchListScope(scope),
  ]);
}
