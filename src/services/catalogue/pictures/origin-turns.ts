import { LRUCache } from 'lru-cache';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';

/** Runs a job at an address when it is its turn. While its origin rests, nothing is done.
 *  @param job returns whether its site answered
 *  Errors: OUTBOUND_FAILED where too many wait; those of the job; what the signal was aborted with. */
export type RunAtOrigin = (
  address: string,
  job: () => Promise<boolean>,
  signal: AbortSignal,
) => Promise<void>;

/** Of all origins: those that wait are served in turn, and each has no more there than may run. */
const LIMIT = { running: 16, waiting: 200 };
/** Of one; more are left until somebody looks again. */
const ORIGIN_LIMIT = { running: 2, waiting: 50 };
const MAX_ORIGINS = 5_000;
/** After one failure; it doubles with each that follows. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 24 * 3_600_000;

interface Origin {
  readonly inTurn: RunLimited;
  restMs: number;
  /** In milliseconds. */
  restsUntil: number;
}

/** Shares what is fetched at once fairly between the sites that it comes from, so that slow ones keep nobody else's waiting. */
export function createOriginTurns(clock: Clock): RunAtOrigin {
  const inTurn = limitConcurrency({ ...LIMIT, tooMany });
  const origins = new LRUCache<string, Origin>({
    ...limitEntries(MAX_ORIGINS),
    memoMethod: () => ({
      inTurn: limitConcurrency({ ...ORIGIN_LIMIT, tooMany }),
      ...{ restMs: 0, restsUntil: 0 },
    }),
  });

  const isResting = ({ restsUntil }: Origin) => restsUntil > clock.now().getTime();

  function noteAnswer(origin: Origin, hasAnswered: boolean): void {
    if (hasAnswered) Object.assign(origin, { restMs: 0, restsUntil: 0 });
    // Those that ran beside one that failed are the same failure.
    else if (!isResting(origin)) {
      origin.restMs = Math.min(2 * origin.restMs || FIRST_REST_MS, LONGEST_REST_MS);
      origin.restsUntil = clock.now().getTime() + origin.restMs;
    }
  }

  return async (address, job, signal) => {
    const origin = origins.memo(new URL(address).origin);
    const run = async () => {
      if (isResting(origin)) return;
      await inTurn(async () => noteAnswer(origin, await job()), { signal });
    };
    await origin.inTurn(run, { signal });
  };
}

function tooMany(): AppError {
  return new AppError('OUTBOUND_FAILED', 'Too many pictures are wanted at once.');
}
