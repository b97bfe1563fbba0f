import type { parseFeed } from 'feedsmith';

type Parsed = ReturnType<typeof parseFeed<string>>;
/** What feedsmith makes of a feed of this format. */
export type FeedOf<F extends Parsed['format']> = Extract<Parsed, { format: F }>['feed'];

/** A feed of any kind, in the words that all have in common. */
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
  readonly seconds: number | undefined;
  /** Media types of what is enclosed. */
  readonly media: readonly string[];
}
