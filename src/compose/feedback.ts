import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { Store } from '#ports/store/store';
import type { Outbox, OutboxTiming } from '#services/host/outbox/outbox';
import type { Usage } from '#services/host/usage';
import { createFeedbackService, type FeedbackService } from '#services/people/feedback/feedback';
import {
  createFeedbackDelivery,
  createFeedbackDeliveryOutbox,
  type FeedbackDeliveryDeps,
} from '#services/people/feedback/feedback-delivery';
import { createFeedbackRecords, type FeedbackRecords } from '#services/people/feedback/feedback-records';
import { createFeedbackRetention, type FeedbackRetention } from '#services/people/feedback/retention';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { Audit } from '#services/tenants/audit';

/** How deliveries are timed; each as in the services when it is absent. */
export type FeedbackTiming = Pick<FeedbackDeliveryDeps, 'backoff' | 'leaseMs'> & OutboxTiming;

export interface FeedbackPartsDeps {
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
