/** What visitors are counted by, and what makes no difference to what an address shows. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|ref_src|igshid|si)$/i;

/** The address of a learning object as it is compared with others: scheme, `www.`, a slash at the end, the place
 *  on a page, the order of the query and what only counts visitors make no difference. Not an address to open. The text
 *  itself where it is no web address. */
export function objectAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, searchParams, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return url;
  for (const name of [...searchParams.keys()]) if (TRACKING.test(name)) searchParams.delete(name);
  searchParams.sort();
  const query = searchParams.toString();
  return host.replace(/^www\./, '') + withoutSlash(pathname) + (query && `?${query}`) + routeOf(hash);
}

/** Some sites name their pages in the fragment, `#/course/1` or `#!course/1`; any other fragment is a place on one page. */
function routeOf(hash: string): string {
  const route = withoutSlash(hash);
  return /^#[/!]./.test(route) ? route : '';
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
