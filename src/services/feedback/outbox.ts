import type { Clock } from '../../ports/clock.ts';
import type { FeedbackRepository } from '../../ports/store/store.ts';
import { createOutbox, type Outbox, type OutboxTiming } from '../outbox/outbox.ts';
import type { FeedbackDelivery } from './feedback-delivery.ts';

export interface FeedbackOutboxDeps extends OutboxTiming {
  readonly feedback: Pick<FeedbackRepository, 'claimDueFeedback' | 'findNextDue' | 'mendFeedbackTimes'>;
  readonly delivery: FeedbackDelivery;
  readonly clock: Clock;
  /** Told when the store fails; the outbox goes on. */
  onProblem(error: unknown): void;
}

/** Delivers feedback; all of a tenant goes to the same service. */
export function createFeedbackOutbox({ feedback, ...deps }: FeedbackOutboxDeps): Outbox {
  return createOutbox({
    ...deps,
    queue: {
      claimDue: (now, leasedUntil, busy) => feedback.claimDueFeedback(now, leasedUntil, busy),
      findNextDue: (busy) => feedback.findNextDue(busy),
      mendTimes: (now, latest) => feedback.mendFeedbackTimes(now, latest),
    },
    receiverOf: ({ tenantId }) => tenantId,
  });
}
