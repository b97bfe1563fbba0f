import { deliveryFields, deliveryIndexes, type OpenQueue, settleDelivery } from './deliveries.ts';
import {
  describeRecord,
  field,
  is,
  type OpenRecords,
  plus,
  type RecordOf,
  type Records,
  type Where,
} from './record.ts';

/** As in `FeedbackState`: waiting for the platform to take it, delivered, refused for good, or
 *  parked after too many failures. A teacher dismisses refused ones; scores are withdrawn where
 *  learners begin again. */
export type ScoreState = 'waiting' | 'delivered' | 'refused' | 'parked' | 'dismissed' | 'withdrawn';

/** A line item of a placement, which may be missing yet. */
export interface NewLineItem {
  /** Address of the line items of the course. */
  readonly container: string;
  readonly resourceLinkId: string;
  readonly resourceId: string;
  readonly label: string;
}

export const scoreRecords = describeRecord('scores', {
  fields: {
    /** `<link id> <user id>`, the user's own blanks escaped (see `domain/record-key.ts`). */
    id: field.text(),
    tenantId: field.ofTenant,
    registrationId: field.text(),
    linkId: field.text(),
    userId: field.text(),
    /** Address of the line item that the launch named, which may be another placement's; empty
     *  where it named none. */
    lineItem: field.text(),
    /** The line item to find or make; null where the platform lets nobody look for it. */
    newLineItem: field.nullable(field.json<NewLineItem>()),
    /** Both the score and its maximum: completing gives all points. */
    points: field.integer,
    /** When it was earned, to the second; later than that of the score before. */
    earnedAt: field.instant,
    state: field.text<ScoreState>(),
    ...deliveryFields,
  },
  indexes: [
    ...deliveryIndexes('registrationId'),
    // Most scores are delivered, and nobody looks for those except by id.
    { fields: ['tenantId', 'registrationId', 'state'], only: { field: 'state', isNot: 'delivered' } },
    { fields: ['tenantId', 'linkId', 'state'], only: { field: 'state', isNot: 'delivered' } },
  ],
});

/** The latest score of a learner for a link, on its way to the gradebook of the platform. */
export type ScoreRecord = RecordOf<typeof scoreRecords>;

export type ScoreOutcome = Pick<ScoreRecord, 'state' | 'failures' | 'dueAt' | 'lastError' | 'earnedAt'>;

export interface LearnersOfLink {
  readonly tenantId: string;
  readonly linkId: string;
  /** Of one learner; of all where it is null. */
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
  const queue = openQueue(scoreRecords, 'registrationId');
  return {
    ...createUnsentScores(records),
    /** Adds it, or replaces the one of the same id, with one attempt more than that had: a delivery
     *  of the replaced one that is under way settles nothing any more. */
    async putScore({ id, ...changes }: ScoreRecord): Promise<void> {
      await records.addOrChange({ id, ...changes }, { ...changes, attempts: plus(1) });
    },
    findScore: (tenantId: string, id: string) => records.get({ tenantId, id }),
    /** As `DeliveryQueue.claimDue`; the lanes are registrations. */
    claimDueScore: queue.claimDue,
    /** As `settleDelivery`. */
    settleScore: (id: string, attempts: number, outcome: ScoreOutcome) =>
      settleDelivery(records, { id, attempts }, { ...outcome }),
    findNextDueScore: queue.findNextDue,
    mendScoreTimes: queue.correctTimes,
    /** @returns how many were refused */
    dismissScores: (tenantId: string, linkId: string) =>
      records.changeIf({ tenantId, linkId, state: 'refused' }, { state: 'dismissed' }),
    /** A delivery under way settles nothing any more. */
    async withdrawScores({ userId, ...link }: LearnersOfLink): Promise<void> {
      const change = { state: 'withdrawn', leasedUntil: null, attempts: plus(1) } as const;
      await records.changeIf({ ...link, userId: userId ?? undefined }, change);
    },
    /** Withdraws a score that is held back, before its first delivery.
     *  @returns whether there was one */
    withdrawHeldScore: async (tenantId: string, id: string, now: Date): Promise<boolean> =>
      (await records.changeIf(held(tenantId, id, now), { state: 'withdrawn', attempts: plus(1) })) === 1,
    /** Makes a score that is held back due now. @returns whether there was one */
    releaseHeldScore: async (tenantId: string, id: string, now: Date): Promise<boolean> =>
      (await records.changeIf(held(tenantId, id, now), { dueAt: now })) === 1,
    /** Makes a score due now that failed and waits, or is parked; a parked one without failures.
     *  @returns whether there is one */
    async resumeScore(tenantId: string, id: string, now: Date): Promise<boolean> {
      const failed = { tenantId, id, state: 'waiting', lastError: is.not(null), leasedUntil: null } as const;
      const parked = { tenantId, id, state: 'parked' } as const;
      const counts = [
        await records.changeIf(failed, { dueAt: now }),
        await records.changeIf(parked, { state: 'waiting', dueAt: now, failures: 0 }),
      ];
      return counts.includes(1);
    },
    /** Makes what is parked or refused wait again, due now and without failures.
     *  @returns how many there were */
    requeueScores: (tenantId: string, registrationId: string, now: Date) =>
      records.changeIf(
        { tenantId, registrationId, state: is.oneOf(['parked', 'refused']) },
        { state: 'waiting', dueAt: now, failures: 0 },
      ),
  };
}

/** Counts and lists of the scores that did not arrive. */
function createUnsentScores(records: Records<ScoreRecord>) {
  const countUnsent = async (where: Where<ScoreRecord>): Promise<ScoreCounts> => {
    const unsent = { ...where, state: is.oneOf(['waiting', 'parked', 'refused']) };
    const sums = await records.summarize(['state'], unsent);
    const countOf = (value: ScoreState) => sums.find(({ state }) => state === value)?.count ?? 0;
    return { waiting: countOf('waiting'), parked: countOf('parked'), refused: countOf('refused') };
  };
  return {
    countUnsentScores: (tenantId: string, registrationId: string) => countUnsent({ tenantId, registrationId }),
    /** Of one link, but for these learners. */
    countUnsentScoresOfLink: (tenantId: string, linkId: string, without: readonly string[] = []) =>
      countUnsent({ tenantId, linkId, userId: is.noneOf(without) }),
    /** Why scores of a link were refused, each reason once. */
    async listRefusals(tenantId: string, linkId: string, without: readonly string[] = []): Promise<readonly string[]> {
      const refused = { tenantId, linkId, state: 'refused', userId: is.noneOf(without) } as const;
      const sums = await records.summarize(['lastError'], refused);
      return sums.flatMap(({ lastError }) => lastError ?? []);
    },
    /** Ids of the learners whose score of a link is refused or parked, in order. */
    async listUnsentLearners(tenantId: string, linkId: string): Promise<readonly string[]> {
      const sums = await records.summarize(['userId'], { tenantId, linkId, state: is.oneOf(['refused', 'parked']) });
      return sums.map(({ userId }) => userId);
    },
  };
}

/** A score that waits for its first delivery. */
const held = (tenantId: string, id: string, now: Date): Where<ScoreRecord> => ({
  ...{ tenantId, id, state: 'waiting', lastError: null },
  ...{ leasedUntil: null, dueAt: is.above(now) },
});
