import { parseFeed } from 'feedsmith';
import { readMarkup } from '#adapters/catalog/markup';
import type { FactTexts } from '#domain/object-facts';

type ParsedFeed = ReturnType<typeof parseFeed<string>>;
type FeedOf<F extends ParsedFeed['format']> = Extract<ParsedFeed, { format: F }>['feed'];
type AtomEntry = NonNullable<FeedOf<'atom'>['entries']>[number];
type RssItem = NonNullable<FeedOf<'rss'>['items']>[number];
type RdfItem = NonNullable<FeedOf<'rdf'>['items']>[number];
type JsonItem = NonNullable<NonNullable<FeedOf<'json'>['items']>[number]>;
type Media = NonNullable<RssItem['media']>;
type Texts = readonly (string | undefined)[];

export interface FeedPage {
  readonly name: string | undefined;
  /** The address of the site, as the feed names it. */
  readonly url: string | undefined;
  readonly self?: string | undefined;
  readonly lang: string | undefined;
  readonly authors: readonly string[];
  readonly picture: string | undefined;
  /** The page with older entries (RFC 5005), which JSON feeds have, too. */
  readonly next: string | undefined;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** Possible addresses, the best first: page, id, files. */
  readonly urls: Texts;
  /** The base of its addresses if that differs from the feed's (`xml:base`). */
  readonly base?: string | undefined;
  readonly title: string | undefined;
  /** May have markup. */
  readonly description: string | undefined;
  readonly lang: string | undefined;
  readonly authors: readonly string[];
  readonly keywords: readonly string[];
  readonly picture: string | undefined;
  /** The address of a player to be shown in a frame. */
  readonly embed?: string | undefined;
  readonly seconds: number | undefined;
  /** Media types of its files, or their addresses. */
  readonly media: readonly string[];
  readonly facts: FactTexts;
}

/** Matches a feed after anything, as feedsmith does, which also reports a missing feed. */
const FEED = /(?:^|[\s>])<(?:\w+:)?(?:rss|feed|rdf)[\s>]/im;

/** Reads a feed. Errors: those of `readMarkup`; those of feedsmith for anything but a feed. */
export function readFeed(text: string, place: string): FeedPage {
  // feedsmith limits neither depth nor attributes.
  if (FEED.test(text)) readMarkup(text, {}, { place, xmlMode: true });
  const page = toFeedPage(parseFeed<string>(text));
  const [, lang] = /<(?:rss|channel|rdf:RDF)\b[^>]*\bxml:lang\s*=\s*["']([\w-]+)/i.exec(text.slice(0, 20_000)) ?? [];
  return { ...page, lang: page.lang ?? lang };
}

function toFeedPage(parsed: ParsedFeed): FeedPage {
  switch (parsed.format) {
    case 'rss':
      return readRssFeed(parsed.feed);
    case 'atom':
      return readAtomFeed(parsed.feed);
    case 'rdf':
      return readRdfFeed(parsed.feed);
    default:
      return readJsonFeed(parsed.feed);
  }
}

function readAtomFeed({ entries = [], links, ...feed }: FeedOf<'atom'>): FeedPage {
  return {
    name: feed.title?.value,
    url: findFeedPage(links),
    self: feed.xml?.base ?? findFeedSelf(links),
    lang: feed.xml?.lang ?? feed.dc?.languages?.[0],
    authors: listPresent(feed.authors?.map(({ name }) => name)),
    picture: feed.logo ?? feed.itunes?.image,
    next: findNextFeedPage(links),
    entries: entries.map(readAtomFeedEntry),
  };
}

function readAtomFeedEntry(entry: AtomEntry): FeedEntry {
  const { links = [], media, itunes } = entry;
  const files = links.filter(({ rel }) => rel === 'enclosure').map(({ href, type }) => ({ url: href, type }));
  return {
    urls: [findFeedPage(links), ...listFeedAddresses(files), toFeedAddress(entry.id)],
    base: entry.xml?.base,
    title: entry.title?.value,
    description: entry.summary?.value ?? entry.content?.value ?? readFeedMediaText(media),
    lang: entry.xml?.lang ?? entry.dc?.languages?.[0],
    authors: listPresent(
      entry.authors?.map(({ name }) => name),
      [itunes?.author],
    ),
    keywords: listPresent(
      entry.categories?.map(({ label, term }) => label ?? term),
      media?.keywords,
      media?.groups?.[0]?.keywords,
      itunes?.keywords,
    ),
    picture: itunes?.image ?? findFeedPicture(media, files),
    embed: findFeedPlayer(media),
    seconds: itunes?.duration ?? readFeedSeconds(media),
    media: [...(entry.yt?.videoId === undefined ? [] : ['video/youtube']), ...listFeedMediaTypes(files, media)],
    facts: readFeedFacts(entry, { published: entry.published, modified: entry.updated }),
  };
}

function readRssFeed({ items = [], ...feed }: FeedOf<'rss'>): FeedPage {
  return {
    name: feed.title ?? feed.itunes?.title,
    url: feed.link ?? findFeedPage(feed.atom?.links),
    self: findFeedSelf(feed.atom?.links),
    lang: feed.language ?? feed.dc?.languages?.[0],
    authors: listPresent([feed.itunes?.author], feed.dc?.creators),
    picture: feed.itunes?.image ?? feed.image?.url,
    next: findNextFeedPage(feed.atom?.links),
    entries: items.map(readRssFeedItem),
  };
}

function readRssFeedItem(item: RssItem): FeedEntry {
  const { itunes, media, enclosures = [] } = item;
  const { isPermaLink, value: guid } = item.guid ?? {};
  const statedPermalink = isPermaLink === true ? guid : undefined;
  const permalink = isPermaLink === undefined ? toFeedAddress(guid) : statedPermalink;
  return {
    urls: [item.link, findFeedPage(item.atom?.links), permalink, ...listFeedAddresses(enclosures)],
    title: item.title ?? itunes?.title ?? item.dc?.titles?.[0] ?? media?.title?.value,
    description:
      item.description ?? itunes?.summary ?? item.content?.encoded ?? itunes?.subtitle ?? readFeedMediaText(media),
    lang: item.dc?.languages?.[0],
    authors: listPresent(
      item.authors?.map(({ name }) => name),
      [itunes?.author],
      item.dc?.creators,
    ),
    keywords: listPresent(
      item.categories?.map(({ name }) => name),
      itunes?.keywords,
      media?.keywords,
      item.dc?.subjects,
    ),
    picture: itunes?.image ?? findFeedPicture(media, enclosures),
    embed: findFeedPlayer(media),
    seconds: itunes?.duration ?? readFeedSeconds(media),
    media: listFeedMediaTypes(enclosures, media),
    facts: readFeedFacts(item, { published: item.pubDate }),
  };
}

function readRdfFeed({ items = [], ...feed }: FeedOf<'rdf'>): FeedPage {
  return {
    name: feed.title,
    url: feed.link,
    lang: feed.dc?.languages?.[0],
    authors: feed.dc?.creators ?? [],
    picture: feed.image?.url,
    next: findNextFeedPage(feed.atom?.links),
    entries: items.map(readRdfFeedItem),
  };
}

function readRdfFeedItem({ media, dc, ...item }: RdfItem): FeedEntry {
  return {
    urls: [item.link, toFeedAddress(item.rdf?.about)],
    title: item.title ?? dc?.titles?.[0],
    description: item.description ?? dc?.descriptions?.[0] ?? item.content?.encoded,
    lang: dc?.languages?.[0],
    authors: dc?.creators ?? [],
    keywords: dc?.subjects ?? [],
    picture: findFeedPicture(media),
    embed: findFeedPlayer(media),
    seconds: readFeedSeconds(media),
    media: listFeedMediaTypes([], media),
    facts: readFeedFacts({ ...item, media }, {}),
  };
}

function readJsonFeed({ items = [], ...feed }: FeedOf<'json'>): FeedPage {
  return {
    name: feed.title,
    url: feed.home_page_url,
    self: feed.feed_url,
    lang: feed.language,
    authors: listPresent(feed.authors?.map((author) => author?.name)),
    picture: feed.icon,
    next: feed.next_url,
    entries: (items as JsonItem[]).map(readJsonFeedItem),
  };
}

function readJsonFeedItem({ attachments = [], ...item }: JsonItem): FeedEntry {
  return {
    urls: [item.url, item.external_url, ...attachments.map(({ url }) => url), toFeedAddress(item.id)],
    title: item.title,
    description: item.summary ?? item.content_html ?? item.content_text,
    lang: item.language,
    authors: listPresent(item.authors?.map((author) => author?.name)),
    keywords: item.tags ?? [],
    picture: item.image ?? item.banner_image,
    seconds: attachments[0]?.duration_in_seconds,
    media: listPresent(attachments.map(({ mime_type }) => mime_type)),
    facts: readFeedFacts({}, { published: item.date_published, modified: item.date_modified }),
  };
}

const listPresent = (...lists: readonly (Texts | undefined)[]): string[] =>
  lists.flatMap((list) => list ?? []).filter((text) => text !== undefined);

const toFeedAddress = (id = ''): string | undefined => (/^https?:\/\//i.test(id.trim()) ? id.trim() : undefined);

type Link = { readonly type?: string; readonly href?: string; readonly rel?: string };

/** The page of an entry or a feed: the `alternate` link, or one without `rel`. */
function findFeedPage(links: readonly Link[] = []): string | undefined {
  const pages = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  return (pages.find(({ type }) => type === undefined || /html/i.test(type)) ?? pages[0])?.href;
}

const findFeedSelf = (links: readonly Link[] = []): string | undefined => links.find(({ rel }) => rel === 'self')?.href;

const findNextFeedPage = (links: readonly Link[] = []): string | undefined =>
  (links.find(({ rel }) => rel === 'next') ?? links.find(({ rel }) => rel === 'prev-archive'))?.href;

/** An enclosure of RSS and Atom, or the content of Media RSS. */
interface FeedFile {
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  readonly medium?: string | undefined;
}

const isFeedPicture = ({ type, medium }: FeedFile): boolean =>
  medium === 'image' || type?.startsWith('image/') === true;

const listFeedAddresses = (files: readonly FeedFile[]): Texts =>
  files.toSorted((a, b) => Number(isFeedPicture(a)) - Number(isFeedPicture(b))).map(({ url }) => url);

const listFeedContents = (media: Media | undefined) => [
  ...(media?.contents ?? []),
  ...(media?.groups ?? []).flatMap(({ contents = [] }) => contents),
];

const listFeedMediaTypes = (files: readonly FeedFile[], media: Media | undefined): string[] =>
  listPresent(
    files.map(({ type, url }) => type ?? url),
    listFeedContents(media).map(({ type, medium }) => type ?? medium),
  );

const readFeedSeconds = (media: Media | undefined): number | undefined =>
  listFeedContents(media).find(({ duration }) => duration !== undefined)?.duration;

const readFeedMediaText = (media: Media | undefined): string | undefined =>
  media?.description?.value ?? media?.groups?.[0]?.description?.value;

const findFeedPlayer = (media: Media | undefined): string | undefined =>
  (media?.player ?? media?.groups?.[0]?.player)?.url;

function findFeedPicture(media: Media | undefined, files: readonly FeedFile[] = []): string | undefined {
  const thumbnail = (media?.thumbnails ?? media?.groups?.[0]?.thumbnails)?.[0]?.url;
  return thumbnail ?? [...listFeedContents(media), ...files].find(isFeedPicture)?.url;
}

interface StatedModules {
  readonly cc?: { readonly license?: string } | undefined;
  readonly creativeCommons?: { readonly licenses?: readonly string[] } | undefined;
  readonly dcterms?: RssItem['dcterms'] | undefined;
  readonly media?: Media | undefined;
  readonly podcast?: { readonly transcripts?: readonly unknown[] } | undefined;
}

/** Reads facts from modules of a feed. @param dates those of the entry itself */
function readFeedFacts(
  { cc, creativeCommons, dcterms, media, podcast }: StatedModules,
  dates: { readonly published?: string | undefined; readonly modified?: string | undefined },
): FactTexts {
  const licenses = [...(media?.licenses ?? []), ...(media?.groups ?? []).flatMap((group) => group.licenses ?? [])];
  const subtitles = [media, ...(media?.groups ?? []), ...listFeedContents(media)].flatMap(
    (each) => each?.subTitles ?? [],
  );
  return {
    license: listPresent([
      cc?.license,
      ...(creativeCommons?.licenses ?? []),
      ...(dcterms?.licenses ?? []),
      ...licenses.flatMap(({ href, name }) => [href, name]),
      ...(dcterms?.rights ?? []),
    ]),
    published: listPresent([...(dcterms?.issued ?? []), dates.published]).map(writeFeedDate),
    modified: listPresent([...(dcterms?.modified ?? []), dates.modified]).map(writeFeedDate),
    educationalLevel: dcterms?.educationLevels ?? [],
    accessibilityFeature: [
      ...(subtitles.length > 0 ? ['captions'] : []),
      ...((podcast?.transcripts ?? []).length > 0 ? ['transcript'] : []),
    ],
  };
}

/** Writes a date such as `Sat, 01 Mar 2025 10:00:00 GMT` in ISO 8601. Empty for another text. */
function writeFeedDate(text: string): string {
  if (/^\d{4}/.test(text)) return text;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
