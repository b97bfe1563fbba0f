import type { OutboundAnswer } from '#ports/outbound';

/** Companies whose pages stand where a domain is for sale. */
const SELLERS =
  /(?:^|\.)(?:sedo|sedoparking|parkingcrew|bodis|dan|hugedomains|afternic|undeveloped|domainmarket|buydomains|above|parklogic|uniregistry|atom|squadhelp)\.(?:com|net)$/;

/** What only their pages load. */
const PARKING_PARTS =
  /sedoparking\.com|parkingcrew\.net|bodis\.com\/|wsimg\.com\/parking-lander|window\.park\s*=\s*["']|d38psrni17bvxu\.cloudfront\.net|location\.href\s*=\s*["']\/lander["']/i;

const SALE_TITLE =
  /<title[^>]*>[^<]*(?:domain (?:name )?(?:is |may be )?for sale|buy this domain|parked (?:domain|free)|domain parking|domaine (?:est )?à vendre|domain steht zum verkauf)/i;

/** Whether a page stands where a domain is for sale, or only shows advertisements. */
export function isParkedPage(url: string, { text, headers, url: address }: OutboundAnswer): boolean {
  const [first, last] = [new URL(url).hostname, new URL(address).hostname];
  if (first !== last && SELLERS.test(last)) return true;
  if (!/html/i.test(headers['content-type'] ?? 'html')) return false;
  return PARKING_PARTS.test(text) || SALE_TITLE.test(text);
}

const HOME =
  /^(?:\/(?:[a-z]{2}(?:[-_][a-z]{2})?))?\/?(?:(?:index|home|default|accueil|startseite)(?:\.\w{2,5})?)?\/?$/i;

/** Whether an address that was not a home page has become one. */
export function leadsHome(url: string, address: string): boolean {
  return address !== url && isHome(address) && !isHome(url);
}

/** With a query or a route in the fragment it is a page of its own. */
function isHome(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return HOME.test(pathname) && search === '' && !/^#[/!]./.test(hash);
}
