import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Answered } from '#domain/answer';
import { finishInTime } from '#domain/async/deadline';
import type { Clock } from '#ports/clock';
import type { AnswerRepository, SharedAnswer } from '#ports/store/store';

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
  /** Until then the answer is given, as stale, only where the upstream cannot answer (kinds
   *  `unavailable` and `rate_limited`) or takes long. */
  readonly staleMs: number;
}

export interface CachedAnswersDeps {
  readonly clock: Clock;
  /** Memory of the answers in this process, about. */
  readonly maxBytes: number;
  /** Shared by the hosts of a store; absent keeps answers in this process only. */
  readonly shared?: AnswerRepository;
  onProblem(error: unknown): void;
}

/** What should not be empty is asked for again soon, but not by everyone at once. */
const POOR_MS = 60_000;
/** Clocks of hosts differ by less. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Of everything that is kept beside each answer. */
const ENTRY_BYTES = 500;

export function createCachedAnswers({ clock, maxBytes, shared, onProblem }: CachedAnswersDeps) {
  const memory = new LRUCache<string, Answered<unknown>>({ maxSize: maxBytes });
  const others = shared === undefined ? null : createSharedAnswers({ shared, clock, onProblem });

  function remember(key: string, text: string, answered: Answered<unknown>): Answered<unknown> {
    memory.set(key, freezeThrough(answered), { size: estimateSize(key, text) });
    return answered;
  }

  /** Infinite for none, and for one from the future: some clock was ahead. */
  function ageMs(answeredAt: Date | undefined): number {
    if (answeredAt === undefined) return Number.POSITIVE_INFINITY;
    const age = clock.now().getTime() - answeredAt.getTime();
    return age < -CLOCK_TOLERANCE_MS ? Number.POSITIVE_INFINITY : age;
  }

  return {
    /** Null where this process has none of at most this age; a poor one counts for a minute. */
    find({ key, isPoor }: CacheQuestion, maxAgeMs: number): Answered<unknown> | null {
      const cached = memory.get(key);
      if (cached === undefined) return null;
      const most = isPoor?.(cached.value) ? Math.min(maxAgeMs, POOR_MS) : maxAgeMs;
      return ageMs(cached.source.answeredAt) <= most ? cached : null;
    },

    /** Copies a newer answer of another host into this process. Never fails. */
    async takeOver({ key, upstream, isPrivate = false }: CacheQuestion): Promise<void> {
      const result = isPrivate ? null : await others?.findAnswer(key);
      if (!result || ageMs(result.answeredAt) >= ageMs(memory.peek(key)?.source.answeredAt)) return;
      try {
        const value = parseSharedAnswer(result.text);
        remember(key, result.text, toAnswered(value, upstream, result.answeredAt));
      } catch (error) {
        onProblem(error);
      }
    },

    /** @returns the answer, frozen */
    keep(
      { key, upstream, times, isPrivate = false, isKept, isPoor }: CacheQuestion,
      value: unknown,
    ): Answered<unknown> {
      const answeredAt = clock.now();
      if (isKept?.(value) === false) return freezeThrough(toAnswered(value, upstream, answeredAt));
      const text = stringifySharedAnswer(value);
      const expiresAt = new Date(answeredAt.getTime() + times.staleMs);
      if (!isPrivate && value !== null && !isPoor?.(value)) others?.keepAnswer(key, { text, answeredAt, expiresAt });
      return remember(key, text, toAnswered(value, upstream, answeredAt));
    },
  };
}

function toAnswered(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'cached', answeredAt } };
}

/** Bytes, about: a parsed text takes one and a half times its length, or twice in UTF-16. */
const estimateSize = (key: string, text: string): number => ENTRY_BYTES + key.length + 2 * text.length;

/** Everyone who asks is given the same answer. A Map is left to its read-only type. */
function freezeThrough<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) freezeThrough(each);
  return Object.freeze(value);
}

/** Marks a `Map` among plain data; no service calls a field like this. */
const MAP = '\u0000map';
/** A store that is slower than this is of no help: the upstream answers about as fast. */
const MAX_WAIT_MS = 250;

/** Answers that hosts share. A host whose store is slow or broken gets on without them. */
function createSharedAnswers(deps: {
  readonly shared: AnswerRepository;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}) {
  const { shared, clock, onProblem } = deps;
  const noAnswer = (error: unknown) => {
    onProblem(error);
    return null;
  };
  return {
    /** Null also where the store fails or takes too long. */
    findAnswer: (key: string) =>
      finishInTime(shared.findAnswer(hashKey(key), clock.now()).catch(noAnswer), MAX_WAIT_MS),
    /** Writes after the answer is given, as some stores work in this very process. */
    keepAnswer: (key: string, answer: SharedAnswer) =>
      void setImmediate(() => shared.keepAnswer(hashKey(key), answer).catch(onProblem)),
  };
}

/** Keys contain what people asked, which nobody else needs to see. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** An answer as JSON. Facets are Maps, which JSON does not know. */
function stringifySharedAnswer(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (each instanceof Map ? { [MAP]: [...each.entries()] } : each));
}

/** What was written, as it was. Throws where the text is no JSON. */
function parseSharedAnswer(text: string): unknown {
  return JSON.parse(text, (_name, each: unknown) => (isWrittenMap(each) ? new Map(each[MAP]) : each));
}

function isWrittenMap(value: unknown): value is { readonly [MAP]: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && MAP in value;
}
