import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Answered, AnswerSource } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import { createSharedCalls, type SharedCalls } from '#domain/async/shared-calls';
import { limitEntriesAndAge } from '#domain/limit-entries';
import { isPassingError } from '#errors';
import type { Clock } from '#ports/clock';
import type { CallOptions } from '#ports/learning-service';
import type { AnswerRepository } from '#ports/store/store';

interface AnswerOptions extends CallOptions {
  /** Whether a stale answer is returned rather than an error; true by default. */
  readonly allowStale?: boolean;
}

export interface CacheQuestion {
  readonly key: string;
  readonly upstream: string;
  readonly times: AnswerTimes;
  /** Whether the answer contains texts of the person, and so must stay in this process. */
  readonly isPrivate?: boolean;
  /** Whether an answer is cached; true by default. */
  isCacheable?(value: unknown): boolean;
  /** Whether an answer may be the result of a fault, such as an empty list. Such an answer is
   *  cached for a minute, in this process only, and never returned as stale. False by default. */
  isPoor?(value: unknown): boolean;
}

/** Ages of an answer in milliseconds. */
export interface AnswerTimes {
  /** Up to this age the answer is returned. */
  readonly goodMs: number;
  /** Up to this age the answer is returned, and renewed in the background. */
  readonly renewMs: number;
  /** Up to this age the answer is returned as stale, only if the upstream cannot answer (kinds
   *  `unavailable` and `rate_limited`) or takes long. */
  readonly staleMs: number;
}

/** Returns data to freeze, with Maps at most. Null is cached in this process only. */
type AskUpstream<T> = (signal: AbortSignal) => Promise<T>;
export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface AnswerCacheDeps {
  readonly clock: Clock;
  /** Approximate limit of the memory of answers in this process. */
  readonly maxBytes: number;
  /** Answers that the hosts of a store share; absent caches in this process only. */
  readonly shared?: AnswerRepository;
  /** How long a stale answer waits for a better one, which is cached if late. 2,000 by default. */
  readonly patienceMs?: number;
  onProblem(error: unknown): void;
}

const PATIENCE_MS = 2_000;
/** A failed renewal is not repeated earlier, however many callers there are. */
const RENEW_AGAIN_MS = 5_000;
const MAX_FAILED_RENEWALS = 10_000;
/** Poor answers are asked for again soon, but not by every caller. */
const POOR_MS = 60_000;
/** Clocks of hosts differ by less. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Memory of an entry beside its key and answer. */
const ENTRY_BYTES = 500;
/** A store that is slower than this is of no help: the upstream answers about as fast. */
const MAX_WAIT_MS = 250;

interface CacheState extends AnswerCacheDeps {
  readonly memory: LRUCache<string, Answered<unknown>>;
  readonly calls: SharedCalls<Answered<unknown>>;
  readonly failedRenewals: LRUCache<string, true>;
}

export function createAnswerCache(deps: AnswerCacheDeps) {
  const now = () => deps.clock.now().getTime();
  const state: CacheState = {
    ...deps,
    memory: new LRUCache({ maxSize: deps.maxBytes }),
    calls: createSharedCalls(),
    failedRenewals: new LRUCache(limitEntriesAndAge(MAX_FAILED_RENEWALS, RENEW_AGAIN_MS, now)),
  };
  return {
    /** Returns the cached answer, or that of `ask`; simultaneous callers share a call, aborted when
     *  all are gone. Errors: those of `ask`, which are not cached; the signal's reason. */
    async get<T>(question: CacheQuestion, ask: AskUpstream<T>, options: AnswerOptions = {}): Promise<Answered<T>> {
      options.signal?.throwIfAborted();
      const answered = await findOrAsk(state, question, ask, options);
      const { freshness, answeredAt } = answered.source;
      const isDue = now() - answeredAt.getTime() > question.times.goodMs;
      if (freshness === 'cached' && isDue) renewCachedAnswer(state, question, ask);
      // A key belongs to one operation, so the cached value has the type that `ask` returns.
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
  const { calls, patienceMs = PATIENCE_MS, onProblem } = state;
  const { key, times } = question;
  const cached = findCachedAnswer(state, question, times.renewMs);
  if (cached !== null) return cached;
  const answer = calls.wait(key, createCachedCall(state, question, ask, times.renewMs), signal);
  if (!allowStale) return answer;
  const findStale = () => {
    const answered = findCachedAnswer(state, question, times.staleMs);
    return answered && addFreshness(answered, 'stale');
  };
  try {
    const stale = findStale();
    if (stale === null) return await answer;
    const fresh = await finishInTime(answer, patienceMs);
    // A late answer is cached for later callers.
    if (fresh === null) answer.catch(onProblem);
    return fresh ?? stale;
  } catch (error) {
    const stale = signal?.aborted || !isPassingError(error) ? null : findStale();
    if (stale === null) throw error;
    return stale;
  }
}

function renewCachedAnswer(state: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>): void {
  const { calls, failedRenewals, onProblem } = state;
  const { key, times } = question;
  if (failedRenewals.has(key)) return;
  calls.start(key, createCachedCall(state, question, ask, times.goodMs))?.catch((error: unknown) => {
    failedRenewals.set(key, true);
    onProblem(error);
  });
}

function createCachedCall(state: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>, maxAgeMs: number) {
  return async (signal: AbortSignal) => {
    await loadSharedAnswer(state, question);
    const cached = findCachedAnswer(state, question, maxAgeMs);
    if (cached !== null) return cached;
    signal.throwIfAborted();
    return addFreshness(cacheAnswer(state, question, await ask(signal)), 'fresh');
  };
}

function addFreshness(answered: Answered<unknown>, freshness: AnswerSource['freshness']): Answered<unknown> {
  return { ...answered, source: { ...answered.source, freshness } };
}

/** Returns the answer in this process up to this age, a poor one for a minute; else null. */
function findCachedAnswer(
  state: CacheState,
  { key, isPoor }: CacheQuestion,
  maxAgeMs: number,
): Answered<unknown> | null {
  const cached = state.memory.get(key);
  if (cached === undefined) return null;
  const limitMs = isPoor?.(cached.value) ? Math.min(maxAgeMs, POOR_MS) : maxAgeMs;
  return measureAnswerAgeMs(state, cached.source.answeredAt) <= limitMs ? cached : null;
}

/** Returns infinity if there is no answer, or it is from the future, as some clock was ahead. */
function measureAnswerAgeMs({ clock }: CacheState, answeredAt: Date | undefined): number {
  const age = answeredAt === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - answeredAt.getTime();
  return age < -CLOCK_TOLERANCE_MS ? Number.POSITIVE_INFINITY : age;
}

/** Copies a newer answer of another host into this process. Never fails: a host does without shared
 *  answers while the store is slow or fails. */
async function loadSharedAnswer(state: CacheState, { key, upstream, isPrivate }: CacheQuestion): Promise<void> {
  const { shared, memory, clock, onProblem } = state;
  if (shared === undefined || isPrivate) return;
  try {
    const result = await finishInTime(shared.findAnswer(hashKey(key), clock.now()).catch(onProblem), MAX_WAIT_MS);
    const ageMs = measureAnswerAgeMs(state, memory.peek(key)?.source.answeredAt);
    if (!result || measureAnswerAgeMs(state, result.answeredAt) >= ageMs) return;
    cacheInMemory(state, key, result.text, toAnswered(parseSharedAnswer(result.text), upstream, result.answeredAt));
  } catch (error) {
    onProblem(error);
  }
}

/** Caches an answer and freezes it. The shared copy is written later, as some stores block. */
function cacheAnswer(state: CacheState, question: CacheQuestion, value: unknown): Answered<unknown> {
  const { shared, clock, onProblem } = state;
  const { key, upstream, times, isPrivate = false, isCacheable, isPoor } = question;
  const answeredAt = clock.now();
  const answered = toAnswered(value, upstream, answeredAt);
  if (isCacheable?.(value) === false) return freezeAnswer(answered);
  const text = stringifySharedAnswer(value);
  const answer = { text, answeredAt, expiresAt: new Date(answeredAt.getTime() + times.staleMs) };
  if (shared !== undefined && !isPrivate && value !== null && !isPoor?.(value)) {
    setImmediate(() => shared.keepAnswer(hashKey(key), answer).catch(onProblem));
  }
  return cacheInMemory(state, key, text, answered);
}

/** Counts twice the length of the text: parsed data takes at least one and a half times as much. */
function cacheInMemory({ memory }: CacheState, key: string, text: string, answered: Answered<unknown>) {
  memory.set(key, freezeAnswer(answered), { size: ENTRY_BYTES + key.length + 2 * text.length });
  return answered;
}

function toAnswered(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'cached', answeredAt } };
}

/** Freezes an answer, as all callers share it; Maps are only protected by their read-only type. */
function freezeAnswer<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const field of Object.values(value)) freezeAnswer(field);
  return Object.freeze(value);
}

/** Marks a `Map` among plain data; no service calls a field like this. */
const MAP = '\u0000map';

/** Hides the questions of people, which keys contain. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** Writes an answer as JSON, with its Maps (facets) as marked lists of entries. */
function stringifySharedAnswer(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) => (field instanceof Map ? { [MAP]: [...field] } : field));
}

/** Reverses `stringifySharedAnswer`. Throws on a text that is not JSON. */
function parseSharedAnswer(text: string): unknown {
  return JSON.parse(text, (_name, field: unknown) => (isWrittenMap(field) ? new Map(field[MAP]) : field));
}

function isWrittenMap(value: unknown): value is { readonly [MAP]: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && MAP in value;
}
