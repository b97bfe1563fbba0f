import { toObjectParts } from '#adapters/catalog/object-parts';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportItem, ImportRequest, ImportSource, SourceProblem } from '#ports/imports';
import { requireFetchedPage, type WebContext } from '../fetcher.ts';
import { decodeText, readTextAtLocation } from '../read-text.ts';
import {
  fingerprintWebRequest,
  isWebLocation,
  nameWebDataset,
  nameWebSource,
  RESUMABLE_MS,
} from '../web-names.ts';
import { readPageObjects } from './schema-object.ts';
import { type Reading, type Robots, readSiteRobots, type Walk } from './site.ts';
import { readSitemap, unpackSitemap } from './sitemap.ts';
import { walkSite } from './walk-site.ts';

/** The schema.org descriptions (LRMI) of a page, of a file, or of all pages that a site's sitemap names.
 *
 *  A site is visited politely: its robots.txt is obeyed, one page at a time is asked for, with a pause between. */
export function openLrmiSource(request: ImportRequest, context: WebContext): ImportSource {
  const walk: Walk = { isWhole: true };
  return {
    format: 'lrmi',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    /** Known only at the end: objects on pages that were not read are not removed. */
    get covers() {
      return walk.isWhole ? [''] : [];
    },
    fingerprint: isWebLocation(request.location) ? fingerprintWebRequest(request) : null,
    resumableForMs: RESUMABLE_MS,
    total: null,
    unit: 'pages',
    read: ({ after, signal }) => read({ request, context, walk, signal }, after),
  };
}

async function* read(reading: Reading, after: string | null): AsyncGenerator<ImportItem> {
  const { request, context, signal } = reading;
  reading.walk.isWhole = true;
  if (!isWebLocation(request.location)) {
    const { text, url } = await readTextAtLocation(request, context.fetch, signal);
    return yield onePage(reading, url, text);
  }
  const { href, pathname } = new URL(request.location);
  const { answer, robots, origin } = await openSite(href, reading);
  const bytes = unpackSitemap(answer.bytes) ?? answer.bytes;
  const isSitemap = readSitemap(bytes, showWebAddress(answer.url)) !== null;
  const named = !isSitemap && pathname === '/' ? robots.sitemaps : [];
  if (isSitemap || named.length > 0)
    return yield* walkSite(reading, { robots, origin, start: isSitemap ? [answer.url] : named }, after);
  yield onePage(reading, answer.url, decodeText(bytes, answer.headers['content-type']));
}

/** What is at the address, and the site that it redirects to, as from `http` to `https`, or to another name of the site.
 *  Errors: IMPORT_INVALID where the site closes it to programs; SOURCE_UNAVAILABLE. */
export async function openSite(href: string, { context, signal }: Reading) {
  const robots = await readAllowed(href, context, signal);
  const answer = await context.fetch(href, { signal });
  requireFetchedPage(answer);
  const { origin } = new URL(answer.url);
  const isSame = origin === new URL(href).origin;
  return { answer, origin, robots: isSame ? robots : await readAllowed(answer.url, context, signal) };
}

async function readAllowed(href: string, { fetch }: WebContext, signal: AbortSignal): Promise<Robots> {
  const robots = await readSiteRobots(new URL(href).origin, fetch, signal);
  if (robots.isAllowed(href)) return robots;
  throw new AppError(
    'IMPORT_INVALID',
    `The robots.txt of ${new URL(href).host} closes this address to programs. Ask those who run the site.`,
    { data: { reason: 'robots' satisfies SourceProblem } },
  );
}

/** Errors: IMPORT_INVALID where nothing is there. */
function onePage({ request }: Reading, page: string, text: string): ImportItem {
  const { objects, found } = readPageObjects(request, page, text);
  if (objects.length === 0)
    throw new AppError(
      'IMPORT_INVALID',
      `${nameWebSource(request)} describes nothing to learn with in JSON-LD (schema.org). ${found.broken > 0 ? 'What it has there is not JSON.' : 'Enter the address of a page that does, or of a sitemap.'}`,
    );
  return { position: page, done: 1, ...toObjectParts(objects) };
}
