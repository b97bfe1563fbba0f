import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Handler } from 'htmlparser2';
import { readMarkup, stopMarkup } from '#adapters/catalog/markup';
import { showWebAddress } from '#domain/web-address';
import type { RejectedRow } from '#ports/imports';
import { decodeText } from '../location.ts';
import { findReasonToSkip, moveToOrigin, type Reading, type Site } from './site.ts';

type Sitemap = { readonly kind: 'pages' | 'index'; readonly addresses: readonly string[] };

/** The limit of the sitemap protocol. */
const MAX_ADDRESSES = 50_000;
/** Limit of an unpacked sitemap, which is read as a whole; the protocol allows more. */
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

const kindsByRoot = new Map<string, Sitemap['kind']>([
  ['urlset', 'pages'],
  ['sitemapindex', 'index'],
]);

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
      if (open.length === 0) kind = kindsByRoot.get(name) ?? null;
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

/** Lists the distinct pages of the site's sitemaps and of those that they list, up to a limit. */
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

/** Returns a text, the reason, if the sitemap cannot be read. */
async function fetchSitemap(url: string, { context, signal }: Reading, site: Site): Promise<Sitemap | string> {
  const skipped = findReasonToSkip(url, site);
  if (skipped !== null) return skipped.reason;
  const answer = await context.fetch(url, { signal });
  if (answer.status >= 300) return `answered with the status ${answer.status}`;
  const bytes = unpackSitemap(answer.bytes);
  if (bytes === null) return 'is damaged, or larger than 16 MiB when unpacked';
  return readSitemap(bytes, showWebAddress(answer.url)) ?? 'is not a sitemap';
}
