import type { Actor } from '#domain/admin';
import { canMakeLineItem, type Launch, takesScores } from '#domain/lti/launch';
import { toRecordKey } from '#domain/record-key';
import type { Clock } from '#ports/clock';
import type { ActivityKey, LtiRegistrationRecord, Store } from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';
import { auditRegistration } from '../lti-registrations/registration-records.ts';
import type { OpenedLink } from '../placements/links.ts';

export function createScores({ scores, audit, clock, wake }: PutScoreDeps & { readonly audit: Audit }) {
  return {
    countUnsent: ({ tenantId, id }: LtiRegistrationRecord) => scores.countUnsentScores(tenantId, id),
    /** Makes parked and refused scores due now. @returns how many there were */
    async retry(actor: Actor, registration: LtiRegistrationRecord): Promise<number> {
      const count = await scores.requeueScores(registration.tenantId, registration.id, clock.now());
      if (count === 0) return 0;
      wake();
      const event = { action: 'registration.scores-retried', registration } as const;
      await auditRegistration(audit, actor, { ...event, details: { count: `${count}` } });
      return count;
    },
  };
}

export interface PutScoreDeps extends Pick<Store, 'scores'> {
  readonly clock: Clock;
  /** Tells the outbox of this process, if there is one, that a score is due. */
  wake(): void;
}

export interface Completion {
  readonly key: ActivityKey;
  readonly launch: Launch;
  readonly opened: OpenedLink;
  /** How long its score is held back, so that it can be undone. */
  readonly holdMs: number;
}

/** Puts the score into the outbox if the link is graded and its line item has no score yet. */
export async function putLearnerScore(deps: PutScoreDeps, { key, launch, opened, holdMs }: Completion): Promise<void> {
  const { scores, clock, wake } = deps;
  const { link, placement } = opened;
  const { points } = placement;
  if (points === null || !takesScores(launch)) return;
  const { lineItem, newLineItem } = findScoreLineItem(launch, opened);
  const id = toScoreId(key);
  const before = await scores.findScore(key.tenantId, id);
  if (before?.lineItem === lineItem && before.state !== 'withdrawn') return;
  const now = clock.now();
  await scores.putScore({
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
    dueAt: new Date(now.getTime() + holdMs),
    leasedUntil: null,
    lastError: null,
  });
  wake();
}

/** @example toScoreId({ linkId: 'l1', userId: 'u1' }) // 'l1 u1' */
export const toScoreId = ({ linkId, userId }: Omit<ActivityKey, 'tenantId'>): string => toRecordKey([linkId, userId]);

/** Returns the line item of the launch, and how to make one where the tool may. Open edX sends the
 *  first line item of a block with every launch, so it is looked up even then. */
function findScoreLineItem({ grading, resourceLink }: Launch, { link: { chosenId }, placement }: OpenedLink) {
  const lineItem = grading?.lineItem ?? '';
  if (lineItem !== '' && !canMakeLineItem(grading)) return { lineItem, newLineItem: null };
  return {
    lineItem,
    newLineItem: {
      resourceLinkId: resourceLink?.id ?? '',
      resourceId: chosenId ?? placement.id,
      container: grading?.lineItems ?? '',
      label: placement.title,
    },
  };
}

const SECOND_MS = 1000;

/** Rounds down to a second later than `before`: platforms refuse two scores of one second. */
export function findScoreSecond(instant: Date, before?: Date): Date {
  const second = Math.floor(instant.getTime() / SECOND_MS);
  const least = before === undefined ? second : Math.floor(before.getTime() / SECOND_MS) + 1;
  return new Date(Math.max(second, least) * SECOND_MS);
}
