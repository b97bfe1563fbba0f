import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { Store } from '#ports/store/store';
import { type Completions, createCompletions } from '#services/courses/completions/completions';
import { createScoreDelivery, type ScoreDeliveryDeps } from '#services/courses/completions/score-delivery';
import { createScores, type Scores } from '#services/courses/completions/scores';
import { createLaunches, type Launches } from '#services/courses/launches/launches';
import {
  createLtiRegistrations,
  type LtiRegistrations,
} from '#services/courses/lti-registrations/lti-registrations';
import { withRecentReads } from '#services/courses/lti-registrations/recent-reads';
import type { KeyPair } from '#services/courses/lti-registrations/registration-records';
import { createPlacements, type Placements } from '#services/courses/placements/placements';
import type { Insight } from '#services/host/insight';
import type { Keyring } from '#services/host/keyring';
import { createBell, createOutbox, type Outbox, type OutboxTiming } from '#services/host/outbox';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { Secrets } from '#services/host/secrets';
import type { Usage } from '#services/host/usage';
import type { Audit } from '#services/tenants/audit';
import { createTenantLinks, type TenantLinks } from '#services/tenants/tenant-links';

/** How deliveries are timed; each as in the services when it is absent. */
export type ScoreTiming = Pick<ScoreDeliveryDeps, 'backoff' | 'leaseMs'> & OutboxTiming;

export interface LtiPartsDeps {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly secrets: Secrets;
  readonly usage: Usage;
  readonly insight: Pick<Insight, 'noteObject'>;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Of a registration. */
  makeKeyPair(): Promise<KeyPair>;
  onProblem(error: unknown): void;
}

export interface LtiParts {
  readonly ltiRegistrations: LtiRegistrations;
  readonly ltiRegistrationLinks: TenantLinks;
  readonly launches: Launches;
  readonly placements: Placements;
  readonly completions: Completions;
  /** Of one person. */
  readonly ltiFeedbackLimit: RateLimiter;
  readonly suggestionLimit: RateLimiter;
  readonly ltiScores: Scores;
  /** Not started. At most one: only that one is told of what is due. */
  createScoreOutbox(platforms: LtiPlatforms, timing?: ScoreTiming): Outbox;
}

/** More than anyone needs, and little enough for the service that gets it. */
const FEEDBACK = { name: 'lti-feedback', points: 30, windowSeconds: 3_600 } as const;

/** Pages that are read to be suggested. */
const SUGGESTIONS = { name: 'lti-suggestion', points: 30, windowSeconds: 3_600 } as const;

/** Platforms, their launches, and the results. Others call the platforms, and need the keys that are here: so the outbox of the
 *  scores is made last. */
export function createLtiParts(deps: LtiPartsDeps): LtiParts {
  const { store, audit, clock } = deps;
  const { activity, admins, ltiRegistrations: registrations, nonces, placements, scores, tenants } = store;
  const bell = createBell();
  const wake = () => bell.ring();
  return {
    ltiRegistrations: withRecentReads(createLtiRegistrations({ ...deps, registrations, tenants })),
    ltiRegistrationLinks: createTenantLinks({
      purpose: 'registration',
      nonces,
      tenants,
      admins,
      audit,
      clock,
    }),
    launches: createLaunches({ ...deps, nonces, rateCounters: store.rateCounters }),
    placements: createPlacements({ ...deps, placements, tenants }),
    suggestionLimit: createRateLimiter(store.rateCounters, clock, SUGGESTIONS),
    ltiFeedbackLimit: createRateLimiter(store.rateCounters, clock, FEEDBACK),
    completions: createCompletions({ activity, scores, insight: deps.insight, clock, wake }),
    ltiScores: createScores({ scores, audit, clock, wake }),
    createScoreOutbox: (platforms, timing = {}) =>
      createOutbox({
        ...timing,
        queue: {
          claimDue: (now, leasedUntil, busy) => scores.claimDueScore(now, leasedUntil, busy),
          findNextDue: (busy) => scores.findNextDueScore(busy),
          mendTimes: (now, latest) => scores.mendScoreTimes(now, latest),
        },
        delivery: createScoreDelivery({ ...timing, scores, registrations, tenants, platforms, clock }),
        receiverOf: ({ registrationId }) => registrationId,
        clock,
        onProblem: deps.onProblem,
        bell,
      }),
  };
}
