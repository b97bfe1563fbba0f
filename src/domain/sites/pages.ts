import { createAddressFinder, type Site } from './site.ts';

/** Simulations are made to be put into other pages: https://phet.colorado.edu/en/help-center Their
 *  folders hold a picture for such pages, `NAME-600.png`: https://github.com/phetsims/chipper */
export const phet: Site = {
  hosts: ['phet.colorado.edu'],
  kind: 'interactive',
  sources: ['https://phet.colorado.edu'],
  findSrc(url) {
    const { pathname, searchParams } = url;
    if (!/^\/sims\/html\/[\w./-]+\.html$/.test(pathname)) return null;
    const locale = searchParams.get('locale') ?? '';
    // This page of a simulation has all of its languages.
    const query = /^[a-z]{2}(?:_[A-Z]{2})?$/.test(locale) ? `?locale=${locale}` : '';
    return `https://phet.colorado.edu${pathname}${query}`;
  },
  findPicture: createAddressFinder(
    /^\/(?:sims\/html|\w+\/simulations?)\/([a-z\d-]+)(?:\/|$)/,
    (name) => `https://phet.colorado.edu/sims/html/${name}/latest/${name}-600.png`,
  ),
};

/** https://help.geogebra.org/hc/en-us/articles/10449603379613 (share and embed) */
export const geogebra: Site = {
  hosts: ['geogebra.org'],
  kind: 'interactive',
  sources: ['https://www.geogebra.org'],
  findSrc: createAddressFinder(
    /^\/(?:m|material\/iframe\/id)\/(\w{6,12})\/?$/,
    (id) => `https://www.geogebra.org/material/iframe/id/${id}`,
  ),
};

/** https://en.scratch-wiki.info/wiki/Embedding */
export const scratch: Site = {
  hosts: ['scratch.mit.edu'],
  kind: 'interactive',
  sources: ['https://scratch.mit.edu'],
  findSrc: createAddressFinder(/^\/projects\/(\d+)/, (id) => `https://scratch.mit.edu/projects/${id}/embed`),
  findPicture: createAddressFinder(
    /^\/projects\/(\d+)/,
    (id) => `https://cdn2.scratch.mit.edu/get_image/project/${id}_480x360.png`,
  ),
};

/** https://h5p.org/documentation/for-authors/embed (the site of examples),
 *  https://help.h5p.com/hc/en-us/articles/7505593070237 (h5p.com) */
export const h5p: Site = {
  hosts: ['h5p.org', '.h5p.com'],
  kind: 'interactive',
  sources: ['https://h5p.org', 'https://*.h5p.com'],
  findSrc({ hostname, pathname }) {
    const [, example] = /^\/(?:node|h5p\/embed)\/(\d{1,9})\/?$/.exec(pathname) ?? [];
    if (hostname.endsWith('h5p.org')) return example ? `https://h5p.org/h5p/embed/${example}` : null;
    const [, content] = /^\/content\/(\d{4,24})(?:\/embed)?\/?$/.exec(pathname) ?? [];
    return content === undefined ? null : `https://${hostname}/content/${content}/embed`;
  },
};

const ARCHIVE_ITEM = /^\/(?:details|embed)\/([\w.-]+)\/?$/;

/** https://help.archive.org/help/how-can-i-embed-media/
 *  Pictures: https://archive.org/developers/items.html, an item's tile. */
export const internetArchive: Site = {
  hosts: ['archive.org'],
  kind: 'page',
  sources: ['https://archive.org'],
  findSrc: createAddressFinder(ARCHIVE_ITEM, (item) => `https://archive.org/embed/${item}`),
  findPicture: createAddressFinder(ARCHIVE_ITEM, (item) => `https://archive.org/services/img/${item}`),
};

/** Pages of books may be framed, only those of accounts refuse:
 *  https://github.com/openstax/os-webview/issues/1749 */
export const openstax: Site = {
  hosts: ['openstax.org'],
  kind: 'page',
  sources: ['https://openstax.org'],
  findSrc: createAddressFinder(/^(\/books\/[\w-]+\/pages\/[\w-]+)\/?$/, (path) => `https://openstax.org${path}`),
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
