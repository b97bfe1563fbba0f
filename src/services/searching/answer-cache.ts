import { LRUCache } from 'lru-cache';
import type { Answered } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import { createSharedCalls } from '#domain/async/shared-calls';
import { limitEntries } from '#domain/limit-entries';
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

/** Answers of upstreams, kept for a while. */
export interface AnswerCache {
  /** The answer that is kept, or what `ask` gives now. Callers that ask the same while it is under
   *  way wait for the same call; `ask` is told to give up once none of them waits any more.
   *  Errors: those of `ask`, which are not kept; the reason of the signal once that is aborted. */
  get<T>(question: CacheQuestion, ask: AskUpstream<T>, options?: AnswerOptions): Promise<Answered<T>>;
}

export interface AnswerCacheDeps extends CachedAnswersDeps {
  /** How long a stale answer waits for a better one, which then comes in behind it. 2,000 by
   *  default. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2_000;

/** A failed renewal is not tried again before this, however many ask: the upstream has trouble
 *  enough. */
const RENEW_AGAIN_MS = 5_000;
const MAX_FAILED_RENEWALS = 10_000;

export function createAnswerCache(deps: AnswerCacheDeps): AnswerCache {
  const { clock, patienceMs = PATIENCE_MS, onProblem } = deps;
  const kept = createCachedAnswers(deps);
  const calls = createSharedCalls<Answered<unknown>>();
  const failedRenewals = new LRUCache<string, true>({
    ...limitEntries(MAX_FAILED_RENEWALS),
    ttl: RENEW_AGAIN_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });

  async function askNow(question: CacheQuestion, ask: AskUpstream<unknown>, signal: AbortSignal) {
    signal.throwIfAborted();
    const value = await ask(signal);
    const { source } = kept.keep(question, value);
    return freshly(value, question.upstream, source.answeredAt);
  }

  /** A kept answer, of this host or another, that is no older than this; else what the upstream
   *  says now. */
  function toCall(
    question: CacheQuestion,
    ask: AskUpstream<unknown>,
    maxAgeMs: number,
  ): AskUpstream<Answered<unknown>> {
    return async (signal) => {
      await kept.takeOver(question);
      return kept.find(question, maxAgeMs) ?? askNow(question, ask, signal);
    };
  }

  function renewBehind(question: CacheQuestion, ask: AskUpstream<unknown>): void {
    const { key, times } = question;
    if (failedRenewals.has(key)) return;
    calls.start(key, toCall(question, ask, times.goodMs))?.catch((error: unknown) => {
      failedRenewals.set(key, true);
      onProblem(error);
    });
  }

  async function findOrAsk(question: CacheQuestion, ask: AskUpstream<unknown>, options: AnswerOptions) {
    const { key, times } = question;
    const known = kept.find(question, times.renewMs);
    if (known !== null) return known;
    const { signal, allowStale = true } = options;
    const answer = calls.wait(key, toCall(question, ask, times.renewMs), signal);
    if (!allowStale) return answer;
    const findStale = () => toStale(kept.find(question, times.staleMs));
    try {
      const old = findStale();
      return await (old === null ? answer : waitWith(old, answer));
    } catch (error) {
      const old = signal?.aborted || !isPassingError(error) ? null : findStale();
      if (old === null) throw error;
      return old;
    }
  }

  /** What comes late is kept for those who come after. */
  async function waitWith(old: Answered<unknown>, answer: Promise<Answered<unknown>>) {
    const better = await finishInTime(answer, patienceMs);
    if (better === null) answer.catch(onProblem);
    return better ?? old;
  }

  return {
    async get<T>(question: CacheQuestion, ask: AskUpstream<T>, options: AnswerOptions = {}) {
      options.signal?.throwIfAborted();
      const answered = await findOrAsk(question, ask, options);
      const { freshness, answeredAt } = answered.source;
      const isDue = clock.now().getTime() - answeredAt.getTime() > question.times.goodMs;
      if (freshness === 'cached' && isDue) renewBehind(question, ask);
      // A key belongs to one operation, so what is kept under it has the type that `ask` gives.
      return answered as Answered<T>;
    },
  };
}

function freshly(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'fresh', answeredAt } };
}

function toStale(old: Answered<unknown> | null): Answered<unknown> | null {
  return old && { ...old, source: { ...old.source, freshness: 'stale' } };
}
