import { setTimeout as wait } from 'node:timers/promises';
import { readSitemap, type Sitemap, unpack } from './sitemap.ts';
import type { Reading, Site } from './walk.ts';

const MAX_SITEMAPS = 1_000;

/** All pages of the sitemaps, and of those that these name, each once, as many as are read at most. */
export async function listPages(reading: Reading, site: Site): Promise<string[]> {
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

/** Null where there is none that may be read. */
async function fetchSitemap(
  url: string,
  { context, signal }: Reading,
  { robots, origin }: Site,
): Promise<Sitemap | null> {
  if (!URL.canParse(url) || new URL(url).origin !== origin || !robots.isAllowed(url)) return null;
  const answer = await context.fetch(url, { signal });
  const bytes = answer.status < 300 ? unpack(answer.bytes) : null;
  return bytes === null ? null : readSitemap(bytes);
}
