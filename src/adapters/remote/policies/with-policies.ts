import { LRUCache } from 'lru-cache';
import type { Call, Send } from '../send.ts';
import { type BreakerOptions, createBreaker } from './breaker.ts';
import { type BulkheadOptions, createBulkhead } from './bulkhead.ts';
import { createDeadline } from './deadline.ts';
import { createPace, type PaceOptions } from './pace.ts';
import type { Policy } from './policy.ts';
import { createRetry, type RetryOptions } from './retry.ts';

/** How calls of upstreams are made; docs/upstreams.md explains the defaults. */
export interface PolicyOptions
  extends BreakerOptions,
    BulkheadOptions,
    Omit<PaceOptions, 'clock'>,
    Omit<RetryOptions, 'clock'> {
  /** The same as `maxFailures`, for all operations and providers of a service together; 20 by default. */
  readonly maxFailuresOfService: number;
}

export const defaultPolicyOptions: PolicyOptions = {
  maxRetries: 2,
  minDelayMs: 100,
  maxDelayMs: 2_000,
  maxFailures: 5,
  maxFailuresOfService: 20,
  pauseMs: 10_000,
  maxAtOnce: 16,
  maxQueued: 200,
  maxWaitMs: 2_000,
  maxWaiting: 50,
  memoryMs: 60_000,
};

const MAX_ORIGINS = 500;
const MAX_KEYS = 2_000;
const MAX_ENDPOINTS = 5_000;

/** Every call with all policies around it, the outermost first: an operation has a time; in it, calls may be repeated; each
 *  waits for the turn of its key and for a place, and is not made while the service, or what of it is asked, is left alone:
 *  one operation or provider that is broken is no reason to do without the others. What is learnt is shared by everyone who
 *  uses the same service, or the same key of it. */
export function withPolicies(
  send: Send,
  options: PolicyOptions & Pick<RetryOptions, 'clock'> & { readonly timeoutMs: number },
): Send {
  const origin = ({ url }: Call) => url.origin;
  const originAndKey = ({ url, key }: Call) => `${url.origin} ${key?.value ?? ''}`;
  const policies = [
    createDeadline(options),
    createRetry(options),
    oneForEach(originAndKey, MAX_KEYS, () => createPace(options)),
    oneForEach(originAndKey, MAX_KEYS, () => createBulkhead(options)),
    oneForEach(origin, MAX_ORIGINS, () =>
      createBreaker({ ...options, maxFailures: options.maxFailuresOfService }),
    ),
    oneForEach(endpointOf, MAX_ENDPOINTS, () => createBreaker(options)),
  ];
  return policies.reduceRight<Send>((next, policy) => (call) => policy(call, next), send);
}

/** What can break apart from the rest: an operation, or the search of one provider. */
function endpointOf({ url, operation }: Call): string {
  return `${url.origin} ${operation} ${url.searchParams.get('provider') ?? ''}`;
}

/** Of those who were not called for the longest time, it forgets what it learnt. */
function oneForEach(nameOf: (call: Call) => string, max: number, create: () => Policy): Policy {
  const policies = new LRUCache<string, Policy>({ max });
  return (call, send) => {
    const name = nameOf(call);
    const known = policies.get(name) ?? create();
    policies.set(name, known);
    return known(call, send);
  };
}
