import type { Model } from 'mongoose';
import type { FeedbackRepository } from '../../../../ports/store/store.ts';
import type { Document } from '../collection.ts';
import { createLeaseQueue } from '../lease-queue.ts';
import { joinListConditions, matchListScope } from '../list-page.ts';
import { changeFeedbackCollection, feedback } from './feedback-collection.ts';

type FeedbackQueue = Pick<
  FeedbackRepository,
  | 'claimDueFeedback'
  | 'claimFeedback'
  | 'settleFeedback'
  | 'requeueParked'
  | 'mendFeedbackTimes'
  | 'findNextDue'
>;

export function createFeedbackQueue(model: Model<Document>): FeedbackQueue {
  const queue = createLeaseQueue(model, feedback, 'tenantId');
  return {
    claimDueFeedback: (now, leasedUntil, busy = []) => queue.claimDue(now, leasedUntil, busy),
    claimFeedback(id, now, leasedUntil) {
      const undelivered = { _id: id, state: { $ne: 'delivered' } };
      return queue.claim(undelivered, { now, leasedUntil }, { state: 'waiting', failures: 0 });
    },
    settleFeedback: (id, attempts, { state, failures, dueAt, lastError }) =>
      queue.settle(id, attempts, { state, failures, dueAt, lastError }),
    async requeueParked(scope, now) {
      const parked = joinListConditions([{ state: 'parked' }, ...matchListScope(scope)]);
      const change = { $set: { state: 'waiting', dueAt: now, failures: 0 } };
      return changeFeedbackCollection(model, parked, async (ofTenant) => {
        return (await model.updateMany(ofTenant, change)).modifiedCount;
      });
    },
    mendFeedbackTimes: (now, latest) => queue.mendTimes(now, latest),
    findNextDue: (busy = []) => queue.findNextDue(busy),
  };
}
