import type { parseFeed } from 'feedsmith';

type Media = NonNullable<NonNullable<FeedOf<'rss'>['items']>[number]['media']>;

interface Link {
  readonly type?: string;
  readonly href?: string;
  readonly rel?: string;
}

type Parsed = ReturnType<typeof parseFeed<string>>;
/** What feedsmith makes of a feed of this format. */
export type FeedOf<F extends Parsed['format']> = Extract<Parsed, { format: F }>['feed'];

export interface FeedPage {
  readonly name: string | undefined;
  /** Of the site that it is about. */
  readonly url: string | undefined;
  /** Its own address. */
  readonly self?: string | undefined;
  readonly lang: string | undefined;
  readonly authors: readonly string[];
  readonly picture: string | undefined;
  readonly keywords: readonly string[];
  /** The page with older entries (RFC 5005); JSON feeds have one, too. */
  readonly next: string | undefined;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** Addresses that may be its own, the best first: its page, what names it, what is enclosed. */
  readonly urls: readonly (string | undefined)[];
  /** What its addresses are relative to, where that differs from the feed (`xml:base`). */
  readonly base?: string | undefined;
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
  const pages = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  return (pages.find(({ type }) => type === undefined || /html/i.test(type)) ?? pages[0])?.href;
}

export const findFeedSelf = (links: readonly Link[] = []): string | undefined =>
  links.find(({ rel }) => rel === 'self')?.href;

export const findNextFeedPage = (links: readonly Link[] = []): string | undefined =>
  (links.find(({ rel }) => rel === 'next') ?? links.find(({ rel }) => rel === 'prev-archive'))?.href;

const contentsOf = (media: Media | undefined) => [
  ...(media?.contents ?? []),
  ...(media?.groups ?? []).flatMap(({ contents = [] }) => contents),
];

export const readFeedMediaTypes = (media: Media | undefined): { media: string[] } => ({
  media: dropMissingFeedTexts(contentsOf(media).map(({ type, medium }) => type ?? medium)),
});

export const readFeedMediaSeconds = (media: Media | undefined): number | undefined =>
  contentsOf(media).find(({ duration }) => duration !== undefined)?.duration;

export const readFeedMediaText = (media: Media | undefined): string | undefined =>
  media?.description?.value ?? media?.groups?.[0]?.description?.value;

/** A thumbnail; else what is enclosed, where that is a picture. */
export function findFeedThumbnail(media: Media | undefined, enclosures: readonly Enclosure[] = []): string | undefined {
  const thumbnail = (media?.thumbnails ?? media?.groups?.[0]?.thumbnails)?.[0]?.url;
  const isPicture = ({ type, medium }: Enclosure) => medium === 'image' || type?.startsWith('image/') === true;
  return thumbnail ?? [...contentsOf(media), ...enclosures].find(isPicture)?.url;
}

interface Enclosure {
  readonly url?: string | undefined;
  readonly type?: string | undefined;
  readonly medium?: string | undefined;
}

/** Addresses of what is enclosed, pictures last. */
export function listFeedFiles(enclosures: readonly Enclosure[]): (string | undefined)[] {
  const isPicture = ({ type }: Enclosure) => type?.startsWith('image/') === true;
  return enclosures.toSorted((a, b) => Number(isPicture(a)) - Number(isPicture(b))).map(({ url }) => url);
}

export const findFeedPlayer = (media: Media | undefined): string | undefined =>
  (media?.player ?? media?.groups?.[0]?.player)?.url;

export const dropMissingFeedTexts = (texts: readonly (string | undefined)[]): string[] =>
  texts.filter((text) => text !== undefined);
