import { describeRecord, field, is, KEY, latest, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';
import type { LearnersOfLink } from './scores.ts';

/** A learner's opinion of an object; `broken` means that its address no longer shows it. */
export type Verdict = 'useful' | 'not-useful' | 'broken';

export const activityRecords = describeRecord('activity', {
  fields: {
    tenantId: field.ofTenant,
    linkId: field.text(),
    /** `sub` of the learner on the platform. */
    userId: field.text(),
    firstOpenedAt: field.instant,
    lastOpenedAt: field.instant,
    completedAt: field.nullable(field.instant),
    verdict: field.nullable(field.text<Verdict>()),
    /** Placement that the verdict is about, as the link may show another one later. */
    verdictPlacementId: field.nullable(field.text()),
  },
  personal: { 'lms-user': 'userId', about: 'firstOpenedAt lastOpenedAt completedAt verdict verdictPlacementId' },
  impersonal: 'tenantId linkId',
  privacy: { seenBy: ['person', 'teachers'], kept: 'activity', erasure: 'remove' },
  retention: { kind: 'activity', since: 'lastOpenedAt' },
  key: ['tenantId', 'linkId', 'userId'],
  indexes: [['tenantId', 'linkId', '-lastOpenedAt', KEY]],
  hasShortRows: true,
});

export type ActivityRecord = RecordOf<typeof activityRecords>;
export type ActivityCounts = { readonly opened: number; readonly completed: number };

/** Numbers of learners by verdict on one placement. */
export interface VerdictCounts {
  readonly useful: number;
  readonly notUseful: number;
  readonly broken: number;
}

export type ActivityKey = Pick<ActivityRecord, 'tenantId' | 'linkId' | 'userId'>;

export function createActivityRepository(open: OpenRecords) {
  const records = open(activityRecords);
  return {
    /** Notes that a learner opened a link: adds a record, or moves `lastOpenedAt` forward. */
    async noteOpened(key: ActivityKey, at: Date): Promise<void> {
      await records.addOrChange(openedFirst(key, at), { lastOpenedAt: latest(at) });
    },
    /** Notes a completion, also without an opening. Returns false for all but the first. */
    noteCompleted: (key: ActivityKey, at: Date) =>
      records.addOrChange({ ...openedFirst(key, at), completedAt: at }, { completedAt: at }, { completedAt: null }),
    /** Notes a verdict; null removes it. Returns false when the link was not opened. */
    async noteVerdict(key: ActivityKey, verdict: Verdict | null, placementId: string): Promise<boolean> {
      const change = { verdict, verdictPlacementId: verdict && placementId };
      return (await records.changeIf(toActivityKey(key), change)) === 1;
    },
    /** Counts the verdicts on one placement of a link. */
    async countVerdicts(tenantId: string, linkId: string, verdictPlacementId: string): Promise<VerdictCounts> {
      const sums = await records.summarize(['verdict'], { tenantId, linkId, verdictPlacementId });
      const countVerdict = (value: Verdict) => sums.find(({ verdict }) => verdict === value)?.count ?? 0;
      return { useful: countVerdict('useful'), notUseful: countVerdict('not-useful'), broken: countVerdict('broken') };
    },
    /** Counts the verdicts of at most 1,000 links by placement and verdict. */
    sumVerdicts: (tenantId: string, linkIds: readonly string[]) =>
      records.summarize(['verdictPlacementId', 'verdict'], {
        tenantId,
        linkId: is.oneOf(linkIds),
        verdict: is.not(null),
      }),
    findActivity: (key: ActivityKey) => records.get(toActivityKey(key)),
    /** Counts the learners of a link. @param without ids of users who are not counted */
    async countActivity(tenantId: string, linkId: string, without: readonly string[] = []): Promise<ActivityCounts> {
      const counted = { tenantId, linkId, userId: is.noneOf(without) };
      const [opened, completed] = await Promise.all([
        records.count(counted),
        records.count({ ...counted, completedAt: is.not(null) }),
      ]);
      return { opened, completed };
    },
    /** @returns the number of completions that were removed */
    clearCompleted: ({ userId, ...link }: LearnersOfLink) =>
      records.changeIf({ ...link, userId: userId ?? undefined, completedAt: is.not(null) }, { completedAt: null }),
    /** Lists the last opened first, ties in the order of the user ids. */
    listActivity: (tenantId: string, linkId: string, page: PageRequest) =>
      records.page({ where: { tenantId, linkId }, order: ['-lastOpenedAt'] }, page),
  };
}

function openedFirst(key: ActivityKey, at: Date): ActivityRecord {
  const nothing = { completedAt: null, verdict: null, verdictPlacementId: null };
  return { ...toActivityKey(key), firstOpenedAt: at, lastOpenedAt: at, ...nothing };
}

const toActivityKey = ({ tenantId, linkId, userId }: ActivityKey): ActivityKey => ({ tenantId, linkId, userId });
