import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import { type Answer, type Call, type Policy, readRetryAfter, type Send } from '../call.ts';

export interface RetryOptions {
  /** Maximum number of calls after the first; 2 by default. */
  readonly maxRetries: number;
  /** Minimum and maximum time between two calls; 100 and 2,000 by default. */
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly clock: Clock;
}

type Outcome = { readonly answer: Answer } | { readonly error: unknown };

/** Statuses of temporary failures. */
const PASSING = new Set([429, 502, 503, 504]);

/** Errors of the inner policies, which made no call. */
const NOT_ASKED: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_PAUSED', 'UPSTREAM_BUSY', 'UPSTREAM_THROTTLED']);

/** Repeats failed calls: a GET after 429, 502, 503, 504 or a failed connection; a POST only if no
 *  connection was made, as the service may have processed it. A late call is not repeated.
 *  Source: decorrelated jitter, Brooker, "Exponential Backoff And Jitter", AWS, 2015. */
export function createRetry(options: RetryOptions): Policy {
  const { maxRetries, minDelayMs, maxDelayMs } = options;
  return async (call, send) => {
    let outcome = await settle(call, send);
    let delayMs = minDelayMs;
    for (let retry = 0; retry < maxRetries && isWorthwhile(call, outcome); retry++) {
      delayMs = Math.min(maxDelayMs, minDelayMs + Math.random() * (delayMs * 3 - minDelayMs));
      const waitMs = readWantedWaitMs(outcome, options.clock) + delayMs;
      if (performance.now() + waitMs >= (call.deadlineMs ?? Number.POSITIVE_INFINITY)) break;
      await sleep(waitMs, undefined, { signal: call.signal });
      const next = await settle(call, send);
      // The earlier error is more informative than that of a call that was not made.
      if (isNotAsked(next)) break;
      outcome = next;
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  };
}

function settle(call: Call, send: Send): Promise<Outcome> {
  return send(call).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

function isWorthwhile({ method }: Call, outcome: Outcome): boolean {
  if ('answer' in outcome) return method === 'GET' && PASSING.has(outcome.answer.effectiveStatus);
  const { error } = outcome;
  if (!(error instanceof AppError)) return false;
  const { connection } = error.data;
  return connection === 'unmade' || (connection === 'broken' && method === 'GET');
}

/** Reads the wait that the service asks for, in milliseconds. */
function readWantedWaitMs(outcome: Outcome, clock: Clock): number {
  if ('error' in outcome) return 0;
  return (readRetryAfter(outcome.answer.headers['retry-after'], clock) ?? 0) * 1000;
}

const isNotAsked = (outcome: Outcome): boolean =>
  'error' in outcome && outcome.error instanceof AppError && NOT_ASKED.has(outcome.error.code);
