import { parseFeed } from 'feedsmith';
import { fromAtom } from './atom-feed.ts';
import type { FeedPage } from './feed-page.ts';
import { fromJson } from './json-feed.ts';
import { fromRdf, fromRss } from './rss-feed.ts';

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
