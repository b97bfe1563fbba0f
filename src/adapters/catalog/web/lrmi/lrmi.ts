import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { toObjectParts } from '#adapters/catalog/object-record';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { type ImportItem, type ImportRequest, type ImportSource, PositionLost } from '#ports/imports';
import type { WebContext } from '../fetcher.ts';
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
import { findReasonToSkip, moveToOrigin, openSite, type Reading, type Site, type Walk } from './site.ts';
import { listSitemapPages, readSitemap, unpackSitemap } from './sitemap.ts';

/** Opens a page, a file, or all pages of a sitemap, which are read one by one with pauses. */
export function openLrmiSource(request: ImportRequest, context: WebContext): ImportSource {
  const walk: Walk = { isWhole: true };
  return {
    format: 'lrmi',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    // Known at the end only: objects on unread pages must not be removed.
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
  const { answer, robots, origin } = await openSite(href, context, signal);
  const bytes = unpackSitemap(answer.bytes) ?? answer.bytes;
  const isSitemap = readSitemap(bytes, showWebAddress(answer.url)) !== null;
  const listed = pathname === '/' ? robots.sitemaps : [];
  const start = isSitemap ? [answer.url] : listed;
  if (start.length > 0) return yield* walkLrmiSite(reading, { robots, origin, start }, after);
  yield toLrmiPageItem(reading, answer.url, decodeText(bytes, answer.headers['content-type']));
}

/** Reads the only page of a source. Errors: IMPORT_INVALID if it describes no learning resource. */
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

/** Reads the pages of a site. Errors: SOURCE_UNAVAILABLE; PositionLost, also at the end. */
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
    // Other work can go on, however many addresses are refused in a row.
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

async function fetchLrmiPage(reading: Reading, { origin }: Site, url: string): Promise<PageOutcome> {
  const { request, context, walk, signal } = reading;
  const answer = await context.fetch(url, { signal, accept: 'text/html' });
  const { status } = answer;
  if (status === 404 || status === 410) return createLrmiRefusal(url, `answered with the status ${status}`);
  // The objects of such a page may still exist.
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
