import type { Page, PageRequest } from './page.ts';

/** What a learner says about an object; `broken` means that its address no longer shows it. */
export type Verdict = 'useful' | 'not-useful' | 'broken';

/** What one learner did with one embedded object. */
export interface ActivityRecord {
  readonly tenantId: string;
  readonly linkId: string;
  /** `sub` of the platform. */
  readonly userId: string;
  readonly firstOpenedAt: Date;
  readonly lastOpenedAt: Date;
  readonly completedAt: Date | null;
  /** The last one; null where none was given. */
  readonly verdict: Verdict | null;
  /** Placement it was given on, as another one may stand behind the link by now; null where none was given. */
  readonly verdictPlacementId: string | null;
}

export interface ActivityCounts {
  readonly opened: number;
  readonly completed: number;
}

/** How many learners gave which verdict on one placement. */
export interface VerdictCounts {
  readonly useful: number;
  readonly notUseful: number;
  readonly broken: number;
}

export interface ActivityRepository {
  /** Adds it, or moves `lastOpenedAt` on, never back. */
  noteOpened(key: ActivityKey, at: Date): Promise<void>;
  /** Adds it where it was not opened before. False when it was completed before, which stays as it is: of several at once one
   *  gets true. */
  noteCompleted(key: ActivityKey, at: Date): Promise<boolean>;
  /** Replaces the verdict given before, on whatever placement. False when the link was not opened, and nothing is noted. */
  noteVerdict(key: ActivityKey, verdict: Verdict, placementId: string): Promise<boolean>;
  /** Verdicts on other placements do not count. */
  countVerdicts(tenantId: string, linkId: string, placementId: string): Promise<VerdictCounts>;
  findActivity(key: ActivityKey): Promise<ActivityRecord | null>;
  countActivity(tenantId: string, linkId: string): Promise<ActivityCounts>;
  /** The last opened first, ties in the order of the user ids. */
  listActivity(tenantId: string, linkId: string, page: PageRequest): Promise<Page<ActivityRecord>>;
}

export type ActivityKey = Pick<ActivityRecord, 'tenantId' | 'linkId' | 'userId'>;
