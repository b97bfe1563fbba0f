import { inTime } from '../in-time.ts';
import { limitConcurrency, type RunLimited } from '../limit-concurrency.ts';
import { createLateError } from './deadline.ts';

export interface CallWindowOptions {
  /** Calls under way that may still answer soon; 8 by default. */
  readonly places?: number;
  /** A call that has not answered by then goes on, but gives its place to the next one; 500 by default. */
  readonly patienceMs?: number;
  /** Calls under way in all; 20 by default. */
  readonly maxUnderWay?: number;
}

/** The calls of one search, few at a time and in the order they came, so that it does not take the place of all other
 *  searches. Those that hang do not keep the others waiting. */
export function createCallWindow(options: CallWindowOptions = {}): RunLimited {
  const { places = 8, patienceMs = 500, maxUnderWay = 20 } = options;
  const underWay = createLimit(maxUnderWay);
  const inPlace = createLimit(places);
  return (job) =>
    underWay(async () => {
      let ended!: ReturnType<typeof job>;
      await inPlace(() => {
        ended = job();
        return inTime(ended, patienceMs);
      });
      return ended;
    });
}

/** Nobody is refused: each provider has one call at most. */
function createLimit(running: number): RunLimited {
  return limitConcurrency({ running, waiting: Number.POSITIVE_INFINITY, tooMany: createLateError });
}
