import { LRUCache } from 'lru-cache';
import { IMPORTANT } from '#contract/index';
import type { Call, Policy, Send } from '../call.ts';
import { createDeadline } from '../with-deadline.ts';
import { type BreakerOptions, createBreaker } from './breaker.ts';
import { type BulkheadOptions, createBulkhead } from './bulkhead.ts';
import { type CautionOptions, createCaution } from './caution.ts';
import { createPace, type PaceOptions } from './pace.ts';
import { createRetry, type RetryOptions } from './retry.ts';

/** How upstreams are called; docs/upstreams.md explains the defaults. */
export interface PolicyOptions
  extends Pick<BreakerOptions, 'maxFailures' | 'pauseMs'>,
    Omit<BulkheadOptions, 'minTimeMs'>,
    Omit<CautionOptions, 'minTimeMs'>,
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

/** Share of an operation's time: with less left, a waiting call is not made, and one that was made tells nothing. */
const MIN_TIME_SHARE = 0.1;

/** Every call with all policies around it, the outermost first: an operation has a time; in it, calls may be repeated; each
 *  waits for a place and then for the turn of its key, and is not made while what is asked, or the whole service, is left
 *  alone: one operation or provider that is broken is no reason to do without the others. The breaker of the service is
 *  innermost, so that a call which tries whether it is back is really made; it does not count who is late, as many may be
 *  while the others are well. What is learnt is shared by everyone who uses the same service, or the same key of it; but what owners of
 *  this host entered is apart, as their calls may reach what those of others cannot. */
export function withPolicies(
  send: Send,
  given: PolicyOptions & Pick<RetryOptions, 'clock'> & { readonly timeoutMs: number },
): Send {
  const serviceAndKey = (call: Call) => `${serviceOf(call)} ${call.key?.value ?? ''}`;
  const options = { ...given, minTimeMs: given.timeoutMs * MIN_TIME_SHARE };
  const { maxFailuresOfService: maxFailures } = options;
  const policies = [
    createDeadline(options),
    createRetry(options),
    oneForEach(serviceAndKey, MAX_KEYS, () => createPace(options, createBulkhead(options))),
    oneForEach(serviceOf, MAX_SERVICES, () =>
      oneForEach(endpointOf, MAX_ENDPOINTS_OF_SERVICE, createCaution(options)),
    ),
    oneForEach(endpointOf, MAX_ENDPOINTS, () => createBreaker(options)),
    oneForEach(serviceOf, MAX_SERVICES, () => createBreaker({ ...options, maxFailures, countsLate: false })),
  ];
  return policies.reduceRight<Send>((next, policy) => (call) => policy(call, next), send);
}

function serviceOf({ url, isEnteredByOwner }: Call): string {
  return isEnteredByOwner === true ? `${url.origin} of an owner` : url.origin;
}

/** What can break by itself: an operation, or the search of one provider. */
function endpointOf(call: Call): string {
  const { url, operation } = call;
  const provider = url.searchParams.get('provider') ?? '';
  const id = provider.endsWith(IMPORTANT) ? provider.slice(0, -IMPORTANT.length) : provider;
  return `${serviceOf(call)} ${operation} ${id}`;
}

/** Forgets the least recently called ones. */
function oneForEach(nameOf: (call: Call) => string, max: number, create: () => Policy): Policy {
  const policies = new LRUCache<string, Policy>({ max });
  return (call, send) => {
    const name = nameOf(call);
    const known = policies.get(name) ?? create();
    policies.set(name, known);
    return known(call, send);
  };
}
