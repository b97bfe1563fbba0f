import type { Actor } from '#domain/admin';
import { type Launch, takesScores } from '#domain/lti/launch';
import { toRecordKey } from '#domain/record-key';
import type { Clock } from '#ports/clock';
import type {
  ActivityKey,
  LtiRegistrationRecord,
  ScoreCounts,
  ScoreRecord,
  ScoreRepository,
} from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';
import { recordRegistration } from '../lti-registrations/registration-records.ts';
import type { OpenedLink } from '../placements/links.ts';

/** Scores that did not reach their platform; for administrators. */
export interface Scores {
  countUnsent(registration: LtiRegistrationRecord): Promise<ScoreCounts>;
  /** Puts what is parked or refused back in the queue, due now. The audit trail gets its number.
   *  @returns how many there were */
  retry(actor: Actor, registration: LtiRegistrationRecord): Promise<number>;
}

export interface ScoresDeps {
  readonly scores: ScoreRepository;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Tells the outbox of this process, where there is one, that something is due. */
  wake(): void;
}

export function createScores({ scores, audit, clock, wake }: ScoresDeps): Scores {
  return {
    countUnsent: ({ tenantId, id }) => scores.countUnsentScores(tenantId, id),
    async retry(actor, registration) {
      const count = await scores.requeueScores(registration.tenantId, registration.id, clock.now());
      if (count === 0) return 0;
      wake();
      const event = { action: 'registration.scores-retried', registration } as const;
      await recordRegistration(audit, actor, { ...event, details: { count: `${count}` } });
      return count;
    },
  };
}

export interface ScorePuttingDeps {
  readonly scores: ScoreRepository;
  readonly clock: Clock;
  /** Tells the outbox of this process, where there is one, that a score is due. */
  wake(): void;
}

/** Puts the score for a completion on its way, where the link is graded and the score is not there yet. */
type PutScore = (key: ActivityKey, launch: Launch, opened: OpenedLink) => Promise<void>;

/** @example toScoreId({ tenantId: 't1', linkId: 'l1', userId: 'u1' }) // 'l1 u1' */
export const toScoreId = ({ linkId, userId }: ActivityKey): string => toRecordKey([linkId, userId]);

export function createScorePutting({ scores, clock, wake }: ScorePuttingDeps): PutScore {
  return async (key, launch, opened) => {
    const { link, placement } = opened;
    const { points } = placement;
    if (points === null || !takesScores(launch)) return;
    const { lineItem, newLineItem } = findLineItem(launch, opened);
    const id = toScoreId(key);
    const before = await scores.findScore(key.tenantId, id);
    if (before?.lineItem === lineItem) return;
    const now = clock.now();
    const record: ScoreRecord = {
      ...key,
      id,
      registrationId: link.registrationId,
      lineItem,
      newLineItem,
      points,
      earnedAt: findScoreSecond(now, before?.earnedAt),
      state: 'waiting',
      attempts: 0,
      failures: 0,
      dueAt: now,
      leasedUntil: null,
      lastError: null,
    };
    await scores.putScore(record);
    wake();
  };
}

/** A new one is for the item, whatever object stands behind it by now. */
function findLineItem(
  { grading, resourceLink }: Launch,
  { link: { chosenId }, placement }: OpenedLink,
): Pick<ScoreRecord, 'lineItem' | 'newLineItem'> {
  if (grading?.lineItem != null) return { lineItem: grading.lineItem, newLineItem: null };
  const { lineItems: container = null } = grading ?? {};
  const named = { resourceLinkId: resourceLink?.id ?? '', resourceId: chosenId ?? placement.id };
  return { lineItem: '', newLineItem: { ...named, container: container ?? '', label: placement.title } };
}

const SECOND_MS = 1000;

/** The instant cut to whole seconds, or the second after `before` where that is later: platforms compare the times of scores by
 *  whole seconds, and refuse a score that is not later. */
export function findScoreSecond(instant: Date, before?: Date): Date {
  const second = Math.floor(instant.getTime() / SECOND_MS);
  const least = before === undefined ? second : Math.floor(before.getTime() / SECOND_MS) + 1;
  return new Date(Math.max(second, least) * SECOND_MS);
}
