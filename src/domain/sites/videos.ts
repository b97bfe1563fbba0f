import { createAddressFinder, type Site, writeOembedAddress } from './site.ts';

const YOUTUBE_FRAMES = 'https://www.youtube-nocookie.com';
const YOUTUBE_EMBED = `${YOUTUBE_FRAMES}/embed`;
const YOUTUBE_ID = /^[\w-]{11}$/;
const YOUTUBE_LIST = /^[\w-]{12,64}$/;

/** The player sets no cookies before it plays: https://support.google.com/youtube/answer/171780
 *  Pictures: https://developers.google.com/youtube/v3/docs/thumbnails (`high`, which every video
 *  has). */
export const youtube: Site = {
  hosts: ['youtube.com', 'm.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  kind: 'video',
  sources: [YOUTUBE_FRAMES],
  findSrc(url) {
    const { searchParams } = url;
    const id = findYoutubeId(url);
    const list = searchParams.get('list') ?? '';
    const query = new URLSearchParams({ rel: '0' });
    if (YOUTUBE_LIST.test(list)) query.set('list', list);
    const start = readVideoSeconds(searchParams.get('t') ?? searchParams.get('start') ?? '');
    if (start > 0) query.set('start', String(start));
    if (id !== null) return `${YOUTUBE_EMBED}/${id}?${query}`;
    return query.has('list') ? `${YOUTUBE_EMBED}/videoseries?${query}` : null;
  },
  findPicture(url) {
    const id = findYoutubeId(url);
    return id === null ? findYoutubeOembed(url) : writeYoutubePicture(id);
  },
  // The page of a removed video answers 200.
  findWitness: findYoutubeOembed,
};

const YOUTUBE_OEMBED = 'https://www.youtube.com/oembed';

/** Returns the oEmbed address of the video, else of the playlist; null for other pages. */
function findYoutubeOembed(url: URL): string | null {
  const id = findYoutubeId(url);
  if (id !== null) return writeOembedAddress(YOUTUBE_OEMBED, `https://www.youtube.com/watch?v=${id}`);
  const list = url.searchParams.get('list') ?? '';
  if (!YOUTUBE_LIST.test(list)) return null;
  return writeOembedAddress(YOUTUBE_OEMBED, `https://www.youtube.com/playlist?list=${list}`);
}

const writeYoutubePicture = (id: string) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;
const isYoutubeId = (id: string) => YOUTUBE_ID.test(id) && id !== 'videoseries';

function findYoutubeId({ searchParams, hostname, pathname }: URL): string | null {
  const [, fromPath] = /^\/(?:embed|shorts|live|v)\/([\w-]+)/.exec(pathname) ?? [];
  const id = hostname === 'youtu.be' ? pathname.slice(1) : (searchParams.get('v') ?? fromPath ?? '');
  return isYoutubeId(id) ? id : null;
}

/** Reads `90`, `90s`, `1m30s` or `1h2m3s` as seconds; 0 for anything else. */
function readVideoSeconds(text: string): number {
  const [all, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? [];
  return all === undefined ? 0 : Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

/** The parameter `dnt` prevents tracking: https://developer.vimeo.com/player/sdk/embed */
export const vimeo: Site = {
  hosts: ['vimeo.com', 'player.vimeo.com'],
  kind: 'video',
  sources: ['https://player.vimeo.com'],
  findSrc(url) {
    const video = findVimeoVideo(url);
    if (video === null) return null;
    const query = new URLSearchParams({ dnt: '1', ...(video.hash && { h: video.hash }) });
    return `https://player.vimeo.com/video/${video.id}?${query}`;
  },
  findPicture: findVimeoOembed,
  findWitness: findVimeoOembed,
};

function findVimeoOembed(url: URL): string | null {
  const video = findVimeoVideo(url);
  if (video === null) return null;
  const page = `https://vimeo.com/${video.id}${video.hash && `/${video.hash}`}`;
  return writeOembedAddress('https://vimeo.com/api/oembed.json', page);
}

/** Returns ID and hash of a video; an unlisted one does not play without its hash. */
function findVimeoVideo({ pathname, searchParams }: URL): { readonly id: string; readonly hash: string } | null {
  const [, id, hashInPath] =
    /^\/(?:video\/|channels\/[\w-]+\/)?(\d{5,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? [];
  if (id === undefined) return null;
  const hash = hashInPath ?? searchParams.get('h') ?? '';
  return { id, hash: /^[\da-f]{6,20}$/.test(hash) ? hash : '' };
}

const TED_TALK = /^\/talks\/(?:lang\/[\w-]+\/)?([\w-]+)\/?$/;

const findTedOembed = createAddressFinder(TED_TALK, (talk) =>
  writeOembedAddress('https://www.ted.com/services/v1/oembed.json', `https://www.ted.com/talks/${talk}`),
);

/** https://www.ted.com/about/our-organization/our-policies-terms/ted-talks-usage-policy */
export const ted: Site = {
  hosts: ['ted.com', 'embed.ted.com'],
  kind: 'video',
  sources: ['https://embed.ted.com'],
  findSrc: createAddressFinder(TED_TALK, (talk) => `https://embed.ted.com/talks/${talk}`),
  findPicture: findTedOembed,
  findWitness: findTedOembed,
};

/** Anyone can run a PeerTube; only those that publish for learning are framed.
 *  https://docs.joinpeertube.org/api/embed-player */
const peertubeHosts = ['tube.reseau-canope.fr', 'framatube.org'];

/** A UUID, or its short form. */
const PEERTUBE_VIDEO =
  /^\/(?:w|videos\/(?:watch|embed))\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\dA-Za-z]{22})\/?$/;

const findPeertubeOembed = createAddressFinder(PEERTUBE_VIDEO, (id, host) =>
  writeOembedAddress(`https://${host}/services/oembed`, `https://${host}/videos/watch/${id}`),
);

export const peertube: Site = {
  hosts: peertubeHosts,
  kind: 'video',
  sources: peertubeHosts.map((host) => `https://${host}`),
  findSrc: createAddressFinder(PEERTUBE_VIDEO, (id, host) => `https://${host}/videos/embed/${id}`),
  findPicture: findPeertubeOembed,
  findWitness: findPeertubeOembed,
};

/** The pages of Khan Academy refuse frames. Its embed address, `embed_video?v=ID`, plays the video
 *  of that id at YouTube, which is framed here directly, without cookies:
 *  https://github.com/Khan/khan-exercises (videos of hints). */
export const khanAcademy: Site = {
  hosts: ['khanacademy.org', '.khanacademy.org'],
  kind: 'video',
  sources: [YOUTUBE_FRAMES],
  findSrc(url) {
    const id = findKhanVideo(url);
    return id === null ? null : `${YOUTUBE_EMBED}/${id}?rel=0`;
  },
  findPicture(url) {
    const id = findKhanVideo(url);
    return id === null ? null : writeYoutubePicture(id);
  },
};

function findKhanVideo({ pathname, searchParams }: URL): string | null {
  const id = pathname === '/embed_video' ? (searchParams.get('v') ?? '') : '';
  return isYoutubeId(id) ? id : null;
}
