import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#ports/clock';
import { type Answer, readRetryAfter } from '../call.ts';

export type LearntLimits = ReturnType<typeof createLearntLimits>;
type RememberedValue<T> = { readonly value: T; readonly forgottenMs: number };
const SECOND_MS = 1000;

/** How long starts are needed: the time that an answer may take, plus one second. */
const MIN_NEEDED_MS = 5 * SECOND_MS;

/** Maximum number of starts in memory: a key that allows more at once needs no pace. */
const MAX_STARTS = 1_000;

/** Added to each wait, as requests arrive less evenly than they are sent. */
const MARGIN_MS = 100;

/** Learns the undocumented limits of a key from headers and refusals: after a 429, the number of
 *  requests in the second before. A limit that is not reached within `memoryMs` is dropped. All
 *  times are those of `performance.now()`. */
export function createLearntLimits(memoryMs: number, clock: Clock) {
  const starts: number[] = [];
  let refused: number[] = [];
  let stated: RememberedValue<Rate> | null = null;
  let counted: RememberedValue<Rate> | null = null;
  let pausedUntil: RememberedValue<number> | null = null;

  const rates = (nowMs: number) =>
    [stated, counted].flatMap((each) => (each !== null && each.forgottenMs > nowMs ? [each.value] : []));
  const pauseEnd = (nowMs: number) =>
    pausedUntil !== null && pausedUntil.forgottenMs > nowMs ? pausedUntil.value : Number.NEGATIVE_INFINITY;

  function learnFromRefusal({ headers }: Answer, startedMs: number, nowMs: number): void {
    const forgottenMs = nowMs + memoryMs;
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock);
    if (retryAfterSeconds !== undefined) pausedUntil = { value: nowMs + retryAfterSeconds * SECOND_MS, forgottenMs };
    refused = [...refused.filter((at) => at > nowMs - MIN_NEEDED_MS), startedMs];
    // A longer wait shows that the limit is not one per second.
    if ((retryAfterSeconds ?? 1) > 1) return;
    const isJustBefore = (at: number) => at > startedMs - SECOND_MS && at <= startedMs;
    const passed = starts.filter(isJustBefore).length - refused.filter(isJustBefore).length;
    counted = { value: { count: Math.max(1, passed), windowMs: SECOND_MS }, forgottenMs };
  }

  return {
    /** Returns when the next request may start, after all planned ones. */
    nextStart(nowMs: number): number {
      const byRate = rates(nowMs).map(
        ({ count, windowMs }) => (starts.at(-count) ?? Number.NEGATIVE_INFINITY) + windowMs + MARGIN_MS,
      );
      return Math.max(nowMs, starts.at(-1) ?? nowMs, pauseEnd(nowMs), ...byRate);
    },
    addStart(atMs: number): void {
      starts.push(atMs);
      const neededMs = Math.max(MIN_NEEDED_MS, ...rates(atMs).map(({ windowMs }) => windowMs));
      while ((starts[0] ?? atMs) <= atMs - neededMs || starts.length > MAX_STARTS) starts.shift();
    },
    cancelStart(atMs: number): void {
      const index = starts.indexOf(atMs);
      if (index >= 0) starts.splice(index, 1);
    },
    learn(answer: Answer, startedMs: number): void {
      const nowMs = performance.now();
      const limits = readStatedLimits(answer.headers, clock);
      const forgottenMs = nowMs + memoryMs;
      if (limits?.rate) stated = { value: limits.rate, forgottenMs };
      if (limits?.emptyForMs) pausedUntil = { value: nowMs + limits.emptyForMs, forgottenMs };
      if (answer.effectiveStatus === 429) learnFromRefusal(answer, startedMs, nowMs);
    },
    /** Returns the lowest learnt rate; null if none was learnt. */
    findRate: (nowMs: number): Rate | null =>
      rates(nowMs).sort((a, b) => a.count / a.windowMs - b.count / b.windowMs)[0] ?? null,
    isPaused: (nowMs: number): boolean => pauseEnd(nowMs) > nowMs,
  };
}

/** How many requests are allowed in any period of this length. */
export type Rate = { readonly count: number; readonly windowMs: number };

const MAX_WINDOW_SECONDS = 60;

/** A larger reset is a Unix time, not a duration. */
const MIN_EPOCH_SECONDS = 1_000_000_000;

/** Reads `RateLimit-Policy` (`100;w=60`, `"default";q=100;w=60`) and `RateLimit-Limit`,
 *  `-Remaining` and `-Reset`, with or without `X-`. The last three do not state the length of the
 *  window, so they give a rate only if it is a second.
 *  Shape: `emptyForMs` until an exhausted window of more than a second restarts; null without a
 *  usable limit. Source: draft-ietf-httpapi-ratelimit-headers, versions 03 to 09.
 *  @example readStatedLimits({ 'ratelimit-policy': '100;w=60' }, clock)
 *  // { rate: { count: 100, windowMs: 60_000 }, emptyForMs: null } */
export function readStatedLimits(headers: IncomingHttpHeaders, clock: Clock) {
  const readHeader = (name: string) => (headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`])?.toString();
  const limit = parseLimitNumber(readHeader('limit'));
  const remaining = parseLimitNumber(readHeader('remaining'));
  const resetSeconds = toLimitResetSeconds(parseLimitNumber(readHeader('reset')), clock);
  const rate = readLimitRate(readHeader('policy'), limit, resetSeconds);
  const isEmpty = remaining === 0 && resetSeconds !== null && resetSeconds > 1;
  if (rate === null && !isEmpty) return null;
  return { rate, emptyForMs: isEmpty ? resetSeconds * 1000 : null };
}

function readLimitRate(policy: string | undefined, limit: number | null, resetSeconds: number | null): Rate | null {
  // The first of several policies is the one closest to its limit.
  const count = /(?:^|;\s*q=)(\d{1,9})/.exec(policy ?? '')?.[1];
  const seconds = Number(/;\s*w=(\d{1,9})/.exec(policy ?? '')?.[1]);
  if (count !== undefined && seconds >= 1 && seconds <= MAX_WINDOW_SECONDS) return toLimitRate(Number(count), seconds);
  return limit !== null && resetSeconds !== null && resetSeconds <= 1 ? toLimitRate(limit, 1) : null;
}

const toLimitRate = (count: number, seconds: number): Rate | null =>
  count > 0 ? { count, windowMs: seconds * 1000 } : null;

/** Parses the leading digits, as the policy may follow them in `RateLimit-Limit`. */
function parseLimitNumber(text: string | undefined): number | null {
  const digits = /^\s*(\d{1,13})/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

function toLimitResetSeconds(value: number | null, clock: Clock): number | null {
  if (value === null || value < MIN_EPOCH_SECONDS) return value;
  return Math.max(0, value - clock.now().getTime() / 1000);
}
