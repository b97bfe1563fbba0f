import type { Clock } from '#ports/clock';
import type { FeedbackRecord, RateCounterRepository } from '#ports/store/store';
import { createOutbox } from '#services/host/outbox';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import { createFeedbackService, type FeedbackServiceDeps } from '#services/people/feedback/feedback';
import { createFeedbackDelivery } from '#services/people/feedback/feedback-delivery';
import { createFeedbackRecords } from '#services/people/feedback/feedback-records';
import { createPeople } from '#services/people/people';
import { createPersonSessions } from '#services/people/person-sessions';
import { createSavedStates } from '#services/people/saved-states';
import { createSelections } from '#services/people/selections';
import { createShelf } from '#services/people/shelf';
import { createSlackCredentials } from '#services/people/slack/slack-credentials';
import { createSlackInstallations } from '#services/people/slack/slack-installations';
import type { TenantUpstreams } from '#services/searching/upstreams';
import { createTenantLinks } from '#services/tenants/tenant-links';
import type { RecordServices, ServicesDeps } from './record-services.ts';

export function createPeopleServices(
  deps: Pick<ServicesDeps, 'store' | 'clock' | 'slackApp' | 'slackApiOrigin' | 'onProblem'> &
    Pick<RecordServices, 'secrets' | 'keyring' | 'audit'>,
) {
  const { store, secrets, keyring, audit, clock, onProblem } = deps;
  const { slackApp: environmentApp, slackApiOrigin: apiOrigin = 'https://slack.com' } = deps;
  const { admins, nonces, plans, rateCounters, shelf, slackInstallations: installations, tenants } = store;
  const people = createPeople({ people: store.people, shelf, plans, nonces, rateCounters, tenants, clock });
  const savedStates = createSavedStates({ nonces, clock });
  const installing = { installations, tenants, secrets, people, audit, clock, apiOrigin, onProblem };
  return {
    people,
    savedStates,
    personSessions: createPersonSessions({ savedStates, keyring, tenants, clock }),
    shelf: createShelf({ shelf, people: store.people, tenants, clock }),
    selections: createSelections({ savedStates, people }),
    slackInstallations: createSlackInstallations(installing),
    slackCredentials: createSlackCredentials({ secrets, audit, environmentApp, apiOrigin }),
    slackInstallLinks: createTenantLinks({ purpose: 'slack-install', nonces, tenants, admins, audit, clock }),
    slackFeedbackLimit: createFeedbackLimit(rateCounters, clock, 'slack'),
    /** Returns whether this tenant has a connected workspace. */
    async hasSlack(tenantId: string): Promise<boolean> {
      const firstPage = { scope: [tenantId], search: '', page: 0, pageSize: 1 };
      return (await installations.listInstallations(firstPage)).total > 0;
    },
  };
}

/** Creates the services without starting the outbox. */
export function createFeedbackServices(
  deps: Pick<ServicesDeps, 'store' | 'local' | 'providerOf' | 'publicUrl' | 'feedbackTiming' | 'clock' | 'onProblem'> &
    Pick<FeedbackServiceDeps, 'usage' | 'audit'> & { readonly upstreams: TenantUpstreams },
) {
  const { upstreams, local, providerOf, publicUrl, usage, audit, clock, onProblem } = deps;
  const { feedback, tenants } = deps.store;
  const timing = deps.feedbackTiming ?? {};
  const delivery = createFeedbackDelivery({ ...timing, feedback, upstreams, clock });
  // The receiver of feedback is the upstream of its tenant.
  const receiverOf = ({ tenantId }: FeedbackRecord) => tenantId;
  const outbox = createOutbox({ ...timing, queue: feedback, delivery, receiverOf, clock, onProblem });
  const records = createFeedbackRecords({ feedback, audit, clock, wake: outbox.wake });
  const giving = { feedback, tenants, records, delivery, outbox, local, providerOf, publicUrl, usage, audit, clock };
  return {
    feedback: createFeedbackService(giving),
    feedbackRecords: records,
    feedbackOutbox: outbox,
  };
}

export type FeedbackServices = ReturnType<typeof createFeedbackServices>;

/** Limits the feedback of one person through one face to 30 an hour, to protect the receiver. */
export function createFeedbackLimit(
  rateCounters: RateCounterRepository,
  clock: Clock,
  face: 'assistant' | 'lti' | 'slack',
): RateLimiter {
  return createRateLimiter(rateCounters, clock, { name: `${face}-feedback`, points: 30, windowSeconds: 3_600 });
}
