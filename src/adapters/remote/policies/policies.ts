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

/** Minimum share of an operation's time for a call: with less left, a waiting call is not made, and
 *  the failure of a call that ran for less does not count against the service. */
const MIN_TIME_SHARE = 0.1;

/** Applies all policies to every call, from the outside to the inside:
 *
 *  1. A deadline limits the time of an operation.
 *  2. Within it, a failed call may be repeated.
 *  3. Each call waits for a place, and then for the turn of its key.
 *  4. The call is refused if its operation or provider was late and enough other calls try it
 *     already.
 *  5. The call is refused while its operation or provider is paused; the others stay available.
 *  6. The call is refused while the whole service is paused. This breaker is innermost, so that its
 *     trial call reaches the service; it does not count late calls, as many operations may be late
 *     while the others work.
 *
 *  All users of a service, or of a key, share the state of the policies. Addresses that owners of
 *  this host entered have a separate state, as calls to them may reach private networks. */
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
    oneForEach(nameService, MAX_SERVICES, () => createBreaker({ ...options, maxFailures, countsLate: false })),
  ];
  return policies.reduceRight<Send>((next, policy) => (call) => policy(call, next), send);
}

/** Limits the time of an operation, including waiting and retries. Errors: UPSTREAM_TIMEOUT. */
function createDeadline(timeoutMs: number): Policy {
  return (call, send) => {
    const deadlineMs = performance.now() + timeoutMs;
    return runWithDeadline(
      { timeoutMs, signal: call.signal, createLateError: () => createTimeoutError(call) },
      (signal) => send({ ...call, signal, callerSignal: call.signal, deadlineMs }),
    );
  };
}

const nameService = ({ url, isEnteredByOwner }: Call): string =>
  isEnteredByOwner === true ? `${url.origin} of an owner` : url.origin;

const nameKey = (call: Call): string => `${nameService(call)} ${call.key?.value ?? ''}`;

/** Names an operation, or the search of one provider: each of them can fail separately. */
function nameEndpoint(call: Call): string {
  const { url, operation } = call;
  const provider = url.searchParams.get('provider') ?? '';
  const id = provider.endsWith(IMPORTANT) ? provider.slice(0, -IMPORTANT.length) : provider;
  return `${nameService(call)} ${operation} ${id}`;
}

/** Creates a policy with a separate state for each name; the least recently used are dropped. */
function oneForEach(getName: (call: Call) => string, max: number, create: () => Policy): Policy {
  const policies = new LRUCache<string, Policy>({ max });
  return (call, send) => {
    const name = getName(call);
    const policy = policies.get(name) ?? create();
    policies.set(name, policy);
    return policy(call, send);
  };
}
