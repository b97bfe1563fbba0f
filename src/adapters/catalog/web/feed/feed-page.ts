import type { parseFeed } from 'feedsmith';

type Media = NonNullable<NonNullable<FeedOf<'rss'>['items']>[number]['media']>;

interface Link {
  readonly href?: string;
  readonly rel?: string;
}

type Parsed = ReturnType<typeof parseFeed<string>>;
/** What feedsmith makes of a feed of this format. */
export type FeedOf<F extends Parsed['format']> = Extract<Parsed, { format: F }>['feed'];

/** A feed of any kind, in terms common to all. */
export interface FeedPage {
  readonly name: string | undefined;
  readonly url: string | undefined;
  readonly lang: string | undefined;
  readonly authors: readonly string[];
  readonly picture: string | undefined;
  readonly keywords: readonly string[];
  /** The page with older entries (RFC 5005); JSON feeds have one, too. */
  readonly next: string | undefined;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly url: string | undefined;
  readonly title: string | undefined;
  /** May have markup. */
  readonly description: string | undefined;
  readonly lang: string | undefined;
  readonly authors: readonly string[];
  readonly keywords: readonly string[];
  readonly picture: string | undefined;
  /** A player for frames. */
  readonly embed?: string | undefined;
  readonly seconds: number | undefined;
  /** Media types of what is enclosed. */
  readonly media: readonly string[];
}

/** The page of an entry or a feed: the `alternate` link, or one without `rel`. */
export function findFeedLink(links: readonly Link[] = []): string | undefined {
  return links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;
}

export function findNextFeedPage(links: readonly Link[] = []): string | undefined {
  return (links.find(({ rel }) => rel === 'next') ?? links.find(({ rel }) => rel === 'prev-archive'))?.href;
}

function contentsOf(media: Media | undefined) {
  return [...(media?.contents ?? []), ...(media?.groups ?? []).flatMap(({ contents = [] }) => contents)];
}

export function readFeedMediaTypes(media: Media | undefined): { media: string[] } {
  return { media: dropMissingFeedTexts(contentsOf(media).map(({ type, medium }) => type ?? medium)) };
}

export function readFeedMediaSeconds(media: Media | undefined): number | undefined {
  return contentsOf(media).find(({ duration }) => duration !== undefined)?.duration;
}

export function readFeedMediaText(media: Media | undefined): string | undefined {
  return media?.description?.value ?? media?.groups?.[0]?.description?.value;
}

/** A thumbnail; else what is enclosed, where that is a picture. */
export function findFeedThumbnail(
  media: Media | undefined,
  enclosures: readonly Enclosure[] = [],
): string | undefined {
  const thumbnail = (media?.thumbnails ?? media?.groups?.[0]?.thumbnails)?.[0]?.url;
  const isPicture = ({ type, medium }: Enclosure) =>
    medium === 'image' || type?.startsWith('image/') === true;
  return thumbnail ?? [...contentsOf(media), ...enclosures].find(isPicture)?.url;
}

interface Enclosure {
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  readonly medium?: string | undefined;
}

export function findFeedPlayer(media: Media | undefined): string | undefined {
  return (media?.player ?? media?.groups?.[0]?.player)?.url;
}

export function dropMissingFeedTexts(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined);
}
