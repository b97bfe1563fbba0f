import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '../../../../errors.ts';
import type { ImportItem, ImportRequest, ImportSource } from '../../../../ports/imports.ts';
import { providerOf } from '../../provider-of.ts';
import type { WebContext } from '../open-web-source.ts';
import { readLocation } from '../read-location.ts';
import { type ReadObject, toParts } from '../read-objects.ts';
import { absoluteUrl, datasetOf, isAddress, titleOf } from '../web-names.ts';
import { toFeedObject } from './feed-object.ts';
import type { FeedPage } from './feed-page.ts';
import { readFeed } from './read-feed.ts';

/** Pages of an archive that are read at most. */
const MAX_PAGES = 200;
/** Entries between two breaths. */
const SOME = 500;

/** A feed (RSS, Atom, RDF, JSON) with the older pages that it names. It shows the newest only, so that nothing is gone because
 *  it is not in it any more. */
export function openFeedSource(request: ImportRequest, context: WebContext): ImportSource {
  return {
    format: 'feed',
    dataset: datasetOf(request),
    title: titleOf(request),
    covers: [],
    fingerprint: null,
    total: null,
    unit: 'pages',
    read: ({ signal }) => readPages(request, context, signal),
  };
}

async function* readPages(
  request: ImportRequest,
  { fetch, maxPages }: WebContext,
  signal: AbortSignal,
): AsyncGenerator<ImportItem> {
  const seen = new Set<string>();
  let location: string | null = request.location;
  for (let done = 1; location !== null && done <= Math.min(MAX_PAGES, maxPages); done++) {
    seen.add(location);
    const { text, url } = await readLocation({ ...request, location }, fetch, signal);
    const page = parse(text, request);
    const objects = await objectsOf(page, request, url);
    yield { position: location, done, ...toParts(objects) };
    location = nextOf(page, url, seen);
  }
}

async function objectsOf(page: FeedPage, request: ImportRequest, base: string): Promise<ReadObject[]> {
  const home = absoluteUrl(page.url, base);
  const provider = providerOf(page.name ?? request.provider, home, titleOf(request));
  const objects: ReadObject[] = [];
  for (const entry of page.entries) {
    if (objects.length % SOME === SOME - 1) await breathe();
    objects.push(toFeedObject(entry, page, { base, provider, defaultLang: request.langs[0] }));
  }
  return objects;
}

/** Null at the end, where it is reached again, and in a file, whose pages are elsewhere. */
function nextOf({ next }: FeedPage, base: string, seen: ReadonlySet<string>): string | null {
  if (next === undefined || !isAddress(base) || !URL.canParse(next, base)) return null;
  const { href } = new URL(next, base);
  return seen.has(href) ? null : href;
}

/** Errors: IMPORT_INVALID. */
function parse(text: string, request: ImportRequest): FeedPage {
  try {
    return readFeed(text);
  } catch (cause) {
    throw new AppError(
      'IMPORT_INVALID',
      `${titleOf(request)} is no feed (RSS, Atom, RDF or JSON Feed), or a damaged one. Enter the address of the feed itself, not of the page that names it.`,
      { cause },
    );
  }
}
