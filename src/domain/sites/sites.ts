import type { LearningObject } from '../learning-object.ts';
import { geogebra, h5p, internetArchive, openstax, phet, scratch, wikimedia } from './pages.ts';
import type { Site } from './site.ts';
import { khanAcademy, peertube, ted, vimeo, youtube } from './videos.ts';

const sites: readonly Site[] = [
  youtube,
  vimeo,
  ted,
  peertube,
  khanAcademy,
  phet,
  geogebra,
  scratch,
  h5p,
  internetArchive,
  openstax,
  wikimedia,
];

interface Embedding {
  /** An https address. */
  readonly src: string;
  /** Origin for the policy of the page that frames it. */
  readonly origin: string;
  readonly kind: Site['kind'];
}

/** Sources of all sites for `frame-src` of a Content-Security-Policy. */
export const embeddingSources: readonly string[] = [...new Set(sites.flatMap(({ sources }) => sources))];

/** Finds how to show an object in a frame, by its `embed` or `url`; null if no listed site has it.
 *  @example findSiteEmbedding({ url: 'https://youtu.be/dQw4w9WgXcQ?t=1m30s' })?.src
 *  // 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=90' */
export function findSiteEmbedding({ url, embed }: Pick<LearningObject, 'url' | 'embed'>): Embedding | null {
  return findSiteFrame(embed) ?? findSiteFrame(url);
}

function findSiteFrame(address: string | undefined): Embedding | null {
  const match = findSite(address);
  const src = match?.site.findSrc(match.url) ?? null;
  return match === null || src === null ? null : { src, origin: new URL(src).origin, kind: match.site.kind };
}

/** Returns the picture of an object, else one derived from its addresses; null without either. */
export function findSitePictureSource(object: Pick<LearningObject, 'url' | 'embed' | 'picture'>): string | null {
  return object.picture ?? findSitePicture(object.url) ?? findSitePicture(object.embed);
}

/** Returns what to check instead of pages that answer 200 without content; null for other sites. */
export function findSiteContentWitness(address: string): string | null {
  const match = findSite(address);
  return match?.site.findWitness?.(match.url) ?? null;
}

function findSitePicture(address: string | undefined): string | null {
  const match = findSite(address);
  return match?.site.findPicture?.(match.url) ?? null;
}

function findSite(address: string | undefined): { readonly site: Site; readonly url: URL } | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const host = url.hostname.replace(/^www\./, '');
  const site = sites.find(({ hosts }) =>
    hosts.some((name) => (name.startsWith('.') ? host.endsWith(name) : host === name)),
  );
  return site === undefined ? null : { site, url };
}
