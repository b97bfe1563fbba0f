import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#ports/clock';
import { type Answer, readRetryAfter } from '../call.ts';

/** The learnt limits of one key. All times are those of `performance.now()`. */
export interface LearntLimits {
  /** When the next request may start, after all those that already have their time. */
  nextStart(nowMs: number): number;
  /** Plans a request for this time; `cancelStart` takes it back. */
  addStart(atMs: number): void;
  cancelStart(atMs: number): void;
  /** Learns from the answer to a request that started then. */
  learn(answer: Answer, startedMs: number): void;
  /** The narrowest rate; null where none was learnt. */
  findRate(nowMs: number): Rate | null;
  /** Whether the key allows nothing at all for a while. */
  isPaused(nowMs: number): boolean;
}

interface Remembered<T> {
  readonly value: T;
  readonly forgottenMs: number;
}

const SECOND_MS = 1000;

/** As long as an answer may take, and a second more. */
const MIN_NEEDED_MS = 5 * SECOND_MS;

/** A key that allows more than this at once needs no pace. */
const MAX_STARTS = 1_000;

/** Requests arrive less evenly than they are sent. */
const MARGIN_MS = 100;

/** Learns limits of a key, which are not documented, from headers and from refusals: a 429 means
 *  that the key allows as many requests as passed in the second before. A limit that is not met
 *  again for `memoryMs` is forgotten. */
export function createLearntLimits(memoryMs: number, clock: Clock): LearntLimits {
  const starts: number[] = [];
  let refused: number[] = [];
  let stated: Remembered<Rate> | null = null;
  let counted: Remembered<Rate> | null = null;
  let pausedUntil: Remembered<number> | null = null;

  const rates = (nowMs: number) =>
    [stated, counted].flatMap((each) => (each !== null && each.forgottenMs > nowMs ? [each.value] : []));
  const pauseEnd = (nowMs: number) =>
    pausedUntil !== null && pausedUntil.forgottenMs > nowMs ? pausedUntil.value : Number.NEGATIVE_INFINITY;

  function learnFromRefusal({ headers }: Answer, startedMs: number, nowMs: number): void {
    const forgottenMs = nowMs + memoryMs;
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock);
    if (retryAfterSeconds !== undefined)
      pausedUntil = { value: nowMs + retryAfterSeconds * SECOND_MS, forgottenMs };
    refused = [...refused.filter((at) => at > nowMs - MIN_NEEDED_MS), startedMs];
    // A longer wait means another limit than one per second.
    if ((retryAfterSeconds ?? 1) > 1) return;
    const isJustBefore = (at: number) => at > startedMs - SECOND_MS && at <= startedMs;
    const passed = starts.filter(isJustBefore).length - refused.filter(isJustBefore).length;
    counted = { value: { count: Math.max(1, passed), windowMs: SECOND_MS }, forgottenMs };
  }

  return {
    nextStart: (nowMs) =>
      rates(nowMs).reduce(
        (at, { count, windowMs }) =>
          Math.max(at, (starts.at(-count) ?? Number.NEGATIVE_INFINITY) + windowMs + MARGIN_MS),
        Math.max(nowMs, starts.at(-1) ?? nowMs, pauseEnd(nowMs)),
      ),
    addStart(atMs) {
      starts.push(atMs);
      const neededMs = Math.max(MIN_NEEDED_MS, ...rates(atMs).map(({ windowMs }) => windowMs));
      while ((starts[0] ?? atMs) <= atMs - neededMs || starts.length > MAX_STARTS) starts.shift();
    },
    cancelStart(atMs) {
      const index = starts.indexOf(atMs);
      if (index >= 0) starts.splice(index, 1);
    },
    learn(answer, startedMs) {
      const nowMs = performance.now();
      const limits = readStatedLimits(answer.headers, clock);
      const forgottenMs = nowMs + memoryMs;
      if (limits?.rate) stated = { value: limits.rate, forgottenMs };
      if (limits?.emptyForMs) pausedUntil = { value: nowMs + limits.emptyForMs, forgottenMs };
      if (answer.effectiveStatus === 429) learnFromRefusal(answer, startedMs, nowMs);
    },
    findRate: (nowMs) =>
      rates(nowMs).sort((one, other) => one.count / one.windowMs - other.count / other.windowMs)[0] ?? null,
    isPaused: (nowMs) => pauseEnd(nowMs) > nowMs,
  };
}

/** A number of requests in any span of this length. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** Limits of a key that an answer states. */
interface StatedLimits {
  readonly rate: Rate | null;
  /** Where a longer window is used up: milliseconds until it starts anew. */
  readonly emptyForMs: number | null;
}

const MAX_WINDOW_SECONDS = 60;

/** A reset this large is a date. */
const MIN_EPOCH_SECONDS = 1_000_000_000;

/** Reads `RateLimit-Policy` (`100;w=60`, `"default";q=100;w=60`) and `RateLimit-Limit`,
 *  `-Remaining` and `-Reset`, with or without `X-`. Only a window of a second can be told from the
 *  last three, as they do not say how long it is.
 *  Shape: null where there is nothing usable.
 *  Source: draft-ietf-httpapi-ratelimit-headers, versions 03 to 09.
 *  @example readStatedLimits({ 'ratelimit-policy': '100;w=60' }, clock)
 *  // { rate: { count: 100, windowMs: 60_000 }, emptyForMs: null } */
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
  // The first of several policies, which is the one nearest to being used up.
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
