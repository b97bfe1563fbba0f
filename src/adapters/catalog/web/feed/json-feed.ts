import type { FeedEntry, FeedOf, FeedPage } from './feed-page.ts';
import { present } from './feed-parts.ts';

type JsonItem = NonNullable<NonNullable<FeedOf<'json'>['items']>[number]>;

export function fromJson({ items = [], ...feed }: FeedOf<'json'>): FeedPage {
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
