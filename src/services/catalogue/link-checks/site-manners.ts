import { setTimeout as wait } from 'node:timers/promises';
import type { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';

/** The rules of a site for programs, from its robots.txt. */
export interface SiteRules {
  isAllowed(url: string): boolean;
  /** Minimum time between two requests. */
  readonly delayMs: number;
}

/** The functions that send requests and that read the rules of a site. */
export interface LinkWays {
  readonly outbound: Outbound;
  /** Errors: those of `fetch`; also if the rules of the site cannot be determined. */
  readSiteRules(origin: string, fetch: Outbound['request'], signal: AbortSignal): Promise<SiteRules>;
}

/** Sends requests by the rules of each site: one at a time with a pause between, and none that the
 *  robots.txt refuses. */
export type SiteManners = ReturnType<typeof createSiteManners>;

const TIMEOUT_MS = 10_000;

export function createSiteManners({ outbound, readSiteRules }: LinkWays, pauseMs: number) {
  /** By host, in the time of `performance`. */
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
    const fetch: Outbound['request'] = (address, request) =>
      ask(address, { timeoutMs: TIMEOUT_MS, redirects: 5, ...request });
    const promise = readSiteRules(origin, fetch, signal);
    rules.set(origin, promise);
    return promise.then((siteRules) => {
      pauses.set(host, Math.max(pauseMs, siteRules.delayMs));
      return siteRules;
    });
  }

  return {
    /** The pause after a request to the site, in milliseconds. */
    findPause,
    /** Null if the rules of the site forbid the address. Errors: those of `Outbound`; also if the
     *  robots.txt cannot be read, as this is not consent. */
    async request(
      url: string,
      request: OutboundRequest & { readonly signal: AbortSignal },
    ): Promise<OutboundAnswer | null> {
      const { isAllowed } = await readRules(url, request.signal);
      return isAllowed(url) ? ask(url, request) : null;
    },
  };
}

/** Whether an error is about the rules of a site, not about the connection: the site answered, but
 *  not with rules. */
export function isAboutSiteRules(error: AppError): boolean {
  return error.code !== 'OUTBOUND_FAILED' && error.code !== 'OUTBOUND_REFUSED';
}
