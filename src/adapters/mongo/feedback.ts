import type { Connection } from 'mongoose';
import type { FeedbackFilter, FeedbackRecord, FeedbackRepository } from '../../ports/store/store.ts';
import { type Document, openCollection } from './collection.ts';
import { unlessTaken } from './failures.ts';
import { feedback, sorts } from './feedback-collection.ts';
import { createFeedbackQueue } from './feedback-queue.ts';
import { createFeedbackRemoval } from './feedback-removal.ts';
import {
  type Condition,
  containing,
  equalTo,
  inPeriod,
  inScope,
  listPage,
  orderBy,
  where,
} from './list-page.ts';

export function createFeedbackRepository(connection: Connection): FeedbackRepository {
  const model = openCollection(connection, feedback);
  return {
    ...createFeedbackQueue(model),
    ...createFeedbackRemoval(model),
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
