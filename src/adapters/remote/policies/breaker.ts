import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { AppError } from '../../../errors.ts';
import type { Answer, Call } from '../send.ts';
import type { Policy } from './policy.ts';

export interface BreakerOptions {
  /** Failures in a row after which a service is left alone; 5 by default. */
  readonly maxFailures: number;
  /** How long, before one call tries whether it is back; 10,000 by default. */
  readonly pauseMs: number;
}

/** Leaves a service alone that does not work, so that nobody waits for it and it can recover. What counts is that it is
 *  unreachable, late, or answers 5xx; a refusal is a sign of life. Errors: UPSTREAM_PAUSED. */
export function createBreaker({ maxFailures, pauseMs }: BreakerOptions): Policy {
  const policy = circuitBreaker(handleWhen(isFailure).orWhenResult(isFailedAnswer), {
    breaker: new ConsecutiveBreaker(maxFailures),
    halfOpenAfter: pauseMs,
  });
  let brokenAt = 0;
  policy.onBreak(() => {
    brokenAt = performance.now();
  });
  return async (call, send) => {
    // The call that tries is seen through to its end even if its caller goes away, or nothing would be known.
    const made = policy.state === CircuitState.Open ? { ...call, signal: undefined } : call;
    try {
      return await policy.execute(async () => {
        made.signal?.throwIfAborted();
        return await send(made).catch((error: unknown) => {
          // What was given up says nothing of the service.
          throw made.signal?.aborted ? new Error('given up', { cause: error }) : error;
        });
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      throw isBrokenCircuitError(error) ? paused(call, maxFailures, brokenAt + pauseMs) : error;
    }
  };
}

function isFailure(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'UPSTREAM_UNREACHABLE' || error.code === 'UPSTREAM_TIMEOUT';
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
