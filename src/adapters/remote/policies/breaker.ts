import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { AppError } from '#errors';
import { type Answer, type Call, isCallGivenUp, type Policy } from '../call.ts';
import { isSilenceError } from '../transport-errors.ts';

export interface BreakerOptions {
  /** Failures in a row after which a service is left alone; 5 by default. */
  readonly maxFailures: number;
  /** How long, before one call tries whether it is back; 10,000 by default. */
  readonly pauseMs: number;
  /** See `isCallGivenUp`; a tenth of the time of an operation by default. */
  readonly minTimeMs: number;
  /** Whether a call that is not answered in time is a failure; true by default. */
  readonly countsLate?: boolean;
}

/** Pauses a service that does not work, so that nobody waits for it and it can recover. Being unreachable, late, or answering 5xx
 *  counts as a failure; a refusal is a sign of life. A call that an inner breaker did not let through is neither, unless it was
 *  the one to try the service again: that one has failed, as it found out nothing. Errors: UPSTREAM_PAUSED. */
export function createBreaker(options: BreakerOptions): Policy {
  const { maxFailures, pauseMs, minTimeMs, countsLate = true } = options;
  const isFailure = (error: Error): boolean =>
    (isSilenceError(error) && (countsLate || error.code !== 'UPSTREAM_TIMEOUT')) ||
    (isPaused(error) && policy.state === CircuitState.HalfOpen);
  const policy = circuitBreaker(handleWhen(isFailure).orWhenResult(isFailedAnswer), {
    breaker: new ConsecutiveBreaker(maxFailures),
    halfOpenAfter: pauseMs,
  });
  let brokenAt = 0;
  policy.onBreak(() => {
    brokenAt = performance.now();
  });
  return async (call, send) => {
    // The call that tries runs to its end even if its caller goes away; otherwise nothing would be known.
    const made =
      policy.state === CircuitState.Open ? { ...call, signal: undefined, callerSignal: undefined } : call;
    try {
      return await policy.execute(async () => {
        made.signal?.throwIfAborted();
        const startedMs = performance.now();
        return await send(made).catch((error: unknown) => {
          // A call that was given up says nothing about the service.
          throw isCallGivenUp(made, startedMs, minTimeMs) ? new Error('given up', { cause: error }) : error;
        });
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      throw isBrokenCircuitError(error) ? paused(call, maxFailures, brokenAt + pauseMs) : error;
    }
  };
}

function isPaused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UPSTREAM_PAUSED';
}

function isFailedAnswer(answer: unknown): boolean {
  return (answer as Answer).effectiveStatus >= 500;
}

function paused({ url, operation }: Call, failures: number, untilMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - performance.now()) / 1000));
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} failed ${failures} times in a row; it is asked again in ${retryAfterSeconds} s. Try again then; if it lasts, check the connection or tell the operator of the service.`,
    { retryAfterSeconds, data: { operation } },
  );
}
