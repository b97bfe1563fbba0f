import { findByPath, type Site } from './site.ts';

const ITEM = /^\/(?:details|embed)\/([\w.-]+)\/?$/;

/** https://help.archive.org/help/how-can-i-embed-media/
 *  Pictures: https://archive.org/developers/items.html, an item's tile. */
export const internetArchive: Site = {
  hosts: ['archive.org'],
  kind: 'page',
  sources: ['https://archive.org'],
  findSrc: findByPath(ITEM, (item) => `https://archive.org/embed/${item}`),
  findPicture: findByPath(ITEM, (item) => `https://archive.org/services/img/${item}`),
};
