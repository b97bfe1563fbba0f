import { findByPath, type Site } from './site.ts';

/** https://help.geogebra.org/hc/en-us/articles/10449603379613 (share and embed) */
export const geogebra: Site = {
  hosts: ['geogebra.org'],
  kind: 'interactive',
  sources: ['https://www.geogebra.org'],
  findSrc: findByPath(
    /^\/(?:m|material\/iframe\/id)\/(\w{6,12})\/?$/,
    (id) => `https://www.geogebra.org/material/iframe/id/${id}`,
  ),
};
