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

export interface Embedding {
  /** An https address. */
  readonly src: string;
  /** For the policy of the page that frames it. */
  readonly origin: string;
  readonly kind: Site['kind'];
}

/** For `frame-src` of a Content-Security-Policy. */
export const embeddingSources: readonly string[] = [...new Set(sites.flatMap(({ sources }) => sources))];

/** Null if the site does not allow frames or is not in the list, also for `embed` of an object.
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

/** The picture of the object, else one derived from its address; null if there is neither. */
export function findSitePictureSource({
  url,
  embed,
  picture,
}: Pick<LearningObject, 'url' | 'embed' | 'picture'>): string | null {
  return picture ?? findSitePicture(url) ?? findSitePicture(embed);
}

/** For sites whose pages answer 200 even if the content is gone; null for all others. */
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
