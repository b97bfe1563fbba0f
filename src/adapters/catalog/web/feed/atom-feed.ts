import type { FeedEntry, FeedOf, FeedPage } from './feed-page.ts';
import { linkOf, mediaText, nextOf, ofMedia, present, secondsOf, thumbnailOf } from './feed-parts.ts';

type AtomEntry = NonNullable<FeedOf<'atom'>['entries']>[number];

export function fromAtom({ entries = [], links, ...feed }: FeedOf<'atom'>): FeedPage {
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
