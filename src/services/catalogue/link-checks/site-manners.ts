import { setTimeout as wait } from 'node:timers/promises';
import { linkSignal } from '#domain/async/deadline';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import type { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';

export type SiteRules = { isAllowed(url: string): boolean; readonly delayMs: number };

/** The functions that send requests and that read the rules of a site. */
export interface LinkTools {
  readonly outbound: Outbound;
  /** Reads the rules of a site. Errors: those of `fetch`, and if the rules cannot be determined. */
  readSiteRules(origin: string, fetch: Outbound['request'], signal: AbortSignal): Promise<SiteRules>;
  /** Returns the address of the picture that a page names in its beginning; null for none. */
  readPicture(page: OutboundAnswer): Promise<string | null>;
}

/** Sends requests by the rules of each site: one at a time with a pause, as robots.txt allows. */
export type SiteManners = ReturnType<typeof createSiteManners>;

const TIMEOUT_MS = 10_000;

export function createSiteManners({ outbound, readSiteRules, readPicture }: LinkTools, pauseMs: number) {
  /** When each host can be asked again, in the time of `performance`. */
  const readyAt = new Map<string, number>();
  const pauses = new Map<string, number>();
  const rules = new Map<string, Promise<SiteRules>>();
  const findPause = (url: string) => pauses.get(new URL(url).host) ?? pauseMs;

  async function takeTurn(url: string, signal: AbortSignal | undefined): Promise<void> {
    const { host } = new URL(url);
    const now = performance.now();
    const turn = Math.max(now, readyAt.get(host) ?? 0);
    readyAt.set(host, turn + findPause(url));
    if (turn > now) await wait(turn - now, undefined, { ...(signal !== undefined && { signal }) });
  }

  async function ask(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    await takeTurn(url, request.signal);
    return outbound.request(url, request);
  }

  function readRules(url: string, signal: AbortSignal): Promise<SiteRules> {
    const { origin, host } = new URL(url);
    const cached = rules.get(origin);
    if (cached !== undefined) return cached;
    const fetchRules: Outbound['request'] = (address, request) =>
      ask(address, { timeoutMs: TIMEOUT_MS, redirects: 5, ...request });
    const promise = readSiteRules(origin, fetchRules, signal);
    rules.set(origin, promise);
    return promise.then((siteRules) => {
      pauses.set(host, Math.max(pauseMs, siteRules.delayMs));
      return siteRules;
    });
  }

  return {
    readPicture,
    /** Returns the pause after a request to the site, in milliseconds. */
    findPause,
    /** Returns null if the rules forbid the request. Errors: also for an unreadable robots.txt. */
    async request(
      url: string,
      request: OutboundRequest & { readonly signal: AbortSignal },
    ): Promise<OutboundAnswer | null> {
      const { isAllowed } = await readRules(url, request.signal);
      return isAllowed(url) ? ask(url, request) : null;
    },
  };
}

/** Tells whether the site answered, but not with rules, in contrast to errors of the connection. */
export function isAboutSiteRules(error: AppError): boolean {
  return error.code !== 'OUTBOUND_FAILED' && error.code !== 'OUTBOUND_REFUSED';
}

export interface HostPace {
  /** Number of hosts that are visited at the same time. */
  readonly hosts: number;
  /** Number of addresses that are read ahead, to visit several hosts in a list sorted by host. */
  readonly ahead: number;
}

/** Visits several hosts at once, each one address at a time with a rest between.
 *  @param visit returns the rest afterwards in milliseconds
 *  Errors: those of a visit or the list, once visits under way have ended; the signal's reason. */
export async function visitHosts(
  urls: AsyncIterable<string>,
  visit: (url: string) => Promise<number>,
  { hosts, ahead, signal }: HostPace & { readonly signal: AbortSignal },
): Promise<void> {
  // Not `AbortSignal.any`, which would keep all of this in memory until a signal is aborted.
  const { signal: stop, abort, unlink } = linkSignal(signal);
  const inTurn = limitConcurrency({ running: hosts });
  /** The last visit of each host, with the rest after it; none rejects. */
  const lanes = new Map<string, Promise<void>>();
  let waiting = 0;
  let onBegin = () => {};
  stop.addEventListener('abort', () => onBegin(), { once: true });

  async function visitAfter(before: Promise<void> | undefined, url: string): Promise<void> {
    await before;
    const restMs = await inTurn(async () => {
      waiting--;
      onBegin();
      return stop.aborted ? 0 : visit(url);
    });
    if (restMs > 0 && !stop.aborted) await wait(restMs, undefined, { signal: stop }).catch(() => undefined);
  }

  try {
    for await (const url of urls) {
      const { host } = new URL(url);
      waiting++;
      const lane = visitAfter(lanes.get(host), url)
        .catch(abort)
        .finally(() => lanes.get(host) === lane && lanes.delete(host));
      lanes.set(host, lane);
      while (waiting >= ahead && !stop.aborted) await new Promise<void>((resolve) => (onBegin = resolve));
      if (stop.aborted) break;
    }
  } catch (error) {
    abort(error);
  }
  await Promise.all(lanes.values());
  unlink();
  stop.throwIfAborted();
}
