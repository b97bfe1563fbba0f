import type { Index, RecordDescription, Records } from './record.ts';

/** Something on its way to another service, which is tried until that takes it. */
export interface Delivery {
  readonly id: string;
  /** `waiting` is tried; others are of the record. */
  readonly state: string;
  readonly attempts: number;
  readonly failures: number;
  readonly dueAt: Date;
  readonly leasedUntil: Date | null;
  readonly lastError: string | null;
}

export interface LatestTimes {
  readonly latestDue: Date;
  readonly latestLease: Date;
}

/** What each store does in its own way, so that busy lanes cost nothing. */
export interface DeliveryQueue<R> {
  /** Leases the longest due, ties in the order of the ids, and counts the attempt, in one step;
   *  gives it as it is then.
   *  @param busy lanes that are left */
  claimDue(now: Date, leasedUntil: Date, busy?: readonly string[]): Promise<R | null>;
  /** Of what waits and is not leased. */
  findNextDue(busy?: readonly string[]): Promise<Date | null>;
  /** Corrects times that only a wrong clock can have set: what is due later is due now, and later
   *  leases end. @returns how many records were changed */
  mendTimes(now: Date, latest: LatestTimes): Promise<number>;
}

/** @param lane field of what may be busy */
export type OpenQueue = <R extends Delivery>(
  description: RecordDescription<R>,
  lane: keyof R & string,
) => DeliveryQueue<R>;

/** What the queue of these lanes rests on: MongoDB also looks for what is due in any lane. */
export function deliveryIndexes<R extends Delivery>(lane: keyof R & string): readonly Index<R>[] {
  return [
    { fields: [lane, 'dueAt', 'id', 'leasedUntil'], only: { field: 'state', is: 'waiting' } },
    { fields: ['state', 'dueAt', 'id'], in: 'mongo' },
  ];
}

/** Notes how the delivery ended that was claimed as attempt number `attempts`. False when the
 *  record waits no more, or was claimed or replaced meanwhile. */
export async function settleDelivery<R extends Delivery>(
  records: Records<R>,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  outcome: Partial<Delivery>,
): Promise<boolean> {
  const claimed = { id, attempts, state: 'waiting' } as Parameters<typeof records.changeIf>[0];
  const settled = { ...outcome, leasedUntil: null } as Parameters<typeof records.changeIf>[1];
  return (await records.changeIf(claimed, settled)) === 1;
}
