import type { Site } from './site.ts';

/** https://h5p.org/documentation/for-authors/embed (its site of examples), https://help.h5p.com/hc/en-us/articles/7505593070237 (h5p.com) */
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
