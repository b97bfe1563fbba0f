import type { Clock } from '#ports/clock';
import type { NonceRepository } from '#ports/store/store';
import type { LinkChecks, LinkReport } from './link-checks.ts';
import type { LinkWays } from './site-manners.ts';

/** Checks the addresses that are in courses, of all tenants: those that answer once a week, those that failed once a day. Of
 *  several hosts on one store, one does so at a time. */
export interface PlacedChecks {
  /** Has a look once in ten minutes. */
  start(): void;
  /** One round; null where another host has begun one within the last hour. */
  check(): Promise<LinkReport | null>;
  /** Stops a round; what was visited is kept. */
  close(): Promise<void>;
}

export interface PlacedChecksDeps {
  readonly linkChecks: Pick<LinkChecks, 'checkAll' | 'listPlaced'>;
  readonly nonces: NonceRepository;
  readonly ways: LinkWays;
  readonly clock: Clock;
  /** Told of a round that failed; the next one does what is left. */
  onProblem(error: unknown): void;
  /** Between two looks, and before the first one; ten minutes when absent. */
  readonly lookMs?: number;
}

const MINUTE_MS = 60_000;
const LOOK_MS = 10 * MINUTE_MS;

/** A host that is killed holds others up for so long. */
const LEASE_MS = 60 * MINUTE_MS;

/** A round ends before its lease; the next one goes on where it was. */
const ROUND_MS = 50 * MINUTE_MS;

const LEASE = 'check of placed links';

export function createPlacedChecks(deps: PlacedChecksDeps): PlacedChecks {
  const { linkChecks, nonces, ways, clock, onProblem, lookMs = LOOK_MS } = deps;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();

  async function check(): Promise<LinkReport | null> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LEASE_MS);
    if (stop.signal.aborted || !(await nonces.claimNonce(LEASE, { now, expiresAt }))) return null;
    const timeIsUp = AbortSignal.timeout(ROUND_MS);
    const signal = AbortSignal.any([stop.signal, timeIsUp]);
    try {
      return await linkChecks.checkAll(linkChecks.listPlaced(), { ways, keepsOthers: true, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      // Another host may go on at once.
      if (!timeIsUp.aborted) await nonces.consumeNonce(LEASE, clock.now());
      return null;
    }
  }

  return {
    check,
    start() {
      const next = () => {
        round = round.then(check).catch(onProblem);
      };
      timer ??= setInterval(next, lookMs).unref();
    },
    async close() {
      stop.abort();
      clearInterval(timer);
      await round;
    },
  };
}
