import type { Launch } from '#domain/lti/launch';
import type { LtiPlatforms } from '#ports/lti-platforms';
import { createCompletions } from '#services/courses/completions/completions';
import { createScoreDelivery, type ScoreDeliveryDeps } from '#services/courses/completions/score-delivery';
import { createScores } from '#services/courses/completions/scores';
import { readCourseOverview } from '#services/courses/course-overview';
import { createLaunches } from '#services/courses/launches/launches';
import { createLtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import { withRecentReads } from '#services/courses/lti-registrations/recent-reads';
import { createPlacements } from '#services/courses/placements/placements';
import type { Insight } from '#services/host/insight';
import { createBell, createOutbox, type Outbox, type OutboxTiming } from '#services/host/outbox';
import { createRateLimiter } from '#services/host/rate-limits';
import type { Usage } from '#services/host/usage';
import { createTenantLinks } from '#services/tenants/tenant-links';
import { createFeedbackLimit } from './people.ts';
import type { RecordServices, ServicesDeps } from './record-services.ts';

export type ScoreTiming = Pick<ScoreDeliveryDeps, 'backoff'> & OutboxTiming;
const FIRST = { search: '', page: 0, pageSize: 1, sort: 'createdAt', descending: false } as const;
const SUGGESTIONS = { name: 'lti-suggestion', points: 30, windowSeconds: 3_600 } as const;

export function createCourseServices(
  deps: Pick<ServicesDeps, 'store' | 'clock' | 'makeKeyPair' | 'onProblem'> &
    Pick<RecordServices, 'keyring' | 'secrets' | 'audit'> & {
      readonly usage: Usage;
      readonly insight: Pick<Insight, 'noteObject'>;
    },
) {
  const { store, keyring, secrets, usage, insight, audit, clock, makeKeyPair, onProblem } = deps;
  const { ltiRegistrations: registrations, rateCounters, scores } = store;
  const bell = createBell();
  const wake = () => bell.ring();
  const parts = { ...store, registrations, keyring, secrets, usage, insight, audit, clock, makeKeyPair, wake };
  return {
    ltiRegistrations: withRecentReads(createLtiRegistrations(parts)),
    /** Returns whether this tenant has a registration. */
    async hasLti(tenantId: string): Promise<boolean> {
      return (await registrations.listRegistrations({ scope: [tenantId], ...FIRST })).total > 0;
    },
    ltiRegistrationLinks: createTenantLinks({ ...parts, purpose: 'registration' }),
    launches: createLaunches(parts),
    placements: createPlacements(parts),
    completions: createCompletions(parts),
    readCourseOverview: (launch: Launch, teachers: readonly string[]) => readCourseOverview(store, launch, teachers),
    ltiScores: createScores(parts),
    ltiFeedbackLimit: createFeedbackLimit(rateCounters, clock, 'lti'),
    suggestionLimit: createRateLimiter(rateCounters, clock, SUGGESTIONS),
    /** Creates the outbox without starting it. Call it once: `wake` reaches the last outbox. */
    createScoreOutbox: (platforms: LtiPlatforms, timing: ScoreTiming = {}): Outbox =>
      createOutbox({
        ...timing,
        queue: scores,
        delivery: createScoreDelivery({ ...timing, ...parts, platforms }),
        receiverOf: ({ registrationId }) => registrationId,
        clock,
        onProblem,
        bell,
      }),
  };
}
