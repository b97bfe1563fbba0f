import { type Site, writeOembedAddress } from './site.ts';

const VIDEO_ID = /^[\w-]{11}$/;
const LIST_ID = /^[\w-]{12,64}$/;

/** Its player without cookies before it plays: https://support.google.com/youtube/answer/171780
 *  Pictures: https://developers.google.com/youtube/v3/docs/thumbnails (`high`, which every video has). */
export const youtube: Site = {
  hosts: ['youtube.com', 'm.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  kind: 'video',
  sources: ['https://www.youtube-nocookie.com'],
  findSrc(url) {
    const { searchParams } = url;
    const id = findVideoId(url);
    const list = searchParams.get('list') ?? '';
    const query = new URLSearchParams({ rel: '0' });
    if (LIST_ID.test(list)) query.set('list', list);
    const start = readSeconds(searchParams.get('t') ?? searchParams.get('start') ?? '');
    if (start > 0) query.set('start', String(start));
    if (id !== null) return `https://www.youtube-nocookie.com/embed/${id}?${query}`;
    return query.has('list') ? `https://www.youtube-nocookie.com/embed/videoseries?${query}` : null;
  },
  findPicture(url) {
    const id = findVideoId(url);
    if (id !== null) return writeYoutubePicture(id);
    return findDescription(url);
  },
  // Its page of a video that was removed answers 200 and says so in words.
  findWitness: findDescription,
};

const OEMBED = 'https://www.youtube.com/oembed';

/** Of the video, or of the list where there is none. */
function findDescription(url: URL): string | null {
  const id = findVideoId(url);
  if (id !== null) return writeOembedAddress(OEMBED, `https://www.youtube.com/watch?v=${id}`);
  const list = url.searchParams.get('list') ?? '';
  if (!LIST_ID.test(list)) return null;
  return writeOembedAddress(OEMBED, `https://www.youtube.com/playlist?list=${list}`);
}

export const writeYoutubePicture = (id: string) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;

export const isYoutubeId = (id: string) => VIDEO_ID.test(id) && id !== 'videoseries';

function findVideoId({ searchParams, hostname, pathname }: URL): string | null {
  const [, fromPath] = /^\/(?:embed|shorts|live|v)\/([\w-]+)/.exec(pathname) ?? [];
  const id = hostname === 'youtu.be' ? pathname.slice(1) : (searchParams.get('v') ?? fromPath ?? '');
  return isYoutubeId(id) ? id : null;
}

/** `90`, `90s`, `1m30s`, `1h2m3s`; 0 for anything else. */
function readSeconds(text: string): number {
  const [all, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? [];
  return all === undefined
    ? 0
    : Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
