import { findByPath, type Site } from './site.ts';

/** https://phet.colorado.edu/en/help-center: simulations are made to be put into other pages. Their folders hold a picture for
 *  such pages: https://github.com/phetsims/chipper, `NAME-600.png`. */
export const phet: Site = {
  hosts: ['phet.colorado.edu'],
  kind: 'interactive',
  sources: ['https://phet.colorado.edu'],
  findSrc(url) {
    const { pathname, searchParams } = url;
    if (!/^\/sims\/html\/[\w./-]+\.html$/.test(pathname)) return null;
    const locale = searchParams.get('locale') ?? '';
    // The one page of a simulation that has all of its languages.
    const query = /^[a-z]{2}(?:_[A-Z]{2})?$/.test(locale) ? `?locale=${locale}` : '';
    return `https://phet.colorado.edu${pathname}${query}`;
  },
  findPicture: findByPath(
    /^\/(?:sims\/html|\w+\/simulations?)\/([a-z\d-]+)(?:\/|$)/,
    (name) => `https://phet.colorado.edu/sims/html/${name}/latest/${name}-600.png`,
  ),
};
