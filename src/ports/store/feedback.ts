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
}

export interface FeedbackListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Null means all of them. */
  readonly state: FeedbackState | null;
  readonly provider: string | null;
  readonly received: Period;
  /** Part of the address, comment or e-mail, in any case; empty finds all. */
  readonly search: string;
  readonly sort: 'receivedAt' | 'url';
  readonly descending: boolean;
}

export interface FeedbackRepository {
  saveFeedback(record: FeedbackRecord): Promise<void>;
  findFeedback(id: string): Promise<FeedbackRecord | null>;
  /** Ties are in the order of the ids. */
  listFeedback(request: FeedbackListRequest): Promise<Page<FeedbackRecord>>;
  /** Provider ids that appear, in order. */
  listFeedbackProviders(scope: TenantScope): Promise<readonly string[]>;
  /** Takes one waiting record whose `dueAt` is not after `now`, the longest due first, and moves its `dueAt` to
   *  `leaseUntil` and counts the attempt in the same step, so that no other host takes it before. Gives the record as
   *  it is then. Null when none is due. */
  claimDueFeedback(now: Date, leaseUntil: Date): Promise<FeedbackRecord | null>;
  /** The same for one record, due or not. Null when it is not waiting. */
  claimFeedback(id: string, leaseUntil: Date): Promise<FeedbackRecord | null>;
  /** What became of a claimed delivery. */
  settleFeedback(id: string, outcome: Pick<FeedbackRecord, 'state' | 'dueAt' | 'lastError'>): Promise<void>;
}
