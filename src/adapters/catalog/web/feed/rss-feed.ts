import type { FeedEntry, FeedOf, FeedPage } from './feed-page.ts';
import { linkOf, mediaText, nextOf, ofMedia, present, secondsOf, thumbnailOf } from './feed-parts.ts';

type RssItem = NonNullable<FeedOf<'rss'>['items']>[number];
type RdfItem = NonNullable<FeedOf<'rdf'>['items']>[number];

export function fromRss({ items = [], ...feed }: FeedOf<'rss'>): FeedPage {
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
export function fromRdf({ items = [], ...feed }: FeedOf<'rdf'>): FeedPage {
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
