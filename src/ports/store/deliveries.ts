import { field, type Index, type RecordDescription, type Records } from './record.ts';

/** A record that is sent to another service until that accepts or refuses it. */
export interface Delivery {
  readonly id: string;
  /** `waiting` records are sent; other states depend on the record. */
  readonly state: string;
  readonly attempts: number;
  readonly failures: number;
  readonly dueAt: Date;
  readonly leasedUntil: Date | null;
  readonly lastError: string | null;
}

export const deliveryFields = {
  /** Attempts begun so far, which is the number of the last one. */
  attempts: field.integer,
  /** Failed attempts since the record was added or retried by hand; sets the next wait. */
  failures: field.integer,
  /** Time of the next attempt; only for waiting records. */
  dueAt: field.instant,
  /** End of the lease of the running attempt; null when none runs. */
  leasedUntil: field.nullable(field.instant),
  /** Message for an administrator; null when there was no failure. */
  lastError: field.nullable(field.text()),
};

/** The queries that each store implements, so that busy lanes cost nothing. */
export interface DeliveryQueue<R> {
  /** Leases the longest due delivery, ties by id, and counts the attempt, in one atomic step.
   *  @param busy lanes to skip
   *  @returns the changed record, or null if none is due */
  claimDue(now: Date, leasedUntil: Date, busy?: readonly string[]): Promise<R | null>;
  /** Returns when the next delivery is due; null if none waits. */
  findNextDue(busy?: readonly string[]): Promise<Date | null>;
  /** Corrects times that only a wrong clock can have set: deliveries after `latestDue` become due
   *  now, and leases after `latestLease` end.
   *  @returns the number of changed records */
  correctTimes(now: Date, latest: { readonly latestDue: Date; readonly latestLease: Date }): Promise<number>;
}

/** @param lane field with the lane of a delivery, such as its receiver */
export type OpenQueue = <R extends Delivery>(
  description: RecordDescription<R>,
  lane: keyof R & string,
) => DeliveryQueue<R>;

/** Returns the indexes of a queue. MongoDB also needs one for due deliveries of any lane. */
export function deliveryIndexes<L extends string>(lane: L): readonly Index<Delivery & Readonly<Record<L, string>>>[] {
  return [
    { fields: [lane, 'dueAt', 'id', 'leasedUntil'], only: { field: 'state', is: 'waiting' } },
    { fields: ['state', 'dueAt', 'id'], in: 'mongo' },
  ];
}

/** Stores the outcome of an attempt. Returns false if the record was changed meanwhile. */
export async function settleDelivery<R extends Delivery>(
  records: Records<R>,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  outcome: Partial<Delivery>,
): Promise<boolean> {
  const claimed = { id, attempts, state: 'waiting' } as Parameters<typeof records.changeIf>[0];
  const settled = { ...outcome, leasedUntil: null } as Parameters<typeof records.changeIf>[1];
  return (await records.changeIf(claimed, settled)) === 1;
}
