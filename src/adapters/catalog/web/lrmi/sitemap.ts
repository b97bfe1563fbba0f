import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Handler } from 'htmlparser2';
import * as robotsModule from 'robots-parser';
import { readMarkup, stopMarkup } from '#adapters/catalog/markup';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportRequest, RejectedRow, SourceProblem } from '#ports/imports';
import type { Fetch, WebContext } from '../fetcher.ts';
import { decodeText } from '../location.ts';

type Sitemap = { readonly kind: 'pages' | 'index'; readonly addresses: readonly string[] };

/** Limit of the sitemap protocol. */
const MAX_ADDRESSES = 50_000;
/** Of an unpacked sitemap, which is read as a whole; the protocol allows more. */
const MAX_PLAIN_BYTES = 16 * 1_048_576;

/** Decompresses a sitemap in gzip; null if it is damaged, or larger than 16 MiB when unpacked. */
export function unpackSitemap(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_PLAIN_BYTES });
  } catch {
    return null;
  }
}

/** Reads a sitemap in XML, or as text with an address in each line; null for any other content.
 *  Source: https://www.sitemaps.org/protocol.html */
export function readSitemap(bytes: Uint8Array, place: string): Sitemap | null {
  const text = decodeText(bytes);
  const lines = text.slice(0, 1).match(/[h\s\uFEFF]/) ? text.split(/\s+/).filter((line) => line !== '') : [];
  if (lines.length > 0 && lines.every((line) => /^https?:\/\//i.test(line)))
    return { kind: 'pages', addresses: lines.slice(0, MAX_ADDRESSES) };
  const addresses: string[] = [];
  const open: string[] = [];
  let kind: Sitemap['kind'] | null = null;
  let loc = '';
  const isLoc = () => open.at(-1) === 'loc' && ['url', 'sitemap'].includes(open.at(-2) ?? '');
  const handler: Partial<Handler> = {
    onopentagname(prefixed) {
      const name = prefixed.slice(prefixed.indexOf(':') + 1);
      if (open.length === 0) kind = name === 'urlset' ? 'pages' : name === 'sitemapindex' ? 'index' : null;
      if (kind === null) stopMarkup();
      open.push(name);
      loc = '';
    },
    ontext(text) {
      if (isLoc() && loc.length < 2_100) loc += text;
    },
    onclosetag() {
      if (isLoc() && addresses.length < MAX_ADDRESSES) addresses.push(loc.trim());
      open.pop();
    },
  };
  readMarkup(text, handler, { place, xmlMode: true });
  return kind === null ? null : { kind, addresses };
}

const MAX_SITEMAPS = 1_000;

/** Distinct pages of the sitemaps and of those that they list, up to a limit. */
export async function listSitemapPages(reading: Reading, site: Site) {
  const { context, walk, signal } = reading;
  const pages = new Set<string>();
  const refused: RejectedRow[] = [];
  const sitemaps = new Set(site.start.map((url) => moveToOrigin(url, site.origin)));
  const isTooMuch = () => sitemaps.size > MAX_SITEMAPS || pages.size > context.maxPages;
  for (const url of sitemaps) {
    if (isTooMuch()) break;
    const sitemap = await fetchSitemap(url, reading, site);
    if (typeof sitemap === 'string') {
      walk.isWhole = false;
      refused.push({ place: url.slice(0, 300), reason: sitemap });
    } else {
      const addresses = sitemap.kind === 'index' ? sitemaps : pages;
      for (const address of sitemap.addresses) addresses.add(moveToOrigin(address, site.origin));
    }
    if (sitemaps.size > 1) await wait(context.pauseMs, undefined, { signal });
  }
  if (isTooMuch()) {
    walk.isWhole = false;
    refused.push({
      place: site.origin,
      reason: `has more than ${context.maxPages} pages or ${MAX_SITEMAPS} sitemaps: the rest is not read`,
    });
  }
  return { pages: [...pages].slice(0, context.maxPages), refused };
}

/** Changes the origin of an address to that of the site, if only the scheme or a `www` differs.
 *  @example moveToOrigin('http://www.example.org/a', 'https://example.org') */
export function moveToOrigin(url: string, origin: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  const site = new URL(origin);
  const plain = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const isDefault = ({ port }: URL) => port === '';
  const isSame =
    plain(address) === plain(site) && (address.port === site.port || (isDefault(address) && isDefault(site)));
  return isSame ? `${origin}${address.pathname}${address.search}${address.hash}` : address.href;
}

export const explainElsewhere = (origin: string): string => `is not on ${origin}, and only that site is read`;

async function fetchSitemap(url: string, reading: Reading, { robots, origin }: Site): Promise<Sitemap | string> {
  const { context, signal } = reading;
  if (!URL.canParse(url)) return 'is not an address';
  if (new URL(url).origin !== origin) return explainElsewhere(origin);
  if (!robots.isAllowed(url)) return 'is forbidden to programs by the robots.txt of the site';
  const answer = await context.fetch(url, { signal });
  if (answer.status >= 300) return `answered with the status ${answer.status}`;
  const bytes = unpackSitemap(answer.bytes);
  if (bytes === null) return 'is damaged, or larger than 16 MiB when unpacked';
  return readSitemap(bytes, showWebAddress(answer.url)) ?? 'is not a sitemap';
}

/** A reading of a page, a file or a site. */
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
  readonly start: readonly string[];
}

export interface Robots {
  isAllowed(url: string): boolean;
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/** The types claim a default export, but the module itself is the function. */
const robotsParser = robotsModule.default as unknown as typeof robotsModule.default.default;

const AGENT = 'Skilldock';
const MAX_DELAY_SECONDS = 30;
const MAX_BYTES = 524_288;
/** Of all rules with wildcards together: a match may compare each with each character of an
 *  address. The largest sites have a tenth of this. */
const MAX_PATTERN_CHARACTERS = 50_000;

/** Errors: IMPORT_INVALID for rules that cannot be followed; SOURCE_UNAVAILABLE. */
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
