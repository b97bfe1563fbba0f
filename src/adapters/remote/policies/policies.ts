import { LRUCache } from 'lru-cache';
import { IMPORTANT } from '#contract/index';
import { runWithDeadline } from '#domain/async/deadline';
import type { Call, Policy, Send } from '../call.ts';
import { createTimeoutError } from '../transport-errors.ts';
import { type BreakerOptions, type CautionOptions, createBreaker, createCaution } from './breaker.ts';
import { type BulkheadOptions, createBulkhead, createPace, type PaceOptions } from './pace.ts';
import { createRetry, type RetryOptions } from './retry.ts';

/** How upstreams are called; docs/upstreams.md explains the defaults. */
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

/** Share of an operation's time: with less left, a waiting call is not made, and one that was made
 *  says nothing about the service. */
const MIN_TIME_SHARE = 0.1;

/** Puts all policies around every call; from the outside to the inside:
 *
 *  1. An operation has a time.
 *  2. In it, a call may be repeated.
 *  3. Each call waits for a place, and then for the turn of its key.
 *  4. It is not made while its operation or provider was late and a few others are trying it
 *     already.
 *  5. Nor while its operation or provider is paused: a broken one is no reason to do without the
 *     others.
 *  6. Nor while the whole service is paused. This breaker is innermost, so that a call which tries
 *     whether the service is back is really made; it does not count late calls, as many may be late
 *     while the others are well.
 *
 *  State is shared by everyone who uses the same service, or the same key of it; but that of
 *  addresses which owners of this host entered is apart, as their calls may reach what those of
 *  others cannot. */
export function withPolicies(
  send: Send,
  given: PolicyOptions & Pick<RetryOptions, 'clock'> & { readonly timeoutMs: number },
): Send {
  const options = { ...given, minTimeMs: given.timeoutMs * MIN_TIME_SHARE };
  const { maxFailuresOfService: maxFailures } = options;
  const policies = [
    createDeadline(options.timeoutMs),
    createRetry(options),
    oneForEach(nameKey, MAX_KEYS, () => createPace(options, createBulkhead(options))),
    oneForEach(nameService, MAX_SERVICES, () =>
      oneForEach(nameEndpoint, MAX_ENDPOINTS_OF_SERVICE, createCaution(options)),
    ),
    oneForEach(nameEndpoint, MAX_ENDPOINTS, () => createBreaker(options)),
    oneForEach(nameService, MAX_SERVICES, () =>
      createBreaker({ ...options, maxFailures, countsLate: false }),
    ),
  ];
  return policies.reduceRight<Send>((next, policy) => (call) => policy(call, next), send);
}

/** Limits the time of an operation with all waiting and repeating. Errors: UPSTREAM_TIMEOUT. */
function createDeadline(timeoutMs: number): Policy {
  return (call, send) => {
    const deadlineMs = performance.now() + timeoutMs;
    return runWithDeadline(
      { timeoutMs, signal: call.signal, createLateError: () => createTimeoutError(call) },
      (signal) => send({ ...call, signal, callerSignal: call.signal, deadlineMs }),
    );
  };
}

function nameService({ url, isEnteredByOwner }: Call): string {
  return isEnteredByOwner === true ? `${url.origin} of an owner` : url.origin;
}

function nameKey(call: Call): string {
  return `${nameService(call)} ${call.key?.value ?? ''}`;
}

/** An operation, or the search of one provider, can break by itself. */
function nameEndpoint(call: Call): string {
  const { url, operation } = call;
  const provider = url.searchParams.get('provider') ?? '';
  const id = provider.endsWith(IMPORTANT) ? provider.slice(0, -IMPORTANT.length) : provider;
  return `${nameService(call)} ${operation} ${id}`;
}

/** A policy with a state for each name; the least recently called ones are forgotten. */
function oneForEach(nameOf: (call: Call) => string, max: number, create: () => Policy): Policy {
  const policies = new LRUCache<string, Policy>({ max });
  return (call, send) => {
    const name = nameOf(call);
    const policy = policies.get(name) ?? create();
    policies.set(name, policy);
    return policy(call, send);
  };
}
