import { parseFeed } from 'feedsmith';
import { readMarkup } from '#adapters/catalog/markup';
import {
  dropMissingFeedTexts,
  type FeedEntry,
  type FeedOf,
  type FeedPage,
  findFeedLink,
  findFeedPlayer,
  findFeedSelf,
  findFeedThumbnail,
  findNextFeedPage,
  listFeedFiles,
  readFeedMediaSeconds,
  readFeedMediaText,
  readFeedMediaTypes,
} from './feed-page.ts';

/** Parses a feed of any kind.
 *  Errors: those of `readMarkup`; those of feedsmith for anything that is not a feed. */
export function readFeed(text: string, place: string): FeedPage {
  checkMarkup(text, place);
  const page = toFeedPage(parseFeed<string>(text));
  const [, lang] = /<(?:rss|channel|rdf:RDF)\b[^>]*\bxml:lang\s*=\s*["']([\w-]+)/i.exec(text.slice(0, 20_000)) ?? [];
  return { ...page, lang: page.lang ?? lang };
}

function toFeedPage(parsed: ReturnType<typeof parseFeed<string>>): FeedPage {
  switch (parsed.format) {
    case 'rss':
      return fromRss(parsed.feed);
    case 'atom':
      return fromAtom(parsed.feed);
    case 'rdf':
      return fromRdf(parsed.feed);
    default:
      return fromJson(parsed.feed);
  }
}

/** Skips anything before the feed, as feedsmith does, which also reports a missing feed. */
const FEED = /(?:^|[\s>])<(?:\w+:)?(?:rss|feed|rdf)[\s>]/im;

/** feedsmith bounds neither depth nor attributes. */
function checkMarkup(text: string, place: string): void {
  if (FEED.test(text)) readMarkup(text, {}, { place, xmlMode: true });
}

function fromAtom({ entries = [], links, ...feed }: FeedOf<'atom'>): FeedPage {
  return {
    name: feed.title?.value,
    url: findFeedLink(links),
    self: feed.xml?.base ?? findFeedSelf(links),
    lang: feed.xml?.lang ?? feed.dc?.languages?.[0],
    authors: dropMissingFeedTexts((feed.authors ?? []).map(({ name }) => name)),
    picture: feed.logo ?? feed.itunes?.image,
    keywords: dropMissingFeedTexts((feed.categories ?? []).map(({ label, term }) => label ?? term)),
    next: findNextFeedPage(links),
    entries: entries.map(fromAtomEntry),
  };
}

type AtomEntry = NonNullable<FeedOf<'atom'>['entries']>[number];

function fromAtomEntry(entry: AtomEntry): FeedEntry {
  const { links = [], media, itunes } = entry;
  const enclosures = links.filter(({ rel }) => rel === 'enclosure');
  const video = entry.yt?.videoId;
  return {
    urls: [
      findFeedLink(links),
      ...listFeedFiles(enclosures.map(({ href, type }) => ({ url: href, type }))),
      webId(entry.id),
    ],
    base: entry.xml?.base,
    title: entry.title?.value,
    description: entry.summary?.value ?? entry.content?.value ?? readFeedMediaText(media),
    lang: entry.xml?.lang ?? entry.dc?.languages?.[0],
    authors: dropMissingFeedTexts([...(entry.authors ?? []).map(({ name }) => name), itunes?.author]),
    keywords: dropMissingFeedTexts([
      ...(entry.categories ?? []).map(({ label, term }) => label ?? term),
      ...(media?.keywords ?? []),
      ...(media?.groups?.[0]?.keywords ?? []),
      ...(itunes?.keywords ?? []),
    ]),
    picture:
      itunes?.image ??
      findFeedThumbnail(
        media,
        enclosures.map(({ href, type }) => ({ url: href, type })),
      ),
    embed: findFeedPlayer(media),
    seconds: itunes?.duration ?? readFeedMediaSeconds(media),
    media: [
      ...(video === undefined ? [] : ['video/youtube']),
      ...dropMissingFeedTexts(enclosures.map(({ type, href }) => type ?? href)),
      ...readFeedMediaTypes(media).media,
    ],
  };
}

function fromRss({ items = [], ...feed }: FeedOf<'rss'>): FeedPage {
  return {
    name: feed.title ?? feed.itunes?.title,
    url: feed.link ?? findFeedLink(feed.atom?.links),
    self: findFeedSelf(feed.atom?.links),
    lang: feed.language ?? feed.dc?.languages?.[0],
    authors: dropMissingFeedTexts([feed.itunes?.author, ...(feed.dc?.creators ?? [])]),
    picture: feed.itunes?.image ?? feed.image?.url,
    keywords: [
      ...dropMissingFeedTexts((feed.categories ?? []).map(({ name }) => name)),
      ...(feed.itunes?.keywords ?? []),
    ],
    next: findNextFeedPage(feed.atom?.links),
    entries: items.map(fromRssItem),
  };
}

/** An id may be an address. */
const webId = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id.trim()) ? id.trim() : undefined;

type RssItem = NonNullable<FeedOf<'rss'>['items']>[number];

function fromRssItem(item: RssItem): FeedEntry {
  const { itunes, media } = item;
  const enclosures = item.enclosures ?? [];
  const { isPermaLink, value: guid } = item.guid ?? {};
  const permalink = isPermaLink === true ? guid : isPermaLink === false ? undefined : webId(guid);
  return {
    ...readFeedMediaTypes(media),
    urls: [item.link, findFeedLink(item.atom?.links), permalink, ...listFeedFiles(enclosures)],
    title: item.title ?? itunes?.title ?? item.dc?.titles?.[0] ?? media?.title?.value,
    description:
      item.description ?? itunes?.summary ?? item.content?.encoded ?? itunes?.subtitle ?? readFeedMediaText(media),
    lang: item.dc?.languages?.[0],
    authors: dropMissingFeedTexts([
      ...(item.authors ?? []).map(({ name }) => name),
      itunes?.author,
      ...(item.dc?.creators ?? []),
    ]),
    keywords: dropMissingFeedTexts([
      ...(item.categories ?? []).map(({ name }) => name),
      ...(itunes?.keywords ?? []),
      ...(media?.keywords ?? []),
      ...(item.dc?.subjects ?? []),
    ]),
    picture: itunes?.image ?? findFeedThumbnail(media, enclosures),
    embed: findFeedPlayer(media),
    seconds: itunes?.duration ?? readFeedMediaSeconds(media),
    media: [
      ...dropMissingFeedTexts(enclosures.map(({ type, url }) => type ?? url)),
      ...readFeedMediaTypes(media).media,
    ],
  };
}

/** RSS 1.0. */
function fromRdf({ items = [], ...feed }: FeedOf<'rdf'>): FeedPage {
  return {
    name: feed.title,
    url: feed.link,
    lang: feed.dc?.languages?.[0],
    authors: feed.dc?.creators ?? [],
    picture: feed.image?.url,
    keywords: feed.dc?.subjects ?? [],
    next: findNextFeedPage(feed.atom?.links),
    entries: items.map(fromRdfItem),
  };
}

type RdfItem = NonNullable<FeedOf<'rdf'>['items']>[number];

function fromRdfItem(item: RdfItem): FeedEntry {
  return {
    ...readFeedMediaTypes(item.media),
    urls: [item.link, webId(item.rdf?.about)],
    title: item.title ?? item.dc?.titles?.[0],
    description: item.description ?? item.dc?.descriptions?.[0] ?? item.content?.encoded,
    lang: item.dc?.languages?.[0],
    authors: item.dc?.creators ?? [],
    keywords: item.dc?.subjects ?? [],
    picture: findFeedThumbnail(item.media),
    embed: findFeedPlayer(item.media),
    seconds: readFeedMediaSeconds(item.media),
  };
}

function fromJson({ items = [], ...feed }: FeedOf<'json'>): FeedPage {
  return {
    name: feed.title,
    url: feed.home_page_url,
    self: feed.feed_url,
    lang: feed.language,
    authors: dropMissingFeedTexts((feed.authors ?? []).map((author) => author?.name)),
    picture: feed.icon,
    keywords: [],
    next: feed.next_url,
    entries: (items as JsonItem[]).map(fromJsonItem),
  };
}

type JsonItem = NonNullable<NonNullable<FeedOf<'json'>['items']>[number]>;

function fromJsonItem(item: JsonItem): FeedEntry {
  const attachments = item.attachments ?? [];
  return {
    urls: [item.url, item.external_url, ...attachments.map(({ url }) => url), webId(item.id)],
    title: item.title,
    description: item.summary ?? item.content_html ?? item.content_text,
    lang: item.language,
    authors: dropMissingFeedTexts((item.authors ?? []).map((author) => author?.name)),
    keywords: item.tags ?? [],
    picture: item.image ?? item.banner_image,
    seconds: attachments[0]?.duration_in_seconds,
    media: dropMissingFeedTexts(attachments.map(({ mime_type }) => mime_type)),
  };
}
