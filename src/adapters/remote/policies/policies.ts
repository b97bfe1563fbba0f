import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { IMPORTANT } from '#contract/index';
import { runWithDeadline } from '#domain/async/deadline';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError, type ErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import { type Answer, type Call, type Policy, readRetryAfter, type Send } from '../call.ts';
import { createTimeoutError } from '../transport-errors.ts';
import { type BreakerOptions, type CautionOptions, createBreaker, createBreakerCaution } from './breaker.ts';
import { createPace, type PaceOptions } from './pace.ts';

/** docs/upstreams.md explains the defaults. */
export interface PolicyOptions
  extends Pick<BreakerOptions, 'maxFailures' | 'pauseMs'>,
    Omit<BulkheadOptions, 'minTimeMs'>,
    Omit<CautionOptions, 'minTimeMs'>,
    Omit<PaceOptions, 'clock'>,
    Omit<RetryOptions, 'clock'> {
  /** Like `maxFailures`, for all operations and providers of a service together; 20 by default. */
  readonly maxFailuresOfService: number;
}

export const defaultPolicyOptions: PolicyOptions = {
  maxRetries: 2,
  minDelayMs: 100,
  maxDelayMs: 2_000,
  maxFailures: 5,
  maxFailuresOfService: 20,
  maxSuspects: 4,
  pauseMs: 10_000,
  maxAtOnce: 32,
  maxQueued: 400,
  maxWaitMs: 2_000,
  memoryMs: 60_000,
};

const MAX_SERVICES = 500;
const MAX_KEYS = 2_000;
const MAX_ENDPOINTS = 5_000;
const MAX_ENDPOINTS_OF_SERVICE = 500;

/** With less of an operation's time left, no call is made, and a failure does not count. */
const MIN_TIME_SHARE = 0.1;

/** Applies all policies to every call, from the outside to the inside:
 *  1. A deadline limits the time of an operation.
 *  2. Within it, a failed call may be repeated.
 *  3. Each call waits for a place, and then for the turn of its key.
 *  4. The call is refused if its operation or provider was late and enough other calls try it.
 *  5. The call is refused while its operation or provider is paused; the others stay available.
 *  6. The call is refused while the whole service is paused. This breaker is innermost, so that its
 *  trial call reaches the service; it ignores late calls, as many operations may be late while the
 *  others work.
 *  All users of a service, or of a key, share the state of the policies. Addresses that owners of
 *  this host entered have a separate state, as calls to them may reach private networks. */
export function withPolicies(
  send: Send,
  policyOptions: PolicyOptions & Pick<RetryOptions, 'clock'> & { readonly timeoutMs: number },
): Send {
  const options = { ...policyOptions, minTimeMs: policyOptions.timeoutMs * MIN_TIME_SHARE };
  const { maxFailuresOfService: maxFailures } = options;
  const policies = [
    createDeadline(options.timeoutMs),
    createRetry(options),
    createPolicyForEach(nameCallKey, MAX_KEYS, () => createPace(options, createBulkhead(options))),
    createPolicyForEach(nameService, MAX_SERVICES, () =>
      createPolicyForEach(nameEndpoint, MAX_ENDPOINTS_OF_SERVICE, createBreakerCaution(options)),
    ),
    createPolicyForEach(nameEndpoint, MAX_ENDPOINTS, () => createBreaker(options)),
    createPolicyForEach(nameService, MAX_SERVICES, () => createBreaker({ ...options, maxFailures, countsLate: false })),
  ];
  return policies.reduceRight<Send>((next, policy) => (call) => policy(call, next), send);
}

/** Limits the time of an operation with waiting and retries. Errors: UPSTREAM_TIMEOUT. */
function createDeadline(timeoutMs: number): Policy {
  return (call, send) => {
    const deadlineMs = performance.now() + timeoutMs;
    return runWithDeadline(
      { timeoutMs, signal: call.signal, createLateError: () => createTimeoutError(call) },
      (signal) => send({ ...call, signal, callerSignal: call.signal, deadlineMs }),
    );
  };
}

export interface RetryOptions {
  /** Maximum number of calls after the first one; 2 by default. */
  readonly maxRetries: number;
  /** The shortest and longest pause between two calls; 100 and 2,000 by default. */
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly clock: Clock;
}

type Outcome = { readonly answer: Answer } | { readonly error: unknown };

const TEMPORARY_STATUSES = new Set([429, 502, 503, 504]);

/** Errors of the inner policies, which made no call. */
const NOT_ASKED: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_PAUSED', 'UPSTREAM_BUSY', 'UPSTREAM_THROTTLED']);

/** Repeats a GET after 429, 502, 503, 504 or a failed connection; a POST only if no connection was
 *  made, as the service may have processed it. A late call is not repeated. Source: decorrelated
 *  jitter, Brooker, "Exponential Backoff And Jitter", AWS, 2015. */
export function createRetry(options: RetryOptions): Policy {
  const { maxRetries, minDelayMs, maxDelayMs } = options;
  return async (call, send) => {
    let outcome = await settlePolicyCall(call, send);
    let delayMs = minDelayMs;
    for (let retry = 0; retry < maxRetries && isRetryWorthwhile(call, outcome); retry++) {
      delayMs = Math.min(maxDelayMs, minDelayMs + Math.random() * (delayMs * 3 - minDelayMs));
      const headers = 'answer' in outcome ? outcome.answer.headers : {};
      const waitMs = (readRetryAfter(headers['retry-after'], options.clock) ?? 0) * 1000 + delayMs;
      if (performance.now() + waitMs >= (call.deadlineMs ?? Number.POSITIVE_INFINITY)) break;
      await sleep(waitMs, undefined, { signal: call.signal });
      const next = await settlePolicyCall(call, send);
      // The earlier error is more informative than that of a call that was not made.
      if ('error' in next && next.error instanceof AppError && NOT_ASKED.has(next.error.code)) break;
      outcome = next;
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  };
}

function settlePolicyCall(call: Call, send: Send): Promise<Outcome> {
  return send(call).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

function isRetryWorthwhile({ method }: Call, outcome: Outcome): boolean {
  if ('answer' in outcome) return method === 'GET' && TEMPORARY_STATUSES.has(outcome.answer.effectiveStatus);
  const { error } = outcome;
  if (!(error instanceof AppError)) return false;
  const { connection } = error.data;
  return connection === 'unmade' || (connection === 'broken' && method === 'GET');
}

interface BulkheadOptions {
  /** Maximum number of simultaneous calls; 32 by default. */
  readonly maxAtOnce: number;
  /** Maximum number of waiting calls; 400 by default. */
  readonly maxQueued: number;
  /** The least remaining time for which a waiting call is made; a tenth of the operation's time. */
  readonly minTimeMs: number;
}

/** Limits the simultaneous and the waiting calls of a service. Errors: UPSTREAM_BUSY. */
export function createBulkhead({ maxAtOnce, maxQueued, minTimeMs }: BulkheadOptions): Policy {
  const queue = limitConcurrency({ running: maxAtOnce, waiting: maxQueued });
  const busyReason = `${maxAtOnce + maxQueued} requests to it are under way or waiting already`;
  return (call, send) => {
    let hasWaited = false;
    const makeCall = async () => {
      call.signal?.throwIfAborted();
      const leftMs = (call.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now();
      if (hasWaited && leftMs < minTimeMs) throw createBusyError(call, 'the requests before this one took too long');
      return send(call);
    };
    return queue(makeCall, {
      signal: call.signal,
      onWait: () => {
        hasWaited = true;
      },
      tooMany: () => createBusyError(call, busyReason),
    });
  };
}

function createBusyError({ url, operation }: Call, reason: string): AppError {
  return new AppError('UPSTREAM_BUSY', `${url.host} is slower than it is asked: ${reason}. Try again in a moment.`, {
    retryAfterSeconds: 1,
    data: { operation },
  });
}

const nameService = ({ url, isEnteredByOwner }: Call): string =>
  isEnteredByOwner === true ? `${url.origin} of an owner` : url.origin;

const nameCallKey = (call: Call): string => `${nameService(call)} ${call.key?.value ?? ''}`;

/** Names an operation, or the search of one provider, as each of them can fail separately. */
function nameEndpoint(call: Call): string {
  const { url, operation } = call;
  const provider = url.searchParams.get('provider') ?? '';
  const id = provider.endsWith(IMPORTANT) ? provider.slice(0, -IMPORTANT.length) : provider;
  return `${nameService(call)} ${operation} ${id}`;
}

/** Creates a policy with a separate state for each name of calls. */
function createPolicyForEach(getName: (call: Call) => string, max: number, create: () => Policy): Policy {
  const policies = new LRUCache<string, Policy>({ max, memoMethod: create });
  return (call, send) => policies.memo(getName(call))(call, send);
}
