import { findByPath, type Site } from './site.ts';

const ARCHIVE_ITEM = /^\/(?:details|embed)\/([\w.-]+)\/?$/;

/** https://help.archive.org/help/how-can-i-embed-media/
 *  Pictures: https://archive.org/developers/items.html, an item's tile. */
export const internetArchive: Site = {
  hosts: ['archive.org'],
  kind: 'page',
  sources: ['https://archive.org'],
  findSrc: findByPath(ARCHIVE_ITEM, (item) => `https://archive.org/embed/${item}`),
  findPicture: findByPath(ARCHIVE_ITEM, (item) => `https://archive.org/services/img/${item}`),
};

/** Pages of books may be framed, only those of accounts refuse:
 *  https://github.com/openstax/os-webview/issues/1749 */
export const openstax: Site = {
  hosts: ['openstax.org'],
  kind: 'page',
  sources: ['https://openstax.org'],
  findSrc: findByPath(/^(\/books\/[\w-]+\/pages\/[\w-]+)\/?$/, (path) => `https://openstax.org${path}`),
};

const COMMONS_PICTURE = /^\/wiki\/(?:File|Fichier|Datei):([^/]+\.(?:jpe?g|png|gif|webp|svg))$/i;

/** The wikis send no header against frames: https://www.mediawiki.org/wiki/Manual:$wgBreakFrames
 *  Pictures of the files of Commons, as PNG where they are SVG:
 *  https://commons.wikimedia.org/wiki/Commons:FilePath */
export const wikimedia: Site = {
  hosts: ['.wikibooks.org', '.wikiversity.org', '.wikipedia.org', 'commons.wikimedia.org'],
  kind: 'page',
  sources: [
    'https://*.wikibooks.org',
    'https://*.wikiversity.org',
    'https://*.wikipedia.org',
    'https://commons.wikimedia.org',
  ],
  findSrc: ({ hostname, pathname }) => (pathname.startsWith('/wiki/') ? `https://${hostname}${pathname}` : null),
  findPicture({ hostname, pathname }) {
    const [, file] = COMMONS_PICTURE.exec(pathname) ?? [];
    if (file === undefined || hostname !== 'commons.wikimedia.org') return null;
    return `https://commons.wikimedia.org/wiki/Special:FilePath/${file}?width=640`;
  },
};
