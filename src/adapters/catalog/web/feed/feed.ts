import { setImmediate as breathe } from 'node:timers/promises';
import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import { type ReadObject, toObjectParts, toObjectProvider } from '#adapters/catalog/object-parts';
import { toObjectRecord } from '#adapters/catalog/object-record';
import { cleanTitle, cutTextAtWord } from '#adapters/catalog/plain-text';
import type { LearningObjectType } from '#domain/learning-object';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportItem, ImportRequest, ImportSource } from '#ports/imports';
import type { WebContext } from '../fetcher.ts';
import { readTextAtLocation } from '../read-text.ts';
import { isWebLocation, nameWebDataset, nameWebSource, resolveWebUrl } from '../web-names.ts';
import type { FeedEntry, FeedPage } from './feed-page.ts';
import { readFeed } from './read-feed.ts';

/** Pages of an archive that are read at most. */
const MAX_PAGES = 200;
/** Entries after which others may run. */
const SOME = 500;

/** A feed (RSS, Atom, RDF, JSON) with the older pages that it names. A feed shows only the newest
 *  entries, so an entry that is no longer in it does not count as removed. */
export function openFeedSource(request: ImportRequest, context: WebContext): ImportSource {
  return {
    format: 'feed',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
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
    const { text, url } = await readTextAtLocation({ ...request, location }, fetch, signal);
    const page = parse(text, isWebLocation(location) ? showWebAddress(url) : nameWebSource(request));
    const objects = await objectsOf(page, request, url);
    yield { position: location, done, ...toObjectParts(objects) };
    location = nextOf(page, url, seen);
  }
}

async function objectsOf(page: FeedPage, request: ImportRequest, base: string): Promise<ReadObject[]> {
  const home = resolveWebUrl(page.url, base);
  const provider = toObjectProvider(page.name ?? request.provider, home, nameWebSource(request));
  const objects: ReadObject[] = [];
  for (const entry of page.entries) {
    if (objects.length % SOME === SOME - 1) await breathe();
    objects.push(toFeedObject(entry, page, { base, provider, defaultLang: request.langs[0] }));
  }
  return objects;
}

/** Null at the end, where it is reached again, and in a file, whose pages are elsewhere. */
function nextOf({ next }: FeedPage, base: string, seen: ReadonlySet<string>): string | null {
  if (next === undefined || !isWebLocation(base) || !URL.canParse(next, base)) return null;
  const { href } = new URL(next, base);
  return seen.has(href) ? null : href;
}

/** Errors: IMPORT_INVALID. */
function parse(text: string, name: string): FeedPage {
  try {
    return readFeed(text, name);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'IMPORT_INVALID',
      `${name} is no feed (RSS, Atom, RDF or JSON Feed), or a damaged one. Enter the address of the feed itself, not of the page that names it.`,
      { cause },
    );
  }
}

interface FeedContext {
  /** Where the feed was read: addresses may be relative to it. */
  readonly base: string;
  readonly provider: ProviderRecord;
  readonly defaultLang: string | undefined;
}

const VIDEO_HOST = /(?:^|\.)(?:youtube\.com|youtu\.be|vimeo\.com|dailymotion\.com|ted\.com)$/;

/** The learning object that an entry of a feed is about. */
function toFeedObject(entry: FeedEntry, feed: FeedPage, context: FeedContext): ReadObject {
  const { base, provider, defaultLang } = context;
  const url = resolveWebUrl(entry.url, base) ?? entry.url ?? '';
  const { seconds, description } = entry;
  const outcome = toObjectRecord({
    url,
    title: entry.title ?? '',
    description,
    provider: provider.id,
    types: [typeOf(entry, url)],
    lang: entry.lang ?? feed.lang,
    defaultLang,
    keywords: entry.keywords,
    minutes: seconds === undefined ? undefined : seconds / 60,
    authors: entry.authors.length > 0 ? entry.authors : feed.authors,
    picture: resolveWebUrl(entry.picture ?? feed.picture, base),
    embed: resolveWebUrl(entry.embed, base),
  });
  return { place: placeOf(entry, url), provider, outcome };
}

function placeOf({ title = '' }: FeedEntry, url: string): string {
  return url || cutTextAtWord(cleanTitle(title), 100) || 'an entry without address and title';
}

function typeOf({ media }: FeedEntry, url: string): LearningObjectType {
  if (media.some((type) => /^video\b|\.(?:mp4|m4v|mov|webm)$/i.test(type))) return 'video';
  if (URL.canParse(url) && VIDEO_HOST.test(new URL(url).hostname)) return 'video';
  return media.some((type) => /^audio\b|\.(?:mp3|m4a|ogg|opus|wav)$/i.test(type)) ? 'podcast' : 'article';
}
