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

export interface AnswerOptions extends CallOptions {
  /** If false, fails if there is only a stale answer; true by default. */
  readonly allowStale?: boolean;
}

export interface CacheQuestion {
  readonly key: string;
  readonly upstream: string;
  readonly times: AnswerTimes;
  /** Whether the answer contains texts of the person: then it stays in this process. */
  readonly isPrivate?: boolean;
  /** Whether an answer is cached; true by default. */
  isKept?(value: unknown): boolean;
  /** Whether an answer may be the result of a fault, such as an empty list: it is cached for a
   *  minute, in this process only, and never given as stale. False by default. */
  isPoor?(value: unknown): boolean;
}

/** Milliseconds since the answer. */
export interface AnswerTimes {
  /** Until then the answer is given as it is. */
  readonly goodMs: number;
  /** Until then the answer is given as it is, and renewed in the background. */
  readonly renewMs: number;
  /** Until then the answer is given, as stale, only if the upstream cannot answer (kinds
   *  `unavailable` and `rate_limited`) or takes long. */
  readonly staleMs: number;
}

/** Plain data, Maps among it; it is frozen. Null is kept in this process only. */
export type AskUpstream<T> = (signal: AbortSignal) => Promise<T>;
export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface AnswerCacheDeps {
  readonly clock: Clock;
  /** Memory of the answers in this process, about. */
  readonly maxBytes: number;
  /** Shared by the hosts of a store; absent keeps answers in this process only. */
  readonly shared?: AnswerRepository;
  /** How long a stale answer waits for a better one, which is cached if late. 2,000 by default. */
  readonly patienceMs?: number;
  onProblem(error: unknown): void;
}

const PATIENCE_MS = 2_000;
/** A failed renewal is not repeated earlier, however many ask. */
const RENEW_AGAIN_MS = 5_000;
const MAX_FAILED_RENEWALS = 10_000;
/** What should not be empty is asked for again soon, but not by everyone at once. */
const POOR_MS = 60_000;
/** Clocks of hosts differ by less. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Of everything that is kept beside each answer. */
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
    /** The cached answer, or that of `ask`. Simultaneous callers share a call, which is aborted
     *  once none of them waits. Errors: of `ask`, which are not cached; the signal's reason. */
    async get<T>(question: CacheQuestion, ask: AskUpstream<T>, options: AnswerOptions = {}): Promise<Answered<T>> {
      options.signal?.throwIfAborted();
      const answered = await findOrAsk(state, question, ask, options);
      const { freshness, answeredAt } = answered.source;
      const isDue = now() - answeredAt.getTime() > question.times.goodMs;
      if (freshness === 'cached' && isDue) renewCachedAnswer(state, question, ask);
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
  const { calls, patienceMs = PATIENCE_MS, onProblem } = state;
  const { key, times } = question;
  const cached = findKept(state, question, times.renewMs);
  if (cached !== null) return cached;
  const answer = calls.wait(key, toCachedCall(state, question, ask, times.renewMs), signal);
  if (!allowStale) return answer;
  const findStale = () => {
    const old = findKept(state, question, times.staleMs);
    return old && addFreshness(old, 'stale');
  };
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

function renewCachedAnswer(state: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>): void {
  const { calls, failedRenewals, onProblem } = state;
  const { key, times } = question;
  if (failedRenewals.has(key)) return;
  calls.start(key, toCachedCall(state, question, ask, times.goodMs))?.catch((error: unknown) => {
    failedRenewals.set(key, true);
    onProblem(error);
  });
}

function toCachedCall(state: CacheState, question: CacheQuestion, ask: AskUpstream<unknown>, maxAgeMs: number) {
  return async (signal: AbortSignal) => {
    await takeOverCachedAnswer(state, question);
    const cached = findKept(state, question, maxAgeMs);
    if (cached !== null) return cached;
    signal.throwIfAborted();
    return addFreshness(cacheAnswer(state, question, await ask(signal)), 'fresh');
  };
}

function addFreshness(answered: Answered<unknown>, freshness: AnswerSource['freshness']): Answered<unknown> {
  return { ...answered, source: { ...answered.source, freshness } };
}

/** Null if this process has none of at most this age; a poor one counts for a minute. */
function findKept(state: CacheState, { key, isPoor }: CacheQuestion, maxAgeMs: number): Answered<unknown> | null {
  const cached = state.memory.get(key);
  if (cached === undefined) return null;
  const most = isPoor?.(cached.value) ? Math.min(maxAgeMs, POOR_MS) : maxAgeMs;
  return ageMs(state, cached.source.answeredAt) <= most ? cached : null;
}

/** Infinite for none, and for one from the future: some clock was ahead. */
function ageMs({ clock }: CacheState, answeredAt: Date | undefined): number {
  const age = answeredAt === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - answeredAt.getTime();
  return age < -CLOCK_TOLERANCE_MS ? Number.POSITIVE_INFINITY : age;
}

/** Copies a newer answer of another host into this process. Never fails: without a store, or with
 *  one that is slow or broken, a host gets on alone. */
async function takeOverCachedAnswer(state: CacheState, { key, upstream, isPrivate }: CacheQuestion): Promise<void> {
  const { shared, memory, clock, onProblem } = state;
  if (shared === undefined || isPrivate) return;
  try {
    const result = await finishInTime(shared.findAnswer(hashKey(key), clock.now()).catch(onProblem), MAX_WAIT_MS);
    if (!result || ageMs(state, result.answeredAt) >= ageMs(state, memory.peek(key)?.source.answeredAt)) return;
    rememberAnswer(state, key, result.text, toAnswered(parseSharedAnswer(result.text), upstream, result.answeredAt));
  } catch (error) {
    onProblem(error);
  }
}

/** The answer, frozen. What hosts share is written later, as some stores work in this process. */
function cacheAnswer(state: CacheState, question: CacheQuestion, value: unknown): Answered<unknown> {
  const { shared, clock, onProblem } = state;
  const { key, upstream, times, isPrivate = false, isKept, isPoor } = question;
  const answeredAt = clock.now();
  const answered = toAnswered(value, upstream, answeredAt);
  if (isKept?.(value) === false) return freezeCachedAnswer(answered);
  const text = stringifySharedAnswer(value);
  const answer = { text, answeredAt, expiresAt: new Date(answeredAt.getTime() + times.staleMs) };
  if (shared !== undefined && !isPrivate && value !== null && !isPoor?.(value)) {
    setImmediate(() => shared.keepAnswer(hashKey(key), answer).catch(onProblem));
  }
  return rememberAnswer(state, key, text, answered);
}

/** A parsed text takes one and a half times its length, or twice in UTF-16. */
function rememberAnswer({ memory }: CacheState, key: string, text: string, answered: Answered<unknown>) {
  memory.set(key, freezeCachedAnswer(answered), { size: ENTRY_BYTES + key.length + 2 * text.length });
  return answered;
}

function toAnswered(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'cached', answeredAt } };
}

/** Everyone who asks is given the same answer. A Map is left to its read-only type. */
function freezeCachedAnswer<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) freezeCachedAnswer(each);
  return Object.freeze(value);
}

/** Marks a `Map` among plain data; no service calls a field like this. */
const MAP = '\u0000map';

/** Keys contain what people asked, which nobody else needs to see. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** An answer as JSON. Facets are Maps, which JSON does not know. */
function stringifySharedAnswer(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (each instanceof Map ? { [MAP]: [...each.entries()] } : each));
}

/** Reverses `stringifySharedAnswer`. Throws on a text that is not JSON. */
function parseSharedAnswer(text: string): unknown {
  return JSON.parse(text, (_name, each: unknown) => (isWrittenMap(each) ? new Map(each[MAP]) : each));
}

function isWrittenMap(value: unknown): value is { readonly [MAP]: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && MAP in value;
}
