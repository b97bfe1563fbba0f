import type { Site } from './site.ts';

const PICTURE = /^\/wiki\/(?:File|Fichier|Datei):([^/]+\.(?:jpe?g|png|gif|webp|svg))$/i;

/** Its wikis send no header against frames: https://www.mediawiki.org/wiki/Manual:$wgBreakFrames
 *  Pictures of the files of Commons, drawn as PNG where they are SVG: https://commons.wikimedia.org/wiki/Commons:FilePath */
export const wikimedia: Site = {
  hosts: ['.wikibooks.org', '.wikiversity.org', '.wikipedia.org', 'commons.wikimedia.org'],
  kind: 'page',
  sources: [
    'https://*.wikibooks.org',
    'https://*.wikiversity.org',
    'https://*.wikipedia.org',
    'https://commons.wikimedia.org',
  ],
  findSrc: ({ hostname, pathname }) =>
    pathname.startsWith('/wiki/') ? `https://${hostname}${pathname}` : null,
  findPicture({ hostname, pathname }) {
    const [, file] = PICTURE.exec(pathname) ?? [];
    if (file === undefined || hostname !== 'commons.wikimedia.org') return null;
    return `https://commons.wikimedia.org/wiki/Special:FilePath/${file}?width=640`;
  },
};
