import type { Site } from './site.ts';

/** `dnt` keeps no session: https://developer.vimeo.com/player/sdk/embed */
export const vimeo: Site = {
  hosts: ['vimeo.com', 'player.vimeo.com'],
  kind: 'video',
  sources: ['https://player.vimeo.com'],
  /** A video that is not listed has a second part in its address, without which it does not play. */
  findSrc({ pathname, searchParams }) {
    const [, id, hashInPath] =
      /^\/(?:video\/|channels\/[\w-]+\/)?(\d{5,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? [];
    if (id === undefined) return null;
    const hash = hashInPath ?? searchParams.get('h');
    const query = new URLSearchParams({ dnt: '1', ...(hash && /^[\da-f]{6,20}$/.test(hash) && { h: hash }) });
    return `https://player.vimeo.com/video/${id}?${query}`;
  },
};
