import type { Clock } from '#ports/clock';
import type { LinkCheckRepository, PlacementRepository, Store } from '#ports/store/store';
import { repeatWork } from '#services/host/repeated-work';
import { type EveryObjectChangeDeps, readEveryObjectChange } from '../every-record.ts';
import { type CheckLinksDeps, type CheckOptions, checkLinks, type LinkReport } from './check-links.ts';
import type { LinkTools } from './site-manners.ts';

export type { CheckOptions, LinkProgress, LinkReport } from './check-links.ts';

export interface LinkChecksDeps extends CheckLinksDeps, EveryObjectChangeDeps {
  readonly placements: Pick<PlacementRepository, 'readPlacedAddresses'>;
}

type PlacedAddresses = Awaited<ReturnType<PlacementRepository['readPlacedAddresses']>>;
const BATCH = 500;

export function createLinkChecks(deps: LinkChecksDeps) {
  const { linkChecks, placements } = deps;
  return {
    checkAll: (urls: AsyncIterable<string>, options: CheckOptions) => checkLinks(deps, urls, options),
    /** Lists the addresses of all objects in courses, opened or not; some are repeated. */
    async *listPlaced(): AsyncGenerator<string> {
      let after: string | null = null;
      do {
        const part: PlacedAddresses = await placements.readPlacedAddresses(after, BATCH);
        yield* part.urls;
        after = part.after;
      } while (after !== null);
    },
    /** Lists the addresses of all objects that administrators added; some are repeated. */
    async *listAdded(): AsyncGenerator<string> {
      for await (const { url, state } of readEveryObjectChange(deps))
        if (state.isAdded && !state.isHidden && !state.isWaiting) yield url;
    },
    /** Returns those of these addresses (at most 1,000) that are dead. */
    async findDead(urls: readonly string[]): Promise<ReadonlySet<string>> {
      const checks = await linkChecks.findLinkChecks(urls);
      return new Set(checks.filter(({ state }) => state === 'dead').map(({ url }) => url));
    },
    listBrokenLinks: (request: Parameters<LinkCheckRepository['listBrokenLinks']>[0]) =>
      linkChecks.listBrokenLinks(request),
    countLinkChecks: () => linkChecks.countLinkChecks(),
  };
}

interface PlacedChecksDeps extends Pick<Store, 'nonces'> {
  readonly linkChecks: Pick<ReturnType<typeof createLinkChecks>, 'checkAll' | 'listPlaced'>;
  readonly tools: LinkTools;
  readonly clock: Clock;
  onProblem(error: unknown): void;
  /** Time between two rounds, and before the first one; ten minutes when absent. */
  readonly intervalMs?: number;
}

const MINUTE_MS = 60_000;
const INTERVAL_MS = 10 * MINUTE_MS;
/** Time after which another host begins a round if this one was killed. */
const LEASE_MS = 60 * MINUTE_MS;
/** Longest round, which ends before its lease; the next one continues. */
const ROUND_MS = 50 * MINUTE_MS;
const LEASE = 'check of placed links';

/** Checks addresses in courses of all tenants weekly, failing ones daily; one host at a time. */
export function createPlacedChecks(deps: PlacedChecksDeps) {
  const { linkChecks, nonces, tools, clock, onProblem, intervalMs = INTERVAL_MS } = deps;

  async function checkPlacedLinks(): Promise<LinkReport | null> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LEASE_MS);
    if (work.signal.aborted || !(await nonces.claimNonce(LEASE, { now, expiresAt }))) return null;
    const timeIsUp = AbortSignal.timeout(ROUND_MS);
    const signal = AbortSignal.any([work.signal, timeIsUp]);
    try {
      return await linkChecks.checkAll(linkChecks.listPlaced(), { tools, keepsUnlisted: true, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      // Another host may go on at once.
      if (!timeIsUp.aborted) await nonces.consumeNonce(LEASE, clock.now());
      return null;
    }
  }

  const work = repeatWork({ everyMs: intervalMs, run: checkPlacedLinks, onProblem });
  return {
    /** Runs one round; returns null if another host has begun one within the last hour. */
    check: checkPlacedLinks,
    /** Begins a round every ten minutes, if one is due. */
    start: work.start,
    /** Stops a round; its visits are saved. */
    close: work.stop,
  };
}
