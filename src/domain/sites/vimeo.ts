import { type Site, writeOembedAddress } from './site.ts';

/** `dnt` keeps no session: https://developer.vimeo.com/player/sdk/embed */
export const vimeo: Site = {
  hosts: ['vimeo.com', 'player.vimeo.com'],
  kind: 'video',
  sources: ['https://player.vimeo.com'],
  findSrc(url) {
    const video = findVideo(url);
    if (video === null) return null;
    const query = new URLSearchParams({ dnt: '1', ...(video.hash && { h: video.hash }) });
    return `https://player.vimeo.com/video/${video.id}?${query}`;
  },
  findPicture: findDescription,
  findWitness: findDescription,
};

function findDescription(url: URL): string | null {
  const video = findVideo(url);
  if (video === null) return null;
  const page = `https://vimeo.com/${video.id}${video.hash && `/${video.hash}`}`;
  return writeOembedAddress('https://vimeo.com/api/oembed.json', page);
}

/** A video that is not listed has a second part in its address, without which it does not play. */
function findVideo({ pathname, searchParams }: URL): { readonly id: string; readonly hash: string } | null {
  const [, id, hashInPath] =
    /^\/(?:video\/|channels\/[\w-]+\/)?(\d{5,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? [];
  if (id === undefined) return null;
  const hash = hashInPath ?? searchParams.get('h') ?? '';
  return { id, hash: /^[\da-f]{6,20}$/.test(hash) ? hash : '' };
}
