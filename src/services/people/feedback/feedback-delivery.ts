import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { CallOptions, Feedback } from '#ports/learning-service';
import type { FeedbackOutcome, FeedbackRecord, FeedbackRepository } from '#ports/store/store';
import { type Backoff, decideOutboxRetry, defaultBackoff, type FailedDelivery } from '#services/host/outbox-retries';
import type { TenantUpstreams } from '#services/searching/upstreams';

export interface FeedbackDeliveryDeps {
  readonly feedback: Pick<FeedbackRepository, 'settleFeedback'>;
  readonly upstreams: TenantUpstreams;
  readonly clock: Clock;
  readonly backoff?: Backoff | undefined;
  /** Longer than any call to an upstream takes; 60,000 by default. */
  readonly leaseMs?: number | undefined;
}

const LEASE_MS = 60_000;
/** Stands for an error: the destination is no longer the tenant's upstream. */
const SENT_NOWHERE = Symbol('sent nowhere');
/** Stands for an error: the host stopped before the service answered. */
const GIVEN_UP = Symbol('given up');

/** Delivers feedback to the service of the object at least once, always with the same ID. */
export function createFeedbackDelivery(deps: FeedbackDeliveryDeps) {
  const { feedback, upstreams, clock, backoff = defaultBackoff, leaseMs = LEASE_MS } = deps;

  async function sendFeedback(record: FeedbackRecord, options: CallOptions): Promise<unknown> {
    try {
      const learning = await upstreams.findLearningAt(record.tenantId, record.destination);
      if (learning === null) return SENT_NOWHERE;
      await learning.ask('feedback', toDeliveredFeedback(record), options);
      return null;
    } catch (error) {
      return options.signal?.aborted && !(error instanceof AppError) ? GIVEN_UP : error;
    }
  }

  function outcomeOf(error: unknown, { destination, failures, lastError }: FeedbackRecord): FeedbackOutcome {
    const settled = { failures, dueAt: clock.now(), lastError: null };
    if (error === null) return { ...settled, state: 'delivered' };
    if (error === GIVEN_UP) return { ...settled, state: 'waiting', lastError };
    if (error === SENT_NOWHERE) return { ...settled, state: 'parked', lastError: explainNoDelivery(destination) };
    return decideOutboxRetry(error, { kind: classifyDeliveryFailure(error), failures }, { clock, backoff });
  }

  return {
    leaseUntil: () => new Date(clock.now().getTime() + leaseMs),
    /** Sends a claimed record and stores the outcome, unless it was claimed again meanwhile. Parks
     *  it where the tenant has another upstream now. If the signal aborts, it is due again at once.
     *  @returns when to try an overloaded service again. Errors: of the store. */
    async deliver(record: FeedbackRecord, options: CallOptions = {}): Promise<Date | null> {
      const error = await sendFeedback(record, options);
      const outcome = outcomeOf(error, record);
      await feedback.settleFeedback(record.id, record.attempts, outcome);
      return isDeliveryPostponed(error) ? outcome.dueAt : null;
    },
  };
}

export type FeedbackDelivery = ReturnType<typeof createFeedbackDelivery>;

function explainNoDelivery(destination: string | null): string {
  return `It was meant for ${destination ?? 'our own engine'}; the institution's upstream was changed since, so it was not sent anywhere. Try again once the address is right.`;
}

/** Errors that nobody can solve, unlike a refused key, an address or a disabled tenant. */
const finalCodes: readonly ErrorCode[] = ['REQUEST_ID_INVALID', 'PARAMETERS_INVALID', 'TENANT_UNKNOWN'];

function classifyDeliveryFailure(error: unknown): FailedDelivery['kind'] {
  if (hasErrorCode(error, ...finalCodes)) return 'for-good';
  return isDeliveryPostponed(error) ? 'postponed' : 'passing';
}

/** Returns whether this host refused to make the call, or the service said when to come back. */
function isDeliveryPostponed(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'UPSTREAM_THROTTLED') return error.retryAfterSeconds !== undefined;
  return error.code === 'UPSTREAM_PAUSED' || error.code === 'UPSTREAM_BUSY';
}

function toDeliveredFeedback({ id, url, comment, requestId, email, source }: FeedbackRecord): Feedback {
  return { id, url, requestId, email, source, ...(comment !== null && { comment }) };
}
