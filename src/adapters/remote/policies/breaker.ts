import { CircuitOpenError, createCircuitBreaker } from '#domain/async/circuit-breaker';
import { AppError } from '#errors';
import { type Answer, type Call, isCallGivenUp, type Policy, type Send } from '../call.ts';
import { isLateError, isSilenceError } from '../transport-errors.ts';

export interface BreakerOptions {
  /** Failures in a row after which a service is left alone; 5 by default. */
  readonly maxFailures: number;
  /** How long, before one call tries whether it works again; 10,000 by default. */
  readonly pauseMs: number;
  /** See `isCallGivenUp`; a tenth of the time of an operation by default. */
  readonly minTimeMs: number;
  /** Whether a call that is not answered in time is a failure; true by default. */
  readonly countsLate?: boolean;
}

/** Pauses a service that does not work, so that nobody waits for it and it can recover. Being
 *  unreachable, late, or answering 5xx counts as a failure; a refusal is a sign of life. A call
 *  that an inner breaker refused is neither, unless it was the one to try the service again: that
 *  one has found out nothing.
 *  Errors: UPSTREAM_PAUSED. */
export function createBreaker(options: BreakerOptions): Policy {
  const { maxFailures, pauseMs, minTimeMs, countsLate = true } = options;
  const breaker = createCircuitBreaker({
    maxFailures,
    pauseMs,
    isFailure: (error) =>
      error instanceof FailedAnswer ||
      (isSilenceError(error) && (countsLate || error.code !== 'UPSTREAM_TIMEOUT')) ||
      (isPausedError(error) && breaker.state === 'trying'),
  });
  return async (call, send) => {
    // The call that tries runs to its end even if its caller goes away, as it finds out for all
    // others.
    const isTrial = breaker.state === 'open';
    const sent = isTrial ? { ...call, signal: undefined, callerSignal: undefined } : call;
    try {
      return await breaker.run(() => sendForBreaker(sent, send, minTimeMs));
    } catch (error) {
      if (error instanceof FailedAnswer) return error.answer;
      call.signal?.throwIfAborted();
      throw error instanceof CircuitOpenError ? createFailingError(call, maxFailures, error.endsInMs) : error;
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
    // A call that was given up says nothing about the service.
    throw isCallGivenUp(call, startedMs, minTimeMs) ? new Error('given up', { cause: error }) : error;
  });
  if (answer.effectiveStatus >= 500) throw new FailedAnswer(answer);
  return answer;
}

function isPausedError(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UPSTREAM_PAUSED';
}

function createFailingError({ url, operation }: Call, failures: number, endsInMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} failed ${failures} times in a row; it is asked again in ${retryAfterSeconds} s. Try again then; if it lasts, check the connection or tell the operator of the service.`,
    { retryAfterSeconds, data: { operation } },
  );
}

export interface CautionOptions {
  /** Simultaneous calls to what was late before; 4 by default. */
  readonly maxSuspects: number;
  /** See `isCallGivenUp`. */
  readonly minTimeMs: number;
}

/** Gives operations or providers that were late, until they answer, only a few of the places that
 *  all calls of a service share: each of their calls may keep a place for its whole time. A breaker
 *  alone would come too late where many are late at once.
 *  Errors: UPSTREAM_PAUSED.
 *  @returns makes the policy of one operation or provider of a service */
export function createCaution({ maxSuspects, minTimeMs }: CautionOptions): () => Policy {
  let suspectCalls = 0;

  return () => {
    let isSuspect = false;
    return async (call, send) => {
      const wasSuspect = isSuspect;
      if (wasSuspect && suspectCalls >= maxSuspects) throw createLateError(call);
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

function createLateError({ url, operation }: Call): AppError {
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} did not answer ${operation} in time before, and other requests are trying whether it is back. Try again in a moment; if it lasts, tell the operator of the service.`,
    { retryAfterSeconds: 1, data: { operation } },
  );
}
