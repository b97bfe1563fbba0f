import { LRUCache } from 'lru-cache';
import type { Answered } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import { createSharedCalls, type SharedCalls } from '#domain/async/shared-calls';
import { limitEntriesAndAge } from '#domain/limit-entries';
import { isPassingError } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import { type CachedAnswersDeps, type CacheQuestion, createCachedAnswers } from './cached-answers.ts';

export interface AnswerOptions extends CallOptions {
  /** If false, fails where there is only a stale answer; true by default. */
  readonly allowStale?: boolean;
}

export type { AnswerTimes, CacheQuestion } from './cached-answers.ts';

/** Plain data, Maps among it; it is frozen. Null is kept in this process only. */
export type AskUpstream<T> = (signal: AbortSignal) => Promise<T>;
export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface AnswerCacheDeps extends CachedAnswersDeps {
  /** How long a stale answer waits for a better one, which is cached if late. 2,000 by default. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2_000;
/** A failed renewal is not repeated earlier, however many ask. */
const RENEW_AGAIN_MS = 5_000;
const MAX_FAILED_RENEWALS = 10_000;

interface CacheState extends Pick<AnswerCacheDeps, 'onProblem'> {
  readonly answers: ReturnType<typeof createCachedAnswers>;
  readonly calls: SharedCalls<Answered<unknown>>;
  readonly failedRenewals: LRUCache<string, true>;
  readonly patienceMs: number;
}

export function createAnswerCache(deps: AnswerCacheDeps) {
  const { clock, patienceMs = PATIENCE_MS, onProblem } = deps;
  const state: CacheState = {
    answers: createCachedAnswers(deps),
    calls: createSharedCalls(),
    failedRenewals: new LRUCache(limitEntriesAndAge(MAX_FAILED_RENEWALS, RENEW_AGAIN_MS, () => clock.now().getTime())),
    patienceMs,
    onProblem,
  };
  return {
    /** The cached answer, or that of `ask`. Simultaneous callers share a call, which is aborted
     *  once none of them waits. Errors: of `ask`, which are not cached; the signal's reason. */
    async get<T>(question: CacheQuestion, ask: AskUpstream<T>, options: AnswerOptions = {}): Promise<Answered<T>> {
      options.signal?.throwIfAborted();
      const answered = await findOrAsk(state, question, ask, options);
      const { freshness, answeredAt } = answered.source;
      const isDue = clock.now().getTime() - answeredAt.getTime() > question.times.goodMs;
      if (freshness === 'cached' && isDue) renewBehind(state, question, ask);
      // A key belongs to one operation, so what is kept under it has the type that `ask` gives.
      return answered as Answered<T>;
    },
  };
}

async function findOrAsk(
  state: CacheState,
  question: CacheQuestion,
  ask: AskUpstream<unknown>,
  { signal, allowStale = true }: AnswerOptions,
) {
  const { answers, calls, patienceMs, onProblem } = state;
  const { key, times } = question;
  const cached = answers.find(question, times.renewMs);
  if (cached !== null) return cached;
  const answer = calls.wait(key, toCall(state, question, ask, times.renewMs), signal);
  if (!allowStale) return answer;
  const findStale = () => toStale(answers.find(question, times.staleMs));
  try {
    const old = findStale();
    if (old === null) return await answer;
    const better = await finishInTime(answer, patienceMs);
    // An answer that comes late is kept for later callers.
    if (better === null) answer.catch(onProblem);
    return better ?? old;
  } catch (error) {
    const old = signal?.aborted || !isPassingError(error) ? null : findStale();
    if (old === null) throw error;
    return old;
  }
}

function renewBehind(state: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>): void {
  const { calls, failedRenewals, onProblem } = state;
  const { key, times } = question;
  if (failedRenewals.has(key)) return;
  calls.start(key, toCall(state, question, ask, times.goodMs))?.catch((error: unknown) => {
    failedRenewals.set(key, true);
    onProblem(error);
  });
}

function toCall({ answers }: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>, maxAgeMs: number) {
  return async (signal: AbortSignal) => {
    await answers.takeOver(question);
    const cached = answers.find(question, maxAgeMs);
    if (cached !== null) return cached;
    signal.throwIfAborted();
    const value = await ask(signal);
    return freshly(value, question.upstream, answers.keep(question, value).source.answeredAt);
  };
}

function freshly(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'fresh', answeredAt } };
}

function toStale(old: Answered<unknown> | null): Answered<unknown> | null {
  return old && { ...old, source: { ...old.source, freshness: 'stale' } };
}
