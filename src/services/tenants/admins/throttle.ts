import ipaddr from 'ipaddr.js';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { RateLimiter } from '#services/host/rate-limits';

/** One count that an attempt adds to. */
export interface Counted {
  readonly limiter: RateLimiter;
  readonly key: string;
}

interface Taken extends Counted {
  readonly endsAtMs: number;
}

const IPV6_NETWORK_BYTES = 8;

/** Makes an attempt that may fail, and counts it first: of a thousand at once, no more are made than one after the other. A
 *  success is subtracted again, and so is an attempt that threw, so that only failures remain; a refused attempt counts nowhere.
 *  @param attempt null when it failed
 *  Errors: RATE_LIMITED, and then it was not made; whatever it throws. */
export async function throttleFailures<T>(
  clock: Clock,
  counted: readonly Counted[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const taken = await take(clock, counted);
  let hasFailed = false;
  try {
    const result = await attempt();
    hasFailed = result === null;
    return result;
  } finally {
    if (!hasFailed) await takeBack(clock, taken);
  }
}

async function take(clock: Clock, counted: readonly Counted[]): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (const each of counted) {
    const { isAllowed, endsInMs } = await each.limiter.consume(each.key);
    taken.push({ ...each, endsAtMs: clock.now().getTime() + endsInMs });
    if (isAllowed) continue;
    await takeBack(clock, taken);
    throw tooManyFailures(endsInMs);
  }
  return taken;
}

/** Subtracts only from the window it was counted in: the next one must not begin below zero. */
async function takeBack(clock: Clock, taken: readonly Taken[]): Promise<void> {
  for (const { limiter, key, endsAtMs } of taken) {
    if (clock.now().getTime() < endsAtMs) await limiter.consume(key, -1);
  }
}

/** The person an address stands for: with IPv6 the network of 64 bits, as one person has all of its addresses.
 *  @example findThrottledNetwork('2001:db8:1:2::7') // '20010db800010002' */
export function findThrottledNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
}

function tooManyFailures(endsInMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError(
    'RATE_LIMITED',
    `Too many attempts failed. Try again in ${minutes} min, or ask an owner or the operator for a link to choose a new password.`,
    { retryAfterSeconds },
  );
}
