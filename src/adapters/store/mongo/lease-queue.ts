import type { Connection } from 'mongoose';
import type { Delivery, DeliveryQueue, RecordDescription } from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';

const longestDue = { dueAt: 1, _id: 1 } as const;

/** Claims due records one by one, each under a lease that keeps other hosts away. */
export function createLeaseQueue<R extends Delivery>(
  connection: Connection,
  description: RecordDescription<R>,
  lane: keyof R & string,
): DeliveryQueue<R> {
  const model = openCollection(connection, description);

  /** Makes the condition for records of free lanes, named so that the server can skip busy ones. */
  async function exceptLanes(busy: readonly string[]): Promise<object> {
    if (busy.length === 0) return { state: 'waiting' };
    const lanes = (await model.distinct(lane, { state: 'waiting' })) as string[];
    return { state: 'waiting', [lane]: { $in: lanes.filter((name) => !busy.includes(name)) } };
  }

  return {
    async claimDue(now, leasedUntil, busy = []) {
      const free = { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }] };
      const due = { ...(await exceptLanes(busy)), dueAt: { $lte: now }, ...free };
      const change = { $set: { leasedUntil }, $inc: { attempts: 1 } };
      const options = { sort: longestDue, returnDocument: 'after' } as const;
      const claimed = await model.findOneAndUpdate(due, change, options).lean<Document | null>();
      return collectionOf(description).toRecordOrNull(claimed);
    },
    async findNextDue(busy = []) {
      const free = { ...(await exceptLanes(busy)), leasedUntil: null };
      const next = model.findOne(free, { dueAt: 1 }).sort(longestDue);
      return (await next.lean<{ readonly dueAt: Date } | null>())?.dueAt ?? null;
    },
    async correctTimes(now, { latestDue, latestLease }) {
      const wrong = { $or: [{ dueAt: { $gt: latestDue } }, { leasedUntil: { $gt: latestLease } }] };
      const change = { $min: { dueAt: now }, $set: { leasedUntil: null } };
      return (await model.updateMany({ state: 'waiting', ...wrong }, change)).modifiedCount;
    },
  };
}
