import type { Site } from './site.ts';
import { isYoutubeId, writeYoutubePicture } from './youtube.ts';

/** Its own pages refuse frames. What it gives to embed, `embed_video?v=ID`, plays the video of that id at YouTube, which is framed
 *  here at once, without cookies: https://github.com/Khan/khan-exercises (videos of hints). */
export const khanAcademy: Site = {
  hosts: ['khanacademy.org', '.khanacademy.org'],
  kind: 'video',
  sources: ['https://www.youtube-nocookie.com'],
  findSrc(url) {
    const id = findVideoId(url);
    return id === null ? null : `https://www.youtube-nocookie.com/embed/${id}?rel=0`;
  },
  findPicture(url) {
    const id = findVideoId(url);
    return id === null ? null : writeYoutubePicture(id);
  },
};

function findVideoId({ pathname, searchParams }: URL): string | null {
  const id = pathname === '/embed_video' ? (searchParams.get('v') ?? '') : '';
  return isYoutubeId(id) ? id : null;
}
