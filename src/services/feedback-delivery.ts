import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Feedback } from '../ports/learning-service.ts';
import type { FeedbackRecord, FeedbackRepository } from '../ports/store.ts';
import type { TenantUpstreams } from './upstreams.ts';

export interface FeedbackDelivery {
  /** When a delivery that begins now may be tried by someone else, should this host stop in the middle of it. */
  leaseUntil(): Date;
  /** Gives a claimed record to the service that found the object, and notes what became of it.
   *  @returns why the service refused it for good, or null */
  deliver(record: FeedbackRecord): Promise<AppError | null>;
}

export interface FeedbackDeliveryDeps {
  readonly feedback: FeedbackRepository;
  readonly upstreams: TenantUpstreams;
  readonly clock: Clock;
}

/** Longer than any call of an upstream takes. */
const LEASE_MS = 60_000;
const RETRY_MS = 60_000;

/** Feedback on its way to the service that found the learning object: delivered at least once. */
export function createFeedbackDelivery({
  feedback,
  upstreams,
  clock,
}: FeedbackDeliveryDeps): FeedbackDelivery {
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  async function send(record: FeedbackRecord): Promise<unknown> {
    try {
      const learning = await upstreams.learningOf(record.tenantId);
      await learning.feedback(toFeedback(record));
      return null;
    } catch (error) {
      return error;
    }
  }

  return {
    leaseUntil: () => after(LEASE_MS),
    async deliver(record) {
      const error = await send(record);
      if (error === null) {
        await feedback.settleFeedback(record.id, { state: 'delivered', dueAt: clock.now(), lastError: null });
        return null;
      }
      const isRefused = isForGood(error);
      const lastError = reasonOf(error);
      const outcome = isRefused
        ? ({ state: 'refused', dueAt: clock.now(), lastError } as const)
        : ({ state: 'waiting', dueAt: after(RETRY_MS), lastError } as const);
      await feedback.settleFeedback(record.id, outcome);
      return isRefused ? error : null;
    },
  };
}

/** What is wrong with the feedback itself stays wrong. */
function isForGood(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'REQUEST_ID_INVALID' || error.code === 'PARAMETERS_INVALID')
  );
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'An unexpected error of this host.';
}

function toFeedback({ url, comment, requestId, email, source }: FeedbackRecord): Feedback {
  return { url, requestId, email, source, ...(comment !== null && { comment }) };
}
