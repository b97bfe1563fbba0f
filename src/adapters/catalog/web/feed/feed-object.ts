import type { LearningObjectType } from '../../../../domain/learning-object.ts';
import type { ProviderRecord } from '../../catalog-schema.ts';
import { toObjectRecord } from '../../object-record.ts';
import { cleanTitle, cutAtWord } from '../../plain-text.ts';
import type { ReadObject } from '../read-objects.ts';
import { absoluteUrl } from '../web-names.ts';
import type { FeedEntry, FeedPage } from './feed-page.ts';

export interface FeedContext {
  /** Where the feed was read: addresses may be relative to it. */
  readonly base: string;
  readonly provider: ProviderRecord;
  readonly defaultLang: string | undefined;
}

/** The learning object that an entry of a feed is about. */
export function toFeedObject(entry: FeedEntry, feed: FeedPage, context: FeedContext): ReadObject {
  const { base, provider, defaultLang } = context;
  const url = absoluteUrl(entry.url, base) ?? entry.url ?? '';
  const { seconds, description } = entry;
  const outcome = toObjectRecord({
    url,
    title: entry.title ?? '',
    description,
    provider: provider.id,
    types: [typeOf(entry, url)],
    lang: entry.lang ?? feed.lang,
    defaultLang,
    keywords: entry.keywords,
    minutes: seconds === undefined ? undefined : seconds / 60,
    authors: entry.authors.length > 0 ? entry.authors : feed.authors,
    picture: absoluteUrl(entry.picture ?? feed.picture, base),
  });
  return { place: placeOf(entry, url), provider, outcome };
}

function placeOf({ title = '' }: FeedEntry, url: string): string {
  return url || cutAtWord(cleanTitle(title), 100) || 'an entry without address and title';
}

const VIDEO_HOST = /(?:^|\.)(?:youtube\.com|youtu\.be|vimeo\.com|dailymotion\.com|ted\.com)$/;

function typeOf({ media }: FeedEntry, url: string): LearningObjectType {
  if (media.some((type) => /^video\b|\.(?:mp4|m4v|mov|webm)$/i.test(type))) return 'video';
  if (URL.canParse(url) && VIDEO_HOST.test(new URL(url).hostname)) return 'video';
  return media.some((type) => /^audio\b|\.(?:mp3|m4a|ogg|opus|wav)$/i.test(type)) ? 'podcast' : 'article';
}
