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
  /** Deliveries tried so far. */
  readonly attempts: number;
  /** When it may be tried next; of no meaning unless waiting. */
  readonly dueAt: Date;
  /** Why the last delivery failed, in words for an administrator; null when none did. */
  readonly lastError: string | null;
  /** Origin of the upstream it is meant for: it goes nowhere else. Null for our own engine. */
  readonly destination: string | null;
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
  /** Takes one waiting record whose `dueAt` is not after `now`, the longest due first, and moves its `dueAt` to
   *  `leaseUntil` and counts the attempt in the same step, so that no other host takes it before. Gives the record as
   *  it is then. Null when none is due. */
  claimDueFeedback(now: Date, leaseUntil: Date): Promise<FeedbackRecord | null>;
  /** The same for one record, due or not; a parked one waits again. Null when it is neither waiting nor parked. */
  claimFeedback(id: string, leaseUntil: Date): Promise<FeedbackRecord | null>;
  /** What became of the delivery that was claimed as attempt number `attempts`. Changes nothing when the record is not
   *  waiting any more, or was claimed again meanwhile: then it is for others to say.
   *  @returns whether it was changed */
  settleFeedback(
    id: string,
    attempts: number,
    outcome: Pick<FeedbackRecord, 'state' | 'dueAt' | 'lastError'>,
  ): Promise<boolean>;
  /** When the next waiting record is due; null when none waits. */
  findNextDue(): Promise<Date | null>;
  /** Removes what this person gave, whatever its state; e-mail addresses are compared in any case.
   *  @returns how many there were */
  eraseFeedbackOf(scope: TenantScope, email: string): Promise<number>;
  /** Removes what was received before, but for what still waits, at most `limit` (1 to 1,000).
   *  @returns how many there were */
  removeFeedbackBefore(tenantId: string, before: Date, limit: number): Promise<number>;
}
