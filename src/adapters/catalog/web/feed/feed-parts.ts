import type { FeedOf } from './feed-page.ts';

type Media = NonNullable<NonNullable<FeedOf<'rss'>['items']>[number]['media']>;

interface Link {
  readonly href?: string;
  readonly rel?: string;
}

/** The page that an entry or a feed is about: `alternate`, which is meant where nothing is said. */
export function linkOf(links: readonly Link[] = []): string | undefined {
  return links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;
}

export function nextOf(links: readonly Link[] = []): string | undefined {
  return (links.find(({ rel }) => rel === 'next') ?? links.find(({ rel }) => rel === 'prev-archive'))?.href;
}

function contentsOf(media: Media | undefined) {
  return [...(media?.contents ?? []), ...(media?.groups ?? []).flatMap(({ contents = [] }) => contents)];
}

export function ofMedia(media: Media | undefined): { media: string[] } {
  return { media: present(contentsOf(media).map(({ type, medium }) => type ?? medium)) };
}

export function secondsOf(media: Media | undefined): number | undefined {
  return contentsOf(media).find(({ duration }) => duration !== undefined)?.duration;
}

export function mediaText(media: Media | undefined): string | undefined {
  return media?.description?.value ?? media?.groups?.[0]?.description?.value;
}

export function thumbnailOf(media: Media | undefined): string | undefined {
  return (media?.thumbnails ?? media?.groups?.[0]?.thumbnails)?.[0]?.url;
}

export function present(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined);
}
