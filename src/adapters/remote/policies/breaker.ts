import { CircuitOpenError, createCircuitBreaker } from '#domain/async/circuit-breaker';
import { AppError, hasErrorCode } from '#errors';
import { type Answer, type Call, isCallGivenUp, type Policy, type Send } from '../call.ts';
import { isLateError, isSilenceError } from '../transport-errors.ts';

export interface BreakerOptions {
  /** How many consecutive failures pause calls; 5 by default. */
  readonly maxFailures: number;
  /** The pause before a trial call; 10,000 by default. */
  readonly pauseMs: number;
  /** See `isCallGivenUp`; a tenth of the time of an operation by default. */
  readonly minTimeMs: number;
  /** Whether a timeout counts as a failure; true by default. */
  readonly countsLate?: boolean;
}

/** Pauses calls to a failing service, so that no caller waits and the service can recover. An
 *  unreachable service, a timeout and a 5xx answer are failures; a refusal is a success. A call
 *  that an inner breaker refused is neither, but a refused trial call fails.
 *  Errors: UPSTREAM_PAUSED. */
export function createBreaker(options: BreakerOptions): Policy {
  const { maxFailures, pauseMs, minTimeMs, countsLate = true } = options;
  const breaker = createCircuitBreaker({
    maxFailures,
    pauseMs,
    isFailure: (error) =>
      error instanceof FailedAnswer ||
      (isSilenceError(error) && (countsLate || error.code !== 'UPSTREAM_TIMEOUT')) ||
      (hasErrorCode(error, 'UPSTREAM_PAUSED') && breaker.state === 'trying'),
  });
  return async (call, send) => {
    // The trial call continues if its caller aborts it, as all other callers need its outcome.
    const isTrial = breaker.state === 'open';
    const independentCall = isTrial ? { ...call, signal: undefined, callerSignal: undefined } : call;
    try {
      return await breaker.run(() => sendForBreaker(independentCall, send, minTimeMs));
    } catch (error) {
      if (error instanceof FailedAnswer) return error.answer;
      call.signal?.throwIfAborted();
      if (!(error instanceof CircuitOpenError)) throw error;
      const { url, operation } = call;
      const retryAfterSeconds = Math.max(1, Math.ceil(error.endsInMs / 1000));
      throw new AppError(
        'UPSTREAM_PAUSED',
        `${url.host} failed ${maxFailures} times in a row; it is asked again in ${retryAfterSeconds} s. Try again then; if it lasts, check the connection or tell the operator of the service.`,
        { retryAfterSeconds, data: { operation } },
      );
    }
  };
}

/** Carries a 5xx answer past the breaker as a failure. */
class FailedAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('failed');
    this.answer = answer;
  }
}

async function sendForBreaker(call: Call, send: Send, minTimeMs: number): Promise<Answer> {
  call.signal?.throwIfAborted();
  const startedMs = performance.now();
  const answer = await send(call).catch((error: unknown) => {
    // An abandoned call does not show the state of the service.
    throw isCallGivenUp(call, startedMs, minTimeMs) ? new Error('given up', { cause: error }) : error;
  });
  if (answer.effectiveStatus >= 500) throw new FailedAnswer(answer);
  return answer;
}

export interface CautionOptions {
  /** Maximum number of simultaneous calls to late operations or providers; 4 by default. */
  readonly maxSuspects: number;
  readonly minTimeMs: number;
}

/** Limits the simultaneous calls to late operations or providers of a service until they answer, as
 *  each such call may occupy a shared place for its whole time. A breaker alone would react too
 *  late if many are late at once. Errors: UPSTREAM_PAUSED.
 *  @returns a function that creates the policy of one operation or provider of the service */
export function createBreakerCaution({ maxSuspects, minTimeMs }: CautionOptions): () => Policy {
  let suspectCalls = 0;

  return () => {
    let isSuspect = false;
    return async (call, send) => {
      const wasSuspect = isSuspect;
      const { url, operation } = call;
      if (wasSuspect && suspectCalls >= maxSuspects)
        throw new AppError(
          'UPSTREAM_PAUSED',
          `${url.host} did not answer ${operation} in time before, and other requests are trying whether it is back. Try again in a moment; if it lasts, tell the operator of the service.`,
          { retryAfterSeconds: 1, data: { operation } },
        );
      if (wasSuspect) suspectCalls++;
      const startedMs = performance.now();
      try {
        const answer = await send(call);
        isSuspect = false;
        return answer;
      } catch (error) {
        if (isLateError(error) && !isCallGivenUp(call, startedMs, minTimeMs)) isSuspect = true;
        throw error;
      } finally {
        if (wasSuspect) suspectCalls--;
      }
    };
  };
}
