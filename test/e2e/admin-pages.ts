/// <reference lib="dom" />
import type { Page } from 'playwright-core';

const MAX_PAGES = 100;

/** Opens what can be reached on the admin page by links, one page of each kind: those of one tenant stand for those of all.
 *  Gives the kinds. */
export async function walkPages(page: Page, url: string, visit: () => Promise<void>): Promise<string[]> {
  const kinds = new Set<string>();
  const waiting = ['/admin'];
  for (let path = waiting.shift(); path !== undefined && kinds.size < MAX_PAGES; path = waiting.shift()) {
    const kind = kindOf(path);
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    await page.goto(url + path, { waitUntil: 'load' });
    waiting.push(...(await linksOf(page)));
    await visit();
  }
  return [...kinds];
}

async function linksOf(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('a[href^="/admin"]:not([download])')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('#')[0]!));
  return [...new Set(hrefs)];
}

/** The path without what tells one record from another, and without how a list is shown. The default tenant has a page
 *  unlike those of the others. */
function kindOf(path: string): string {
  const [place = ''] = path.split('?');
  return place
    .replace(/^(\/admin\/tenants)\/(?!_new|default$)[^/]+/, '$1/ID')
    .replace(/^(\/admin\/admins)\/(?!invite|links?)[^/]+/, '$1/ID')
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID');
}
