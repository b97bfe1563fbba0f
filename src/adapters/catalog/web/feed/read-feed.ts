import { parseFeed } from 'feedsmith';
import {
  type FeedEntry,
  type FeedOf,
  type FeedPage,
  linkOf,
  mediaText,
  nextOf,
  ofMedia,
  present,
  secondsOf,
  thumbnailOf,
} from './feed-page.ts';

/** A feed of any kind. Errors: those of feedsmith for what is no feed. */
export function readFeed(text: string): FeedPage {
  const parsed = parseFeed<string>(text);
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

function fromAtom({ entries = [], links, ...feed }: FeedOf<'atom'>): FeedPage {
  return {
    name: feed.title?.value,
    url: linkOf(links),
    lang: feed.xml?.lang ?? feed.dc?.languages?.[0],
    authors: present((feed.authors ?? []).map(({ name }) => name)),
    picture: feed.logo ?? feed.itunes?.image,
    keywords: present((feed.categories ?? []).map(({ label, term }) => label ?? term)),
    next: nextOf(links),
    entries: entries.map(fromAtomEntry),
  };
}

type AtomEntry = NonNullable<FeedOf<'atom'>['entries']>[number];

function fromAtomEntry(entry: AtomEntry): FeedEntry {
  const { links = [], media, itunes } = entry;
  const enclosures = links.filter(({ rel }) => rel === 'enclosure');
  const video = entry.yt?.videoId;
  return {
    url: linkOf(links) ?? enclosures[0]?.href,
    title: entry.title?.value,
    description: entry.summary?.value ?? entry.content?.value ?? mediaText(media),
    lang: entry.xml?.lang ?? entry.dc?.languages?.[0],
    authors: present([...(entry.authors ?? []).map(({ name }) => name), itunes?.author]),
    keywords: present([
      ...(entry.categories ?? []).map(({ label, term }) => label ?? term),
      ...(media?.keywords ?? []),
      ...(media?.groups?.[0]?.keywords ?? []),
      ...(itunes?.keywords ?? []),
    ]),
    picture: itunes?.image ?? thumbnailOf(media),
    seconds: itunes?.duration ?? secondsOf(media),
    media: [
      ...(video === undefined ? [] : ['video/youtube']),
      ...present(enclosures.map(({ type, href }) => type ?? href)),
      ...ofMedia(media).media,
    ],
  };
}

function fromRss({ items = [], ...feed }: FeedOf<'rss'>): FeedPage {
  return {
    name: feed.title ?? feed.itunes?.title,
    url: feed.link ?? linkOf(feed.atom?.links),
    lang: feed.language ?? feed.dc?.languages?.[0],
    authors: present([feed.itunes?.author, ...(feed.dc?.creators ?? [])]),
    picture: feed.itunes?.image ?? feed.image?.url,
    keywords: [...present((feed.categories ?? []).map(({ name }) => name)), ...(feed.itunes?.keywords ?? [])],
    next: nextOf(feed.atom?.links),
    entries: items.map(fromRssItem),
  };
}

type RssItem = NonNullable<FeedOf<'rss'>['items']>[number];

function fromRssItem(item: RssItem): FeedEntry {
  const { itunes, media } = item;
  const enclosures = item.enclosures ?? [];
  const guid = item.guid?.isPermaLink === false ? undefined : item.guid?.value;
  return {
    ...ofMedia(media),
    url: item.link ?? linkOf(item.atom?.links) ?? enclosures[0]?.url ?? guid,
    title: item.title ?? itunes?.title ?? item.dc?.titles?.[0] ?? media?.title?.value,
    description:
      item.description ?? itunes?.summary ?? item.content?.encoded ?? itunes?.subtitle ?? mediaText(media),
    lang: item.dc?.languages?.[0],
    authors: present([
      ...(item.authors ?? []).map(({ name }) => name),
      itunes?.author,
      ...(item.dc?.creators ?? []),
    ]),
    keywords: present([
      ...(item.categories ?? []).map(({ name }) => name),
      ...(itunes?.keywords ?? []),
      ...(media?.keywords ?? []),
      ...(item.dc?.subjects ?? []),
    ]),
    picture: itunes?.image ?? thumbnailOf(media),
    seconds: itunes?.duration ?? secondsOf(media),
    media: [...present(enclosures.map(({ type, url }) => type ?? url)), ...ofMedia(media).media],
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
    next: nextOf(feed.atom?.links),
    entries: items.map(fromRdfItem),
  };
}

type RdfItem = NonNullable<FeedOf<'rdf'>['items']>[number];

function fromRdfItem(item: RdfItem): FeedEntry {
  return {
    ...ofMedia(item.media),
    url: item.link,
    title: item.title ?? item.dc?.titles?.[0],
    description: item.description ?? item.dc?.descriptions?.[0] ?? item.content?.encoded,
    lang: item.dc?.languages?.[0],
    authors: item.dc?.creators ?? [],
    keywords: item.dc?.subjects ?? [],
    picture: thumbnailOf(item.media),
    seconds: secondsOf(item.media),
  };
}

function fromJson({ items = [], ...feed }: FeedOf<'json'>): FeedPage {
  return {
    name: feed.title,
    url: feed.home_page_url,
    lang: feed.language,
    authors: present((feed.authors ?? []).map((author) => author?.name)),
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
    url: item.url ?? item.external_url ?? attachments[0]?.url ?? item.id,
    title: item.title,
    description: item.summary ?? item.content_html ?? item.content_text,
    lang: item.language,
    authors: present((item.authors ?? []).map((author) => author?.name)),
    keywords: item.tags ?? [],
    picture: item.image ?? item.banner_image,
    seconds: attachments[0]?.duration_in_seconds,
    media: present(attachments.map(({ mime_type }) => mime_type)),
  };
}
