import type { Model } from 'mongoose';
import type { FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import type { Document } from './collection.ts';
import { feedback } from './feedback-collection.ts';
import { inScope, where } from './list-page.ts';
import { changeOfTenants } from './tenant-counts.ts';

type FeedbackQueue = Pick<
  FeedbackRepository,
  | 'claimDueFeedback'
  | 'claimFeedback'
  | 'settleFeedback'
  | 'requeueParked'
  | 'mendFeedbackTimes'
  | 'findNextDue'
>;

/** The longest due first. */
const longestDue = { dueAt: 1, _id: 1 } as const;

export function createFeedbackQueue(model: Model<Document>): FeedbackQueue {
  const claim = async (wanted: object, leasedUntil: Date, changes: object = {}) => {
    const change = { $set: { ...changes, leasedUntil }, $inc: { attempts: 1 } };
    const options = { sort: longestDue, returnDocument: 'after' } as const;
    return feedback.toRecordOrNull(
      await model.findOneAndUpdate(wanted, change, options).lean<Document | null>(),
    );
  };

  /** Waiting feedback of the others. They are named, so that the server passes over what the busy ones have, however much
   *  that is. */
  async function waitingBut(busy: readonly string[]): Promise<object> {
    if (busy.length === 0) return { state: 'waiting' };
    const tenants = (await model.distinct('tenantId', { state: 'waiting' })) as string[];
    return { state: 'waiting', tenantId: { $in: tenants.filter((id) => !busy.includes(id)) } };
  }

  return {
    claimDueFeedback: async (now, leasedUntil, busy = []) =>
      claim({ ...(await waitingBut(busy)), dueAt: { $lte: now }, ...freeAt(now) }, leasedUntil),
    claimFeedback: (id, now, leasedUntil) =>
      claim({ _id: id, state: { $ne: 'delivered' }, ...freeAt(now) }, leasedUntil, {
        state: 'waiting',
        failures: 0,
      }),
    async settleFeedback(id, attempts, { state, failures, dueAt, lastError }) {
      const claimed = { _id: id, state: 'waiting', attempts };
      const change = { $set: { state, failures, dueAt, lastError, leasedUntil: null } };
      return (await model.updateOne(claimed, change)).matchedCount > 0;
    },
    async requeueParked(scope, now) {
      const parked = where([{ state: 'parked' }, ...inScope(scope)]);
      const change = { $set: { state: 'waiting', dueAt: now, failures: 0 } };
      return changeOfTenants(model, parked, async (ofTenant) => {
        return (await model.updateMany(ofTenant, change)).modifiedCount;
      });
    },
    async mendFeedbackTimes(now, { latestDue, latestLease }) {
      const wrong = { $or: [{ dueAt: { $gt: latestDue } }, { leasedUntil: { $gt: latestLease } }] };
      const change = { $min: { dueAt: now }, $set: { leasedUntil: null } };
      return (await model.updateMany({ state: 'waiting', ...wrong }, change)).modifiedCount;
    },
    async findNextDue(busy = []) {
      const free = { ...(await waitingBut(busy)), leasedUntil: null };
      const next = model.findOne(free, { dueAt: 1 }).sort(longestDue);
      return (await next.lean<Pick<FeedbackRecord, 'dueAt'> | null>())?.dueAt ?? null;
    },
  };
}

function freeAt(now: Date): object {
  return { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }] };
}
