import { findByPath, type Site } from './site.ts';

/** Pages of books are framed by learning platforms, only its accounts refuse: https://github.com/openstax/os-webview/issues/1749 */
export const openstax: Site = {
  hosts: ['openstax.org'],
  kind: 'page',
  sources: ['https://openstax.org'],
  findSrc: findByPath(/^(\/books\/[\w-]+\/pages\/[\w-]+)\/?$/, (path) => `https://openstax.org${path}`),
};
