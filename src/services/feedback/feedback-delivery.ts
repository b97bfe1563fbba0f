import { AppError, type ErrorCode } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallOptions, Feedback } from '../../ports/learning-service.ts';
import type { FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import type { TenantUpstreams } from '../upstreams.ts';
import { type Backoff, nextAttemptMs, usualBackoff } from './next-attempt.ts';

export interface FeedbackDelivery {
  /** When a delivery that begins now may be tried by someone else, should this host stop in the middle of it. */
  leaseUntil(): Date;
  /** Gives a claimed record to the service that found the object, and notes what became of it, unless it was claimed again
   *  meanwhile. When the tenant's upstream is another one by now, it is refused here and sent nowhere.
   *  Errors: only those of the store. */
  deliver(record: FeedbackRecord, options?: CallOptions): Promise<void>;
}

export interface FeedbackDeliveryDeps {
  readonly feedback: FeedbackRepository;
  readonly upstreams: TenantUpstreams;
  readonly clock: Clock;
  readonly backoff?: Backoff | undefined;
  /** Longer than any call of an upstream takes; 60,000 when absent. */
  readonly leaseMs?: number | undefined;
}

const LEASE_MS = 60_000;

/** Feedback on its way to the service that found the learning object: delivered at least once, always under the same id. */
export function createFeedbackDelivery(deps: FeedbackDeliveryDeps): FeedbackDelivery {
  const { feedback, upstreams, clock, backoff = usualBackoff, leaseMs = LEASE_MS } = deps;
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  async function send(record: FeedbackRecord, options: CallOptions): Promise<unknown> {
    try {
      const learning = await upstreams.findLearningAt(record.tenantId, record.destination);
      if (learning === null) return SENT_NOWHERE;
      await learning.feedback(toFeedback(record), options);
      return null;
    } catch (error) {
      return error;
    }
  }

  function outcomeOf(error: unknown, { destination, attempts }: FeedbackRecord): Outcome {
    const now = clock.now();
    if (error === null) return { state: 'delivered', dueAt: now, lastError: null };
    if (error === SENT_NOWHERE) return { state: 'refused', dueAt: now, lastError: whyNowhere(destination) };
    const lastError = reasonOf(error);
    if (isForGood(error)) return { state: 'refused', dueAt: now, lastError };
    const failed = { attempts, retryAfterSeconds: retryAfterOf(error), random: Math.random() };
    const waitMs = nextAttemptMs(failed, backoff);
    if (waitMs === null) return { state: 'parked', dueAt: now, lastError };
    return { state: 'waiting', dueAt: after(waitMs), lastError };
  }

  return {
    leaseUntil: () => after(leaseMs),
    async deliver(record, options = {}) {
      const error = await send(record, options);
      await feedback.settleFeedback(record.id, record.attempts, outcomeOf(error, record));
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

/** What is wrong with the feedback itself stays wrong, and a deleted tenant does not come back. Everything else may be put
 *  right: a key that is refused or cannot be read, an address, a tenant that is disabled. */
const forGood: readonly ErrorCode[] = ['REQUEST_ID_INVALID', 'PARAMETERS_INVALID', 'TENANT_UNKNOWN'];

function isForGood(error: unknown): boolean {
  return error instanceof AppError && forGood.includes(error.code);
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof AppError ? error.retryAfterSeconds : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'An unexpected error of this host.';
}

function toFeedback({ id, url, comment, requestId, email, source }: FeedbackRecord): Feedback {
  return { id, url, requestId, email, source, ...(comment !== null && { comment }) };
}
