import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Handler } from 'htmlparser2';
import { readMarkup, stopMarkup } from '#adapters/catalog/markup';
import { showWebAddress } from '#domain/web-address';
import { decodeText } from '../read-text.ts';
import type { Reading, Site } from './site.ts';

export interface Sitemap {
  readonly kind: 'pages' | 'index';
  readonly addresses: readonly string[];
}

/** Limit of the sitemap protocol. */
const MAX_ADDRESSES = 50_000;
/** Less than the protocol allows: it is read in one go. */
const MAX_PLAIN_BYTES = 16 * 1_048_576;

/** Unpacks what is packed. Null where more than 16 MiB come out, or it is damaged. */
export function unpackSitemap(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_PLAIN_BYTES });
  } catch {
    return null;
  }
}

/** What a sitemap lists; null where the text is not a sitemap. Source: https://www.sitemaps.org/protocol.html
 *  Errors: those of `readMarkup`.
 *  @param place its address */
export function readSitemap(bytes: Uint8Array, place: string): Sitemap | null {
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
  readMarkup(decodeText(bytes), handler, { place, xmlMode: true });
  return kind === null ? null : { kind, addresses };
}

const MAX_SITEMAPS = 1_000;

/** All pages of the sitemaps, and of those that these name, each once, as many as are read at most. */
export async function listSitemapPages(reading: Reading, site: Site): Promise<string[]> {
  const { context, walk, signal } = reading;
  const pages = new Set<string>();
  const sitemaps = new Set(site.start);
  const isTooMuch = () => sitemaps.size > MAX_SITEMAPS || pages.size > context.maxPages;
  for (const url of sitemaps) {
    if (isTooMuch()) break;
    const sitemap = await fetchSitemap(url, reading, site);
    if (sitemap === null) walk.isWhole = false;
    const found = sitemap?.kind === 'index' ? sitemaps : pages;
    for (const address of sitemap?.addresses ?? []) found.add(address);
    if (sitemaps.size > 1) await wait(context.pauseMs, undefined, { signal });
  }
  if (isTooMuch()) walk.isWhole = false;
  return [...pages].slice(0, context.maxPages);
}

/** The sitemap at an address; null where there is none, or it may not be read. */
async function fetchSitemap(
  url: string,
  { context, signal }: Reading,
  { robots, origin }: Site,
): Promise<Sitemap | null> {
  if (!URL.canParse(url) || new URL(url).origin !== origin || !robots.isAllowed(url)) return null;
  const answer = await context.fetch(url, { signal });
  const bytes = answer.status < 300 ? unpackSitemap(answer.bytes) : null;
  return bytes === null ? null : readSitemap(bytes, showWebAddress(answer.url));
}
