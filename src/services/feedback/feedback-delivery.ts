import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Feedback } from '../../ports/learning-service.ts';
import type { FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import type { TenantUpstreams } from '../upstreams.ts';

export interface FeedbackDelivery {
  /** When a delivery that begins now may be tried by someone else, should this host stop in the middle of it. */
  leaseUntil(): Date;
  /** Gives a claimed record to the service that found the object, and notes what became of it, unless it was claimed again
   *  meanwhile. When the tenant's upstream is another one by now, it is refused here and sent nowhere.
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
      const learning = await upstreams.findLearningAt(record.tenantId, record.destination);
      if (learning === null) return SENT_NOWHERE;
      await learning.feedback(toFeedback(record));
      return null;
    } catch (error) {
      return error;
    }
  }

  function outcomeOf(error: unknown, { destination }: FeedbackRecord): Outcome {
    const now = clock.now();
    if (error === null) return { state: 'delivered', dueAt: now, lastError: null };
    if (error === SENT_NOWHERE) return { state: 'refused', dueAt: now, lastError: whyNowhere(destination) };
    const lastError = reasonOf(error);
    if (isForGood(error)) return { state: 'refused', dueAt: now, lastError };
    return { state: 'waiting', dueAt: after(RETRY_MS), lastError };
  }

  return {
    leaseUntil: () => after(LEASE_MS),
    async deliver(record) {
      const error = await send(record);
      await feedback.settleFeedback(record.id, record.attempts, outcomeOf(error, record));
      return isForGood(error) ? error : null;
    },
  };
}

type Outcome = Pick<FeedbackRecord, 'state' | 'dueAt' | 'lastError'>;

/** In place of an error: the service it was meant for is not the tenant's any more. */
const SENT_NOWHERE = Symbol('sent nowhere');

function whyNowhere(destination: string | null): string {
  const meantFor = destination ?? 'our own engine';
  return `It was meant for ${meantFor}; the institution's upstream was changed since, so it was not sent anywhere.`;
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
