import { setTimeout as wait } from 'node:timers/promises';
import type { AppError } from '#errors';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';

/** What a site asks of programs. */
export interface SiteRules {
  isAllowed(url: string): boolean;
  /** Between two requests. */
  readonly delayMs: number;
}

/** How links are visited: the calls themselves, and how the rules of a site are read. */
export interface LinkWays {
  readonly outbound: Outbound;
  /** Errors: those of `fetch`, and where nobody knows what may be read there. */
  readSiteRules(origin: string, fetch: Outbound['request'], signal: AbortSignal): Promise<SiteRules>;
}

/** Requests as a site wants them: one after another with a rest between, and none that its
 *  robots.txt refuses. */
export interface SiteManners {
  /** Null where the site asks programs to stay away. Errors: those of `Outbound`; also where its
   *  robots.txt cannot be had, which is not consent. */
  request(
    url: string,
    request: OutboundRequest & { readonly signal: AbortSignal },
  ): Promise<OutboundAnswer | null>;
  /** How long the site is left alone after a request, in milliseconds. */
  restOf(url: string): number;
}

const TIMEOUT_MS = 10_000;

export function createSiteManners({ outbound, readSiteRules }: LinkWays, pauseMs: number): SiteManners {
  /** By host, in the time of `performance`. */
  const readyAt = new Map<string, number>();
  const rests = new Map<string, number>();
  const rules = new Map<string, Promise<SiteRules>>();
  const restOf = (url: string) => rests.get(new URL(url).host) ?? pauseMs;

  async function takeTurn(url: string, signal: AbortSignal | undefined): Promise<void> {
    const { host } = new URL(url);
    const now = performance.now();
    const turn = Math.max(now, readyAt.get(host) ?? 0);
    readyAt.set(host, turn + restOf(url));
    if (turn > now) await wait(turn - now, undefined, { ...(signal !== undefined && { signal }) });
  }

  async function ask(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    await takeTurn(url, request.signal);
    return outbound.request(url, request);
  }

  function rulesOf(url: string, signal: AbortSignal): Promise<SiteRules> {
    const { origin, host } = new URL(url);
    const known = rules.get(origin);
    if (known !== undefined) return known;
    const fetch: Outbound['request'] = (address, request) =>
      ask(address, { timeoutMs: TIMEOUT_MS, redirects: 5, ...request });
    const read = readSiteRules(origin, fetch, signal);
    rules.set(origin, read);
    return read.then((found) => {
      rests.set(host, Math.max(pauseMs, found.delayMs));
      return found;
    });
  }

  return {
    restOf,
    async request(url, request) {
      const { isAllowed } = await rulesOf(url, request.signal);
      return isAllowed(url) ? ask(url, request) : null;
    },
  };
}

/** Whether the rules of a site could not be read as it answered with something else than rules. */
export function isAboutSiteRules(error: AppError): boolean {
  return error.code !== 'OUTBOUND_FAILED' && error.code !== 'OUTBOUND_REFUSED';
}
