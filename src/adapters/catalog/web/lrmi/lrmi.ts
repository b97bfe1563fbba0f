import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { toObjectParts } from '#adapters/catalog/object-record';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportItem, ImportRequest, ImportSource, SourceProblem } from '#ports/imports';
import { PositionLost } from '#ports/imports';
import { requireFetchedPage, type WebContext } from '../fetcher.ts';
import {
  decodeText,
  fingerprintWebRequest,
  isWebLocation,
  nameWebDataset,
  nameWebSource,
  RESUMABLE_MS,
  readTextAtLocation,
} from '../location.ts';
import { readSchemaObjects } from './schema-object.ts';
import type { Reading, Robots, Site, Walk } from './sitemap.ts';
import {
  explainElsewhere,
  listSitemapPages,
  moveToOrigin,
  readSitemap,
  readSiteRobots,
  unpackSitemap,
} from './sitemap.ts';

/** A page, a file, or all pages of a sitemap, one at a time with pauses. Obeys robots.txt. */
export function openLrmiSource(request: ImportRequest, context: WebContext): ImportSource {
  const walk: Walk = { isWhole: true };
  return {
    format: 'lrmi',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    /** Complete only at the end: objects on unread pages are not removed. */
    get covers() {
      return walk.isWhole ? [''] : [];
    },
    fingerprint: isWebLocation(request.location) ? fingerprintWebRequest(request) : null,
    resumableForMs: RESUMABLE_MS,
    total: null,
    unit: 'pages',
    read: ({ after, signal }) => readLrmiItems({ request, context, walk, signal }, after),
  };
}

async function* readLrmiItems(reading: Reading, after: string | null): AsyncGenerator<ImportItem> {
  const { request, context, signal } = reading;
  reading.walk.isWhole = true;
  if (!isWebLocation(request.location)) {
    const { text, url } = await readTextAtLocation(request, context.fetch, signal);
    return yield toLrmiPageItem(reading, url, text);
  }
  const { href, pathname } = new URL(request.location);
  const { answer, robots, origin } = await openLrmiSite(href, reading);
  const bytes = unpackSitemap(answer.bytes) ?? answer.bytes;
  const isSitemap = readSitemap(bytes, showWebAddress(answer.url)) !== null;
  const named = !isSitemap && pathname === '/' ? robots.sitemaps : [];
  if (isSitemap || named.length > 0)
    return yield* walkLrmiSite(reading, { robots, origin, start: isSitemap ? [answer.url] : named }, after);
  yield toLrmiPageItem(reading, answer.url, decodeText(bytes, answer.headers['content-type']));
}

/** Finds the site after redirects, as from `http` to `https`. */
export async function openLrmiSite(href: string, { context, signal }: Reading) {
  const robots = await readAllowedLrmiPage(href, context, signal);
  const answer = await context.fetch(href, { signal });
  requireFetchedPage(answer);
  const { origin } = new URL(answer.url);
  const isSame = origin === new URL(href).origin;
  return { answer, origin, robots: isSame ? robots : await readAllowedLrmiPage(answer.url, context, signal) };
}

async function readAllowedLrmiPage(href: string, { fetch }: WebContext, signal: AbortSignal): Promise<Robots> {
  const robots = await readSiteRobots(new URL(href).origin, fetch, signal);
  if (robots.isAllowed(href)) return robots;
  throw new AppError(
    'IMPORT_INVALID',
    `The robots.txt of ${new URL(href).host} forbids this address to programs. Ask the operators of the site.`,
    { data: { reason: 'robots' satisfies SourceProblem } },
  );
}

/** Errors: IMPORT_INVALID if the page describes nothing. */
function toLrmiPageItem({ request }: Reading, page: string, text: string): ImportItem {
  const { objects, jsonLd } = readSchemaObjects(request, page, text);
  if (objects.length === 0)
    throw new AppError(
      'IMPORT_INVALID',
      `${nameWebSource(request)} describes no learning resource in JSON-LD (schema.org). ${jsonLd.broken > 0 ? 'What it contains is not valid JSON.' : 'Enter the address of a page that does, or of a sitemap.'}`,
    );
  return { position: page, done: 1, ...toObjectParts(objects), rows: jsonLd.nodes.length };
}

/** Unreadable pages in a row after which the site counts as unavailable. */
const MAX_FAILURES = 5;

type Position = { readonly done: number; readonly url: string; readonly isWhole: boolean };

/** Errors: PositionLost if the list has changed, or is read to its end. */
async function* walkLrmiSite(reading: Reading, site: Site, after: string | null): AsyncGenerator<ImportItem> {
  const { context, walk, signal } = reading;
  const { pages, refused: unread } = await listSitemapPages(reading, site);
  if (after === null && unread.length > 0)
    yield { position: null, done: 0, rows: unread.length, parts: [], rejected: unread };
  const from = after === null ? null : readLrmiPosition(after, pages);
  if (from !== null) walk.isWhole &&= from.isWhole;
  let failures = 0;
  for (let number = from?.done ?? 0; number < pages.length; number++) {
    const url = pages[number] ?? '';
    signal.throwIfAborted();
    const item = await readLrmiPage(reading, site, url);
    failures = item.isFailed ? failures + 1 : 0;
    if (failures === MAX_FAILURES)
      throw new AppError(
        'SOURCE_UNAVAILABLE',
        `${new URL(url).host} did not answer for ${MAX_FAILURES} pages in a row. Begin the import again later: it goes on from here.`,
      );
    const position: Position = { done: number + 1, url, isWhole: walk.isWhole };
    yield { position: JSON.stringify(position), done: number + 1, ...item.parts };
    if (number + 1 === pages.length) return;
    // Lets other work run, however many addresses are refused in a row.
    await (item.isAsked ? wait(Math.max(context.pauseMs, site.robots.delayMs), undefined, { signal }) : breathe());
  }
}

function readLrmiPosition(after: string, pages: readonly string[]): Position {
  const from = JSON.parse(after) as Position;
  const isSameList = pages[from.done - 1] === from.url;
  if (isSameList && from.done < pages.length) return from;
  throw new PositionLost(isSameList ? 'all pages of the site have been read' : 'the list of the pages has changed');
}

interface PageOutcome {
  readonly isAsked: boolean;
  readonly isFailed: boolean;
  readonly parts: ReturnType<typeof toObjectParts>;
}

async function readLrmiPage(reading: Reading, site: Site, url: string): Promise<PageOutcome> {
  const { signal, walk } = reading;
  const skipped = findReasonToSkip(url, site);
  if (skipped !== null) {
    // Its content may be on the site under another address, or has moved with the site.
    if (skipped.isExternal) walk.isWhole = false;
    return createLrmiRefusal(url, skipped.reason, { isAsked: false });
  }
  try {
    return await fetchLrmiPage(reading, site, url);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    walk.isWhole = false;
    return createLrmiRefusal(url, error.message, { isFailed: error.code === 'SOURCE_UNAVAILABLE' });
  }
}

function findReasonToSkip(
  url: string,
  { robots, origin }: Site,
): { readonly reason: string; readonly isExternal: boolean } | null {
  if (!URL.canParse(url)) return { reason: 'is not an address', isExternal: false };
  if (new URL(url).origin !== origin) return { reason: explainElsewhere(origin), isExternal: true };
  if (robots.isAllowed(url)) return null;
  return { reason: 'is forbidden to programs by the robots.txt of the site', isExternal: false };
}

async function fetchLrmiPage(reading: Reading, { origin }: Site, url: string): Promise<PageOutcome> {
  const { request, context, walk, signal } = reading;
  const answer = await context.fetch(url, { signal, accept: 'text/html' });
  const { status } = answer;
  if (status === 404 || status === 410) return createLrmiRefusal(url, `answered with the status ${status}`);
  // An object that is not read after this may still exist.
  const refuse = (reason: string, isFailed = false) => {
    walk.isWhole = false;
    return createLrmiRefusal(url, reason, { isFailed });
  };
  if (status >= 300) return refuse(`answered with the status ${status}`, status >= 500);
  if (new URL(moveToOrigin(answer.url, origin)).origin !== origin) return refuse('leads to another site');
  const text = decodeText(answer.bytes, answer.headers['content-type']);
  const { objects, jsonLd } = readSchemaObjects(request, answer.url, text);
  if (objects.length === 0 && jsonLd.broken > 0) return refuse('has a JSON-LD block that is not JSON');
  return { isAsked: true, isFailed: false, parts: { ...toObjectParts(objects), rows: jsonLd.nodes.length } };
}

function createLrmiRefusal(
  place: string,
  reason: string,
  { isAsked = true, isFailed = false }: Partial<Omit<PageOutcome, 'parts'>> = {},
): PageOutcome {
  return { isAsked, isFailed, parts: { rows: 1, parts: [], rejected: [{ place, reason }] } };
}
