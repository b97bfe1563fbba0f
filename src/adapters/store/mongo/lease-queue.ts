import type { Model } from 'mongoose';
import type { LatestTimes } from '../../../ports/store/store.ts';
import type { Collection, Document } from './collection.ts';

/** Takes what is due from a collection, one record at a time, under a lease during which nobody else takes it. */
export interface LeaseQueue<R> {
  /** Takes the wanted record that is free and longest due, ties in the order of the ids, and changes it. */
  claim(
    wanted: object,
    times: { readonly now: Date; readonly leasedUntil: Date },
    changes?: object,
  ): Promise<R | null>;
  claimDue(now: Date, leasedUntil: Date, busy: readonly string[]): Promise<R | null>;
  /** Sets `outcome` where the record waits and this was the last attempt.
   *  @returns whether it was changed */
  settle(id: string, attempts: number, outcome: object): Promise<boolean>;
  findNextDue(busy: readonly string[]): Promise<Date | null>;
  /** @returns how many records were changed */
  mendTimes(now: Date, latest: LatestTimes): Promise<number>;
}

const longestDue = { dueAt: 1, _id: 1 } as const;

/** @param lane field of what may be busy */
export function createLeaseQueue<R>(
  model: Model<Document>,
  { toRecordOrNull }: Collection<R>,
  lane: string,
): LeaseQueue<R> {
  const claim: LeaseQueue<R>['claim'] = async (wanted, { now, leasedUntil }, changes = {}) => {
    const free = { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }] };
    const change = { $set: { ...changes, leasedUntil }, $inc: { attempts: 1 } };
    const options = { sort: longestDue, returnDocument: 'after' } as const;
    return toRecordOrNull(
      await model.findOneAndUpdate({ ...wanted, ...free }, change, options).lean<Document | null>(),
    );
  };

  /** What waits in the other lanes. They are named, so that the server skips the busy ones, however much waits there. */
  async function waitingBut(busy: readonly string[]): Promise<object> {
    if (busy.length === 0) return { state: 'waiting' };
    const lanes = (await model.distinct(lane, { state: 'waiting' })) as string[];
    return { state: 'waiting', [lane]: { $in: lanes.filter((name) => !busy.includes(name)) } };
  }

  return {
    claim,
    claimDue: async (now, leasedUntil, busy) =>
      claim({ ...(await waitingBut(busy)), dueAt: { $lte: now } }, { now, leasedUntil }),
    async settle(id, attempts, outcome) {
      const claimed = { _id: id, state: 'waiting', attempts };
      const change = { $set: { ...outcome, leasedUntil: null } };
      return (await model.updateOne(claimed, change)).matchedCount > 0;
    },
    async findNextDue(busy) {
      const free = { ...(await waitingBut(busy)), leasedUntil: null };
      const next = model.findOne(free, { dueAt: 1 }).sort(longestDue);
      return (await next.lean<{ readonly dueAt: Date } | null>())?.dueAt ?? null;
    },
    async mendTimes(now, { latestDue, latestLease }) {
      const wrong = { $or: [{ dueAt: { $gt: latestDue } }, { leasedUntil: { $gt: latestLease } }] };
      const change = { $min: { dueAt: now }, $set: { leasedUntil: null } };
      return (await model.updateMany({ state: 'waiting', ...wrong }, change)).modifiedCount;
    },
  };
}
