import { LRUCache } from 'lru-cache';
import { finishInTime } from '#domain/async/deadline';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { limitEntries } from '#domain/limit-entries';
import { AppError, isPassingError } from '#errors';
import type { Clock } from '#ports/clock';

/** Providers that were late recently and have not answered since. They are asked like all others, but hardly waited for:
 *  otherwise every search would take its full time while one provider hangs. */
export interface SlowProviders {
  has(scope: string, id: string): boolean;
  add(scope: string, id: string): void;
  remove(scope: string, id: string): void;
}

const MAX_PROVIDERS = 5_000;

const TTL_MS = 60_000;

/** Runs the calls of one search, and passes on what they give. */
type WatchCall = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export interface CallWindowOptions {
  /** Calls under way that may still answer soon; 8 by default. */
  readonly places?: number;
  /** Milliseconds after which a call gives its place to the next one, but goes on; 500 by default. */
  readonly patienceMs?: number;
  /** Calls under way in all; 20 by default. */
  readonly maxUnderWay?: number;
}

/** The calls of one search, few at a time and in order, so that it does not crowd out all other searches. Calls that hang do not
 *  keep the others waiting. */
export function createProviderCallWindow(options: CallWindowOptions = {}): RunLimited {
  const { places = 8, patienceMs = 500, maxUnderWay = 20 } = options;
  const underWay = limitConcurrency({ running: maxUnderWay });
  const inPlace = limitConcurrency({ running: places });
  return (job) =>
    underWay(async () => {
      let ended!: ReturnType<typeof job>;
      await inPlace(() => {
        ended = job();
        return finishInTime(ended, patienceMs);
      });
      return ended;
    });
}

/** Reports all failures that are not the request's fault at once, when the last call has ended: where a whole service fails, each
 *  of its providers does. A call that was given up has not failed. */
export function createProviderFailureReport(onProblem: (error: unknown) => void): WatchCall {
  let underWay = 0;
  let failures: unknown[] = [];

  function end(): void {
    underWay--;
    if (underWay > 0 || failures.length === 0) return;
    const told = failures;
    failures = [];
    onProblem(toProblem(told));
  }

  return async (call, signal) => {
    underWay++;
    try {
      return await call();
    } catch (error) {
      if (signal?.aborted !== true && isProblem(error)) failures.push(error);
      throw error;
    } finally {
      end();
    }
  };
}

function isProblem(error: unknown): boolean {
  return isPassingError(error) || !(error instanceof AppError);
}

function toProblem(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first;
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(findCode(failure), (counts.get(findCode(failure)) ?? 0) + 1);
  const list = Array.from(counts, ([code, count]) => `${code} ${count} times`).join(', ');
  return new AppError(
    findCode(first),
    `${failures.length} calls for providers failed in one search: ${list}. The cause is the first of them.`,
    { cause: first },
  );
}

function findCode(error: unknown) {
  return error instanceof AppError ? error.code : 'INTERNAL';
}

export function createSlowProviders(clock: Clock): SlowProviders {
  const slow = new LRUCache<string, true>({
    ...limitEntries(MAX_PROVIDERS),
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  const nameOf = (scope: string, id: string) => `${scope} ${id}`;
  return {
    has: (scope, id) => slow.has(nameOf(scope, id)),
    add: (scope, id) => void slow.set(nameOf(scope, id), true),
    remove: (scope, id) => void slow.delete(nameOf(scope, id)),
  };
}
