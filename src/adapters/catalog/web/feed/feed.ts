import { setImmediate as breathe } from 'node:timers/promises';
import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import { readMarkup } from '#adapters/catalog/markup';
import { type ReadObject, toObjectParts, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { cleanTitle, cutTextAtWord, stripTextMarkup } from '#adapters/catalog/plain-text';
import { type LearningObjectType, normalizeObjectAddress } from '#domain/learning-object';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportItem, ImportRequest, ImportSource } from '#ports/imports';
import type { WebContext } from '../fetcher.ts';
import { isWebLocation, nameWebDataset, nameWebSource, readTextAtLocation, resolveWebUrl } from '../location.ts';
import { type FeedEntry, type FeedPage, readFeed } from './read-feed.ts';

const MAX_ARCHIVE_PAGES = 200;
const MAX_FEEDS = 500;
const MAX_TITLE = 100;
/** How many entries are read before other work can go on. */
const BATCH = 500;

/** Opens a feed with its older pages, or a list of feeds. Missing entries are not removed. */
export function openFeedSource(request: ImportRequest, context: WebContext): ImportSource {
  return {
    format: 'feed',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    covers: [],
    fingerprint: null,
    total: null,
    unit: 'pages',
    read: ({ signal }) => readFeedPages(request, context, signal),
  };
}

async function* readFeedPages(
  request: ImportRequest,
  { fetch, maxPages }: WebContext,
  signal: AbortSignal,
): AsyncGenerator<ImportItem> {
  // Distinct pages of an archive, or feeds of a list, which the loop adds to.
  const locations = new Set([request.location]);
  let isList = false;
  let done = 0;
  for (const location of locations) {
    if (++done > Math.min(isList ? MAX_FEEDS : MAX_ARCHIVE_PAGES, maxPages)) return;
    try {
      const { text, url } = await readTextAtLocation({ ...request, location }, fetch, signal);
      const feeds = done === 1 ? readFeedOpml(text, url) : null;
      if (feeds !== null) {
        isList = true;
        for (const feed of feeds) locations.add(feed);
        continue;
      }
      const page = parseFeed(text, isWebLocation(location) ? showWebAddress(url) : nameWebSource(request));
      const objects = await readFeedObjects(page, request, url);
      yield { position: location, done, ...toObjectParts(objects) };
      // A file has only one page; further ones are on the web.
      const next = isWebLocation(url) ? resolveWebUrl(page.next, url) : undefined;
      if (next !== undefined) locations.add(next);
    } catch (error) {
      // Further feeds of a list are read nevertheless.
      if (!isList || !(error instanceof AppError)) throw error;
      const rejected = [{ place: showWebAddress(location), reason: error.message }];
      yield { position: location, done, rows: 1, parts: [], rejected };
    }
  }
}

/** Reads the addresses in a list of feeds. Null for anything else. Errors: IMPORT_INVALID for an
 *  empty list. Source: http://opml.org/spec2.opml */
function readFeedOpml(text: string, place: string): string[] | null {
  if (!/^[^<]*(?:<[?!][^>]*>\s*)*<opml[\s>]/i.test(text.slice(0, 10_000))) return null;
  const feeds: string[] = [];
  const onopentag = (name: string, { xmlUrl, xmlurl, url, type }: Readonly<Record<string, string>>) => {
    if (name.toLowerCase() !== 'outline') return;
    const address = resolveWebUrl(
      xmlUrl ?? xmlurl ?? (/^(?:rss|atom|feed)$/i.test(type ?? '') ? url : undefined),
      place,
    );
    if (address !== undefined)
      feeds.push(address.replace(/^feed:(?:\/\/)?(?=https?:)/i, '').replace(/^feed:/i, 'https:'));
  };
  readMarkup(text, { onopentag }, { place, xmlMode: true });
  if (feeds.length > 0) return feeds;
  throw new AppError('IMPORT_INVALID', `${place} is a list of feeds (OPML) that names none (xmlUrl).`);
}

async function readFeedObjects(page: FeedPage, request: ImportRequest, place: string): Promise<ReadObject[]> {
  const base = isWebLocation(place) ? place : (page.self ?? page.url ?? place);
  const home = resolveWebUrl(page.url, base);
  const provider = toObjectProvider(page.name ?? request.provider, home, nameWebSource(request));
  const context = { base, provider, defaultLang: request.langs[0], addresses: chooseFeedAddresses(page, base) };
  const objects: ReadObject[] = [];
  for (const entry of page.entries) {
    if (objects.length % BATCH === BATCH - 1) await breathe();
    objects.push(toFeedObject(entry, page, context));
  }
  return objects;
}

/** Chooses the address of each entry: the first that neither the feed nor another entry has. */
function chooseFeedAddresses(page: FeedPage, base: string): ReadonlyMap<FeedEntry, string> {
  const home = normalizeObjectAddress(resolveWebUrl(page.url, base) ?? '');
  const lists = page.entries.map((entry) => {
    const from = resolveWebUrl(entry.base, base) ?? base;
    return entry.urls.flatMap((url) =>
      url === undefined || url.trim() === '' ? [] : [resolveWebUrl(url.trim(), from) ?? url],
    );
  });
  const uses = new Map<string, number>();
  for (const list of lists)
    for (const url of new Set(list.map(normalizeObjectAddress))) uses.set(url, (uses.get(url) ?? 0) + 1);
  const isUnique = (url: string) => normalizeObjectAddress(url) !== home && uses.get(normalizeObjectAddress(url)) === 1;
  return new Map(page.entries.map((entry, at) => [entry, lists[at]?.find(isUnique) ?? lists[at]?.[0] ?? '']));
}

function parseFeed(text: string, name: string): FeedPage {
  try {
    return readFeed(text, name);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'IMPORT_INVALID',
      `${name} is not a feed (RSS, Atom, RDF or JSON Feed), or is damaged. Enter the address of the feed itself, not of the page that links to it.`,
      { cause },
    );
  }
}

interface FeedContext {
  readonly base: string;
  readonly provider: ProviderRecord;
  readonly defaultLang: string | undefined;
  readonly addresses: ReadonlyMap<FeedEntry, string>;
}

const VIDEO_HOST = /(?:^|\.)(?:youtube\.com|youtu\.be|vimeo\.com|dailymotion\.com|ted\.com)$/;

function toFeedObject(entry: FeedEntry, feed: FeedPage, context: FeedContext): ReadObject {
  const { base, provider, defaultLang, addresses } = context;
  const url = addresses.get(entry) ?? '';
  const { seconds, description } = entry;
  const outcome = toObjectRecord({
    url,
    // The title of a note without one is its beginning.
    title: entry.title ?? cutTextAtWord(stripTextMarkup(description ?? ''), MAX_TITLE),
    description,
    provider: provider.id,
    types: [chooseEntryType(entry, url)],
    lang: entry.lang ?? feed.lang,
    defaultLang,
    keywords: entry.keywords,
    minutes: seconds === undefined ? undefined : seconds / 60,
    authors: entry.authors.length > 0 ? entry.authors : feed.authors,
    picture: resolveWebUrl(entry.picture ?? feed.picture, base),
    embed: resolveWebUrl(entry.embed, base),
    facts: entry.facts,
  });
  return { place: writeEntryPlace(entry, url), provider, outcome };
}

const writeEntryPlace = ({ title = '' }: FeedEntry, url: string): string =>
  url || cutTextAtWord(cleanTitle(title), 100) || 'an entry without address and title';

function chooseEntryType({ media }: FeedEntry, url: string): LearningObjectType {
  if (media.some((type) => /^video\b|\.(?:mp4|m4v|mov|webm)$/i.test(type))) return 'video';
  if (URL.canParse(url) && VIDEO_HOST.test(new URL(url).hostname)) return 'video';
  return media.some((type) => /^audio\b|\.(?:mp3|m4a|ogg|opus|wav)$/i.test(type)) ? 'podcast' : 'article';
}
