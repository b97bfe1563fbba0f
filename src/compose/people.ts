import type { SlackApp } from '#domain/slack';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { Store } from '#ports/store/store';
import type { Outbox, OutboxTiming } from '#services/host/outbox';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { Secrets } from '#services/host/secrets';
import type { Usage } from '#services/host/usage';
import { createFeedbackService, type FeedbackService } from '#services/people/feedback/feedback';
import {
  createFeedbackDelivery,
  createFeedbackDeliveryOutbox,
  type FeedbackDeliveryDeps,
} from '#services/people/feedback/feedback-delivery';
import { createFeedbackRecords, type FeedbackRecords } from '#services/people/feedback/feedback-records';
import { createFeedbackRetention, type FeedbackRetention } from '#services/people/feedback/retention';
import { createKeptStates, type KeptStates } from '#services/people/kept-states';
import { createPeople, type People } from '#services/people/people';
import { createSlackCredentials, type SlackCredentials } from '#services/people/slack/slack-credentials';
import {
  createSlackInstallations,
  type SlackInstallations,
} from '#services/people/slack/slack-installations';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { Audit } from '#services/tenants/audit';
import { createTenantLinks, type TenantLinks } from '#services/tenants/tenant-links';

export interface SlackPartsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Of the environment. */
  readonly environmentApp: SlackApp | undefined;
  /** Of Slack's API. */
  readonly apiOrigin: string;
  onProblem(error: unknown): void;
}

export interface SlackParts {
  readonly slackInstallations: SlackInstallations;
  readonly slackCredentials: SlackCredentials;
  readonly slackInstallLinks: TenantLinks;
  readonly people: People;
  readonly keptStates: KeptStates;
  /** Of one person. */
  readonly slackFeedbackLimit: RateLimiter;
  /** Whether somebody of this tenant can have a shelf in Slack. */
  hasSlack(tenantId: string): Promise<boolean>;
}

/** More than anyone needs, and little enough for the service that gets it. */
const FEEDBACK = { name: 'slack-feedback', points: 30, windowSeconds: 3_600 } as const;

/** The Slack app, where it is installed, and what is kept of people, whose accounts elsewhere are linked with those in Slack. */
export function createSlackParts(deps: SlackPartsDeps): SlackParts {
  const { store, clock } = deps;
  const { nonces, people: records, rateCounters, slackInstallations: installations } = store;
  const { admins, shelf, tenants } = store;
  const people = createPeople({ people: records, shelf, nonces, rateCounters, tenants, clock });
  return {
    slackInstallations: createSlackInstallations({ ...deps, installations, tenants, people }),
    async hasSlack(tenantId) {
      const wanted = { scope: [tenantId], search: '', page: 0, pageSize: 1 };
      return (await installations.listInstallations(wanted)).total > 0;
    },
    slackCredentials: createSlackCredentials(deps),
    slackInstallLinks: createTenantLinks({ ...deps, purpose: 'slack-install', nonces, tenants, admins }),
    people,
    keptStates: createKeptStates({ nonces, clock }),
    slackFeedbackLimit: createRateLimiter(rateCounters, clock, FEEDBACK),
  };
}

/** How deliveries are timed; each as in the services when it is absent. */
export type FeedbackTiming = Pick<FeedbackDeliveryDeps, 'backoff' | 'leaseMs'> & OutboxTiming;

interface FeedbackPartsDeps {
  readonly store: Store;
  readonly upstreams: TenantUpstreams;
  readonly local: LearningService;
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly publicUrl: string;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly timing?: FeedbackTiming | undefined;
  onProblem(error: unknown): void;
}

export interface FeedbackParts {
  readonly feedback: FeedbackService;
  /** Those that tell the outbox of what they make due. */
  readonly feedbackRecords: FeedbackRecords;
  /** Not started. */
  readonly feedbackOutbox: Outbox;
  /** Not started. */
  readonly feedbackRetention: FeedbackRetention;
}

/** Giving feedback, delivering it, and removing it in time. */
export function createFeedbackParts({ store, timing, ...deps }: FeedbackPartsDeps): FeedbackParts {
  const { feedback, tenants } = store;
  const delivery = createFeedbackDelivery({ ...deps, ...timing, feedback });
  const feedbackOutbox = createFeedbackDeliveryOutbox({ ...deps, ...timing, feedback, delivery });
  const records = createFeedbackRecords({ ...deps, feedback, wake: feedbackOutbox.wake });
  return {
    feedback: createFeedbackService({
      ...deps,
      feedback,
      tenants,
      records,
      delivery,
      outbox: feedbackOutbox,
    }),
    feedbackRecords: records,
    feedbackOutbox,
    feedbackRetention: createFeedbackRetention({ ...deps, feedback, tenants }),
  };
}
