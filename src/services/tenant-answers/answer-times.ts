import type { AnswerTimes } from '../answer-cache/answer-cache.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long an answer is good, by what is asked. What is asked again within twice that time is renewed before anyone waits
 *  for it. While the upstream is away an old answer is better than none: lists stay the same for months; of terms and
 *  searches yesterday's are near enough, and whoever shows them says so. */
export const answerTimes = {
  lists: { goodMs: DAY_MS, renewMs: 2 * DAY_MS, staleMs: 7 * DAY_MS },
  terms: { goodMs: HOUR_MS, renewMs: 2 * HOUR_MS, staleMs: DAY_MS },
  searches: { goodMs: 5 * MINUTE_MS, renewMs: 10 * MINUTE_MS, staleMs: DAY_MS },
} as const satisfies Record<string, AnswerTimes>;
