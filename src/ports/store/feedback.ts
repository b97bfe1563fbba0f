import type { TenantScope } from '../../domain/admin.ts';
import type { Page, PageRequest, Period } from './page.ts';

/** `waiting` for the upstream to take it, `delivered`, or `refused` by it for good. Feedback for our own engine is
 *  delivered as soon as it is stored. */
export type FeedbackState = 'waiting' | 'delivered' | 'refused';

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
  saveFeedback(record: FeedbackRecord): Promise<void>;
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
  /** The same for one record, due or not. Null when it is not waiting. */
  claimFeedback(id: string, leaseUntil: Date): Promise<FeedbackRecord | null>;
  /** What became of the delivery that was claimed as attempt number `attempts`. Changes nothing when the record is not
   *  waiting any more, or was claimed again meanwhile: then it is for others to say.
   *  @returns whether it was changed */
  settleFeedback(
    id: string,
    attempts: number,
    outcome: Pick<FeedbackRecord, 'state' | 'dueAt' | 'lastError'>,
  ): Promise<boolean>;
}
