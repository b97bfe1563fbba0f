import type { SlackApp } from '#domain/slack';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { Store } from '#ports/store/store';
import type { OutboxTiming } from '#services/host/outbox';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { Secrets } from '#services/host/secrets';
import type { Usage } from '#services/host/usage';
import { createFeedbackService } from '#services/people/feedback/feedback';
import {
  createFeedbackDelivery,
  createFeedbackDeliveryOutbox,
  type FeedbackDeliveryDeps,
} from '#services/people/feedback/feedback-delivery';
import { createFeedbackRecords } from '#services/people/feedback/feedback-records';
import { createFeedbackRetention } from '#services/people/feedback/retention';
import { createPeople } from '#services/people/people';
import { createSavedStates } from '#services/people/saved-states';
import { createSelections } from '#services/people/selections';
import { createShelf } from '#services/people/shelf';
import { createSlackCredentials } from '#services/people/slack/slack-credentials';
import { createSlackInstallations } from '#services/people/slack/slack-installations';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { Audit } from '#services/tenants/audit';
import { createTenantLinks } from '#services/tenants/tenant-links';

/** Creates the services for people, their shelves and states, and the Slack app. */
export function createPeopleServices(deps: {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
  /** The Slack app that is set in the environment. */
  readonly slackApp?: SlackApp | undefined;
  /** Origin of Slack's API; `https://slack.com` by default. */
  readonly slackApiOrigin?: string;
  onProblem(error: unknown): void;
}) {
  const { store, clock, slackApp: environmentApp, slackApiOrigin: apiOrigin = 'https://slack.com' } = deps;
  const { admins, nonces, shelf, slackInstallations: installations, tenants } = store;
  const people = createPeople({ ...store, clock });
  const savedStates = createSavedStates({ nonces, clock });
  return {
    people,
    savedStates,
    shelf: createShelf({ shelf, people: store.people, tenants, clock }),
    selections: createSelections({ savedStates, people }),
    slackInstallations: createSlackInstallations({ ...deps, installations, tenants, people, apiOrigin }),
    slackCredentials: createSlackCredentials({ ...deps, environmentApp, apiOrigin }),
    slackInstallLinks: createTenantLinks({ ...deps, purpose: 'slack-install', nonces, tenants, admins }),
    slackFeedbackLimit: createFeedbackLimit(deps, 'slack'),
    /** Whether a workspace is connected to the tenant, so that its members can have a shelf in
     *  Slack. */
    async hasSlack(tenantId: string): Promise<boolean> {
      const firstPage = { scope: [tenantId], search: '', page: 0, pageSize: 1 };
      return (await installations.listInstallations(firstPage)).total > 0;
    },
  };
}

/** Overrides of the default timing of deliveries. */
export type FeedbackTiming = Pick<FeedbackDeliveryDeps, 'backoff' | 'leaseMs'> & OutboxTiming;

/** Creates the services that record, deliver and expire feedback. Starts neither the outbox nor the
 *  retention. */
export function createFeedbackServices(deps: {
  readonly store: Store;
  readonly upstreams: TenantUpstreams;
  /** The built-in engine. */
  readonly local: LearningService;
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly publicUrl: string;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly feedbackTiming?: FeedbackTiming | undefined;
  onProblem(error: unknown): void;
}) {
  const { store, feedbackTiming: timing, ...rest } = deps;
  const { feedback, tenants } = store;
  const delivery = createFeedbackDelivery({ ...rest, ...timing, feedback });
  const outbox = createFeedbackDeliveryOutbox({ ...rest, ...timing, feedback, delivery });
  const records = createFeedbackRecords({ ...rest, feedback, wake: outbox.wake });
  return {
    feedback: createFeedbackService({ ...rest, feedback, tenants, records, delivery, outbox }),
    feedbackRecords: records,
    feedbackOutbox: outbox,
    feedbackRetention: createFeedbackRetention({ ...rest, feedback, tenants }),
  };
}

export type FeedbackServices = ReturnType<typeof createFeedbackServices>;

/** Limits the feedback of one person through one face to 30 an hour, to protect the receiver. */
export function createFeedbackLimit(
  { store, clock }: { readonly store: Pick<Store, 'rateCounters'>; readonly clock: Clock },
  face: 'assistant' | 'lti' | 'slack',
): RateLimiter {
  return createRateLimiter(store.rateCounters, clock, {
    name: `${face}-feedback`,
    points: 30,
    windowSeconds: 3_600,
  });
}
