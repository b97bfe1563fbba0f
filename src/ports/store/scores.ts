import { deliveryFields, deliveryIndexes, type OpenQueue, settleDelivery } from './deliveries.ts';
import type { OpenRecords, RecordOf, Records, Where } from './record.ts';
import { describeRecord, field, is, plus } from './record.ts';

/** The states of feedback; `dismissed` by a teacher, `withdrawn` when the learner begins again. */
export type ScoreState = 'waiting' | 'delivered' | 'refused' | 'parked' | 'dismissed' | 'withdrawn';

/** A line item of a placement, which the platform may not have yet. */
export interface NewLineItem {
  readonly container: string;
  readonly resourceLinkId: string;
  readonly resourceId: string;
  readonly label: string;
}

export const scoreRecords = describeRecord('scores', {
  fields: {
    /** `<link id> <user id>`, spaces in the user id escaped (see `domain/record-key.ts`). */
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    linkId: field.text(),
    userId: field.text(),
    /** Line item that the launch named, perhaps of another placement; empty for none. */
    lineItem: field.text(),
    /** The line item to find or create; null if the platform does not allow that. */
    newLineItem: field.nullable(field.json<NewLineItem>()),
    /** The score and its maximum: a completion gives all points. */
    points: field.integer,
    /** Exact to the second; later than that of the previous score. */
    earnedAt: field.instant,
    state: field.text<ScoreState>(),
    ...deliveryFields,
  },
  personal: { about: 'id points earnedAt lastError', 'lms-user': 'userId' },
  impersonal: 'tenantId registrationId linkId lineItem newLineItem state attempts failures dueAt leasedUntil',
  privacy: { seenBy: ['person', 'teachers'], kept: 'scores', leaves: 'lms', erasure: 'remove' },
  retention: { kind: 'scores', since: 'earnedAt', unless: ['waiting', 'parked'] },
  indexes: [
    ...deliveryIndexes('registrationId'),
    // Most scores are delivered, and no query asks for those except by id.
    { fields: ['tenantId', 'registrationId', 'state'], only: { field: 'state', isNot: 'delivered' } },
    { fields: ['tenantId', 'linkId', 'state'], only: { field: 'state', isNot: 'delivered' } },
  ],
});

/** The latest score of a learner for a link, on its way to the gradebook. */
export type ScoreRecord = RecordOf<typeof scoreRecords>;
export type ScoreOutcome = Pick<ScoreRecord, 'state' | 'failures' | 'dueAt' | 'lastError' | 'earnedAt'>;

export interface LearnersOfLink {
  readonly tenantId: string;
  readonly linkId: string;
  /** Null for all learners. */
  readonly userId: string | null;
}

export interface ScoreCounts {
  readonly waiting: number;
  readonly parked: number;
  readonly refused: number;
}

export type ScoreRepository = ReturnType<typeof createScoreRepository>;

export function createScoreRepository(open: OpenRecords, openQueue: OpenQueue) {
  const records = open(scoreRecords);
  return {
    /** The lanes are registrations. */
    ...openQueue(scoreRecords, 'registrationId'),
    ...createUnsentScores(records),
    /** Puts a score, with one attempt more, so that a running delivery of it settles nothing. */
    async putScore({ id, ...changes }: ScoreRecord): Promise<void> {
      await records.addOrChange({ id, ...changes }, { ...changes, attempts: plus(1) });
    },
    findScore: (tenantId: string, id: string) => records.get({ tenantId, id }),
    settleScore: (id: string, attempts: number, outcome: ScoreOutcome) =>
      settleDelivery(records, { id, attempts }, { ...outcome }),
    /** Dismisses refused scores. @returns their number */
    dismissScores: (tenantId: string, linkId: string) =>
      records.changeIf({ tenantId, linkId, state: 'refused' }, { state: 'dismissed' }),
    /** Withdraws scores; a running delivery then settles nothing. */
    async withdrawScores({ userId, ...link }: LearnersOfLink): Promise<void> {
      const change = { state: 'withdrawn', leasedUntil: null, attempts: plus(1) } as const;
      await records.changeIf({ ...link, userId: userId ?? undefined }, change);
    },
    /** Withdraws a score before its first delivery. @returns whether it was withdrawn */
    withdrawHeldScore: async (tenantId: string, id: string, now: Date): Promise<boolean> =>
      (await records.changeIf(isHeldScore(tenantId, id, now), { state: 'withdrawn', attempts: plus(1) })) === 1,
    /** Makes a score due now that waits for its first delivery. @returns whether there was one */
    releaseHeldScore: async (tenantId: string, id: string, now: Date): Promise<boolean> =>
      (await records.changeIf(isHeldScore(tenantId, id, now), { dueAt: now })) === 1,
    /** Makes a failed or parked score due now. @returns whether there was one */
    async resumeScore(tenantId: string, id: string, now: Date): Promise<boolean> {
      const failed = { tenantId, id, state: 'waiting', lastError: is.not(null), leasedUntil: null } as const;
      const parked = { tenantId, id, state: 'parked' } as const;
      const counts = [
        await records.changeIf(failed, { dueAt: now }),
        await records.changeIf(parked, { state: 'waiting', dueAt: now, failures: 0 }),
      ];
      return counts.includes(1);
    },
    /** Makes parked and refused scores wait again, due now and without failures.
     *  @returns their number */
    requeueScores: (tenantId: string, registrationId: string, now: Date) =>
      records.changeIf(
        { tenantId, registrationId, state: is.oneOf(['parked', 'refused']) },
        { state: 'waiting', dueAt: now, failures: 0 },
      ),
  };
}

function createUnsentScores(records: Records<ScoreRecord>) {
  const countUnsentScoresWhere = async (where: Where<ScoreRecord>): Promise<ScoreCounts> => {
    const unsent = { ...where, state: is.oneOf(['waiting', 'parked', 'refused']) };
    const sums = await records.summarize(['state'], unsent);
    const countState = (value: ScoreState) => sums.find(({ state }) => state === value)?.count ?? 0;
    return { waiting: countState('waiting'), parked: countState('parked'), refused: countState('refused') };
  };
  return {
    countUnsentScores: (tenantId: string, registrationId: string) =>
      countUnsentScoresWhere({ tenantId, registrationId }),
    /** @param without ids of users whose scores are not counted */
    countUnsentScoresOfLink: (tenantId: string, linkId: string, without: readonly string[] = []) =>
      countUnsentScoresWhere({ tenantId, linkId, userId: is.noneOf(without) }),
    /** Lists the different reasons why scores were refused. */
    async listRefusals(tenantId: string, linkId: string, without: readonly string[] = []): Promise<readonly string[]> {
      const refused = { tenantId, linkId, state: 'refused', userId: is.noneOf(without) } as const;
      const sums = await records.summarize(['lastError'], refused);
      return sums.flatMap(({ lastError }) => lastError ?? []);
    },
    /** Lists the ids of learners with a refused or parked score, in order. */
    async listUnsentLearners(tenantId: string, linkId: string): Promise<readonly string[]> {
      const sums = await records.summarize(['userId'], { tenantId, linkId, state: is.oneOf(['refused', 'parked']) });
      return sums.map(({ userId }) => userId);
    },
  };
}

const isHeldScore = (tenantId: string, id: string, now: Date): Where<ScoreRecord> => ({
  tenantId,
  id,
  state: 'waiting',
  lastError: null,
  leasedUntil: null,
  dueAt: is.above(now),
});
