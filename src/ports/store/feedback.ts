import type { TenantScope } from '../../domain/admin.ts';
import type { Page, PageRequest, Period } from './page.ts';

/** `waiting` for the upstream to take it, `delivered`, `refused` by it for good, or `parked` after too many failures until
 *  an administrator tries again. Feedback for our own engine is delivered as soon as it is stored. */
export type FeedbackState = 'waiting' | 'delivered' | 'refused' | 'parked';

export interface FeedbackRecord {
  readonly id: string;
  readonly tenantId: string;
  /** Address of the learning object. */
  readonly url: string;
  readonly comment: string | null;
  readonly requestId: string;
  readonly email: string;
  /** Address of the page or application it was sent from. */
  readonly source: string;
  /** Provider id of the learning object; null where it is not known. */
  readonly provider: string | null;
  readonly receivedAt: Date;
  readonly state: FeedbackState;
  /** Deliveries begun so far; the number of the last one. */
  readonly attempts: number;
  /** Deliveries that failed since it was given, or since an administrator tried again: what the next wait depends on. */
  readonly failures: number;
  /** When it may be tried next; meaningless unless waiting. */
  readonly dueAt: Date;
  /** While a delivery is under way: until when it is nobody else's. Null when none is. */
  readonly leasedUntil: Date | null;
  /** Why the last delivery failed, in words for an administrator; null when none did. */
  readonly lastError: string | null;
  /** Origin of the upstream it is meant for: it goes nowhere else. Null for our own engine. */
  readonly destination: string | null;
  /** Tells whether it was given under the same address before, which may not be the one that is kept. Null where it came
   *  without an idempotency key. */
  readonly giverHash: string | null;
}

export type FeedbackOutcome = Pick<FeedbackRecord, 'state' | 'failures' | 'dueAt' | 'lastError'>;

/** How many there were of one tenant; never 0. */
export interface TenantCount {
  readonly tenantId: string;
  readonly count: number;
}

export interface AuthorCount extends TenantCount {
  /** Of the count, what waits or is parked. */
  readonly unsent: number;
  /** Of the count, what an upstream took. */
  readonly elsewhere: number;
}

export interface FeedbackFilter {
  readonly scope: TenantScope;
  /** Null means all of them. */
  readonly state: FeedbackState | null;
  readonly provider: string | null;
  readonly received: Period;
  /** Part of the address, comment or e-mail, in any case; empty finds all. */
  readonly search: string;
}

export interface FeedbackListRequest extends FeedbackFilter, PageRequest {
  readonly sort: 'receivedAt' | 'url';
  readonly descending: boolean;
}

export interface LatestTimes {
  readonly latestDue: Date;
  readonly latestLease: Date;
}

export interface FeedbackRepository {
  /** False when there is one with this id already, which stays as it is. */
  saveFeedback(record: FeedbackRecord): Promise<boolean>;
  findFeedback(id: string): Promise<FeedbackRecord | null>;
  /** Ties are in the order of the ids. */
  listFeedback(request: FeedbackListRequest): Promise<Page<FeedbackRecord>>;
  /** Newest first, ties in the order of the ids; those that come after `after` then, at most `limit` (1 to 1,000): for
   *  exports of any length, whatever happens to the feedback meanwhile. */
  readFeedback(
    filter: FeedbackFilter,
    after: Pick<FeedbackRecord, 'receivedAt' | 'id'> | null,
    limit: number,
  ): Promise<readonly FeedbackRecord[]>;
  /** Provider ids that appear, in order. */
  listFeedbackProviders(scope: TenantScope): Promise<readonly string[]>;
  /** Takes one waiting record whose `dueAt` is not after `now`, the longest due first: leases it and counts the attempt in
   *  the same step, so that nobody else takes it before the lease is over. Gives the record as it is then.
   *  @param busy tenants whose feedback is left
   *  @returns null when none is due */
  claimDueFeedback(now: Date, leasedUntil: Date, busy?: readonly string[]): Promise<FeedbackRecord | null>;
  /** The same for one record, due or not, with no failures from here on. A parked or refused one waits again. Null when it
   *  is delivered, or leased at this moment. */
  claimFeedback(id: string, now: Date, leasedUntil: Date): Promise<FeedbackRecord | null>;
  /** Notes the outcome of the delivery that was claimed as attempt number `attempts`; its lease ends. Changes nothing when the
   *  record is no longer waiting, or was claimed again meanwhile.
   *  @returns whether it was changed */
  settleFeedback(id: string, attempts: number, outcome: FeedbackOutcome): Promise<boolean>;
  /** Makes everything that is parked wait again, due now and without failures, in one step.
   *  @returns in the order of the tenants' ids */
  requeueParked(scope: TenantScope, now: Date): Promise<readonly TenantCount[]>;
  /** What waits until later than `latestDue` is due now, and what is leased until later than `latestLease` is free: hosts set
   *  no such times, unless a clock was wrong.
   *  @returns how many records were changed */
  mendFeedbackTimes(now: Date, latest: LatestTimes): Promise<number>;
  /** When the next waiting record is due, of those that are not leased; null when there is none.
   *  @param busy tenants whose feedback is left */
  findNextDue(busy?: readonly string[]): Promise<Date | null>;
  /** What this person gave; e-mail addresses are compared in any case.
   *  @returns in the order of the tenants' ids */
  countFeedbackOf(scope: TenantScope, email: string): Promise<readonly AuthorCount[]>;
  /** Removes what this person gave, whatever its state; e-mail addresses are compared in any case.
   *  @returns in the order of the tenants' ids */
  eraseFeedbackOf(scope: TenantScope, email: string): Promise<readonly TenantCount[]>;
  /** Removes what was received before, but for what waits or is parked and was never delivered, at most `limit` (1 to 1,000).
   *  @returns whether there may be more */
  removeFeedbackBefore(tenantId: string, before: Date, limit: number): Promise<boolean>;
}
