import { findByPath, type Site } from './site.ts';

/** https://en.scratch-wiki.info/wiki/Embedding */
export const scratch: Site = {
  hosts: ['scratch.mit.edu'],
  kind: 'interactive',
  sources: ['https://scratch.mit.edu'],
  findSrc: findByPath(/^\/projects\/(\d+)/, (id) => `https://scratch.mit.edu/projects/${id}/embed`),
  findPicture: findByPath(
    /^\/projects\/(\d+)/,
    (id) => `https://cdn2.scratch.mit.edu/get_image/project/${id}_480x360.png`,
  ),
};
