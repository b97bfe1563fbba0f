import type { Actor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { LtiRegistrationRecord, ScoreCounts, ScoreRepository } from '#ports/store/store';
import type { Audit } from '../tenants/audit.ts';
import { recordRegistration } from './lti-registrations/registration-records.ts';

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
