import * as robotsModule from 'robots-parser';
import { AppError } from '#errors';
import type { ImportRequest, SourceProblem } from '#ports/imports';
import { type Fetch, requireFetchedPage, type WebContext } from '../fetcher.ts';
import { decodeText } from '../location.ts';

export interface Reading {
  readonly request: ImportRequest;
  readonly context: WebContext;
  readonly walk: Walk;
  readonly signal: AbortSignal;
}

/** `isWhole` becomes false once something that belongs to the source could not be read. */
export type Walk = { isWhole: boolean };

export interface Site {
  readonly robots: Robots;
  readonly origin: string;
  /** Addresses of sitemaps. */
  readonly start: readonly string[];
}

/** What a `robots.txt` says to Skilldock. */
export interface Robots {
  isAllowed(url: string): boolean;
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/** Fetches a page that robots.txt allows; redirects may change its site. Errors: as of `Fetch`. */
export async function openSite(href: string, context: WebContext, signal: AbortSignal) {
  const robots = await requireAllowedPage(href, context, signal);
  const answer = await context.fetch(href, { signal });
  requireFetchedPage(answer);
  const { origin } = new URL(answer.url);
  const isSame = origin === new URL(href).origin;
  return { answer, origin, robots: isSame ? robots : await requireAllowedPage(answer.url, context, signal) };
}

async function requireAllowedPage(href: string, { fetch }: WebContext, signal: AbortSignal): Promise<Robots> {
  const robots = await readSiteRobots(new URL(href).origin, fetch, signal);
  if (robots.isAllowed(href)) return robots;
  throw new AppError(
    'IMPORT_INVALID',
    `The robots.txt of ${new URL(href).host} forbids this address to programs. Ask the operators of the site.`,
    { data: { reason: 'robots' satisfies SourceProblem } },
  );
}

/** Changes the origin of an address to that of the site, if only the scheme or a `www` differs.
 *  @example moveToOrigin('http://www.example.org/a', 'https://example.org')
 *  // 'https://example.org/a' */
export function moveToOrigin(url: string, origin: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  const site = new URL(origin);
  const plain = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const isSame = plain(address) === plain(site) && address.port === site.port;
  return isSame ? `${origin}${address.pathname}${address.search}${address.hash}` : address.href;
}

/** Says why an address must not be read, and whether it is on another site. Null if it may be. */
export function findReasonToSkip(
  url: string,
  { robots, origin }: Site,
): { readonly reason: string; readonly isExternal: boolean } | null {
  if (!URL.canParse(url)) return { reason: 'is not an address', isExternal: false };
  if (new URL(url).origin !== origin)
    return { reason: `is not on ${origin}, and only that site is read`, isExternal: true };
  if (robots.isAllowed(url)) return null;
  return { reason: 'is forbidden to programs by the robots.txt of the site', isExternal: false };
}

/** The types claim a default export, but the module itself is the function. */
const robotsParser = robotsModule.default as unknown as typeof robotsModule.default.default;

const AGENT = 'Skilldock';
const MAX_DELAY_SECONDS = 30;
const MAX_BYTES = 524_288;
/** Limit of all rules with wildcards together: matching may compare each of their characters with
 *  each of an address. The largest sites have a tenth of this. */
const MAX_PATTERN_CHARACTERS = 50_000;

/** Reads what `robots.txt` allows; everything without one. Errors: those of `Fetch`. */
export async function readSiteRobots(origin: string, fetch: Fetch, signal: AbortSignal): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const { status, bytes, headers } = await fetch(url, { signal, maxBytes: MAX_BYTES });
  if (status >= 500)
    throw new AppError(
      'SOURCE_UNAVAILABLE',
      `${url} answered with the status ${status}, so that nobody knows what may be read there. Try again later.`,
      { data: { reason: 'server-error' satisfies SourceProblem } },
    );
  const text = status < 300 ? decodeText(bytes, headers['content-type']) : '';
  const patterns = text.split(/[\r\n]+/).filter((line) => line.includes('*'));
  const { length: characters } = patterns.join('');
  if (characters > MAX_PATTERN_CHARACTERS)
    throw new AppError(
      'IMPORT_INVALID',
      `${url} has more rules with wildcards than can be followed (${characters} characters, at most ${MAX_PATTERN_CHARACTERS}), so that nobody knows what may be read there. Ask those who run the site.`,
    );
  const rules = robotsParser(url, text);
  return {
    isAllowed: (address) => rules.isAllowed(address, AGENT) !== false,
    delayMs: 1_000 * Math.min(rules.getCrawlDelay(AGENT) ?? 0, MAX_DELAY_SECONDS),
    sitemaps: rules.getSitemaps(),
  };
}
