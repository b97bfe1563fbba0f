import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../ports/clock.ts';

/** So many requests in any span of this length. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** What an answer says of the limits of its key. */
export interface StatedLimits {
  readonly rate: Rate | null;
  /** Where nothing is left of a longer window: milliseconds until it is counted anew. */
  readonly emptyForMs: number | null;
}

const MAX_WINDOW_SECONDS = 60;
/** A reset this large is a date. */
const MIN_EPOCH_SECONDS = 1_000_000_000;

/** Reads `RateLimit-Policy` (`100;w=60`, `"default";q=100;w=60`) and `RateLimit-Limit`, `-Remaining` and `-Reset`, with
 *  or without `X-`. Only a window of a second can be told from the last three, as they do not say how long it is.
 *  Shape:  null where nothing of use is said.
 *  Source: draft-ietf-httpapi-ratelimit-headers, versions 03 to 09. */
export function readStatedLimits(headers: IncomingHttpHeaders, clock: Clock): StatedLimits | null {
  const read = (name: string) => (headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`])?.toString();
  const [limit, remaining] = [numberOf(read('limit')), numberOf(read('remaining'))];
  const resetSeconds = resetOf(numberOf(read('reset')), clock);
  const rate = rateOf(read('policy'), limit, resetSeconds);
  const isEmpty = remaining === 0 && resetSeconds !== null && resetSeconds > 1;
  if (rate === null && !isEmpty) return null;
  return { rate, emptyForMs: isEmpty ? resetSeconds * 1000 : null };
}

function rateOf(policy: string | undefined, limit: number | null, resetSeconds: number | null): Rate | null {
  // The first of several policies, which is the one that is nearest to its end.
  const count = /(?:^|;\s*q=)(\d{1,9})/.exec(policy ?? '')?.[1];
  const seconds = Number(/;\s*w=(\d{1,9})/.exec(policy ?? '')?.[1]);
  if (count !== undefined && seconds >= 1 && seconds <= MAX_WINDOW_SECONDS)
    return rate(Number(count), seconds);
  return limit !== null && resetSeconds !== null && resetSeconds <= 1 ? rate(limit, 1) : null;
}

function rate(count: number, seconds: number): Rate | null {
  return count > 0 ? { count, windowMs: seconds * 1000 } : null;
}

/** Leading digits: `RateLimit-Limit` may go on with the policy. */
function numberOf(text: string | undefined): number | null {
  const digits = /^\s*(\d{1,13})/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

function resetOf(value: number | null, clock: Clock): number | null {
  if (value === null || value < MIN_EPOCH_SECONDS) return value;
  return Math.max(0, value - clock.now().getTime() / 1000);
}
