import type { LearningObject } from '../learning-object.ts';
import { geogebra } from './geogebra.ts';
import { h5p } from './h5p.ts';
import { internetArchive } from './internet-archive.ts';
import { khanAcademy } from './khan-academy.ts';
import { openstax } from './openstax.ts';
import { peertube } from './peertube.ts';
import { phet } from './phet.ts';
import { scratch } from './scratch.ts';
import type { Site } from './site.ts';
import { ted } from './ted.ts';
import { vimeo } from './vimeo.ts';
import { wikimedia } from './wikimedia.ts';
import { youtube } from './youtube.ts';

const sites: readonly Site[] = [
  ...[youtube, vimeo, ted, peertube, khanAcademy],
  ...[phet, geogebra, scratch, h5p],
  ...[internetArchive, openstax, wikimedia],
];

/** How the content of an address can be shown within another page. */
export interface Embedding {
  /** Address for the frame; over https. */
  readonly src: string;
  /** Of `src`, for the policy of the page that frames it. */
  readonly origin: string;
  readonly kind: Site['kind'];
}

/** Where frames of embedded content may lead, as `frame-src` of a policy names it. */
export const embeddingSources: readonly string[] = [...new Set(sites.flatMap(({ sources }) => sources))];

/** How to show an object in a frame; null where its site does not allow that, or we do not know. What the catalogue or a service
 *  calls its `embed` is only an address to look at: it is framed where a site of ours knows it, never as it is.
 *  @example findEmbedding({ url: 'https://youtu.be/dQw4w9WgXcQ?t=1m30s' })?.src // 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=90' */
export function findEmbedding({ url, embed }: Pick<LearningObject, 'url' | 'embed'>): Embedding | null {
  return findFrame(embed) ?? findFrame(url);
}

function findFrame(address: string | undefined): Embedding | null {
  const found = findSite(address);
  const src = found?.site.findSrc(found.url) ?? null;
  return found === null || src === null ? null : { src, origin: new URL(src).origin, kind: found.site.kind };
}

/** Address of an object's picture: its own, or else the one that follows from its address; null where there is none. */
export function findPictureSource({
  url,
  embed,
  picture,
}: Pick<LearningObject, 'url' | 'embed' | 'picture'>): string | null {
  return picture ?? findSitePicture(url) ?? findSitePicture(embed);
}

/** What to ask whether the content of an address is still there, where its page does not say; null where it does, or we do not
 *  know. */
export function findContentWitness(address: string): string | null {
  const found = findSite(address);
  return found?.site.findWitness?.(found.url) ?? null;
}

function findSitePicture(address: string | undefined): string | null {
  const found = findSite(address);
  return found?.site.findPicture?.(found.url) ?? null;
}

function findSite(address: string | undefined): { readonly site: Site; readonly url: URL } | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const host = url.hostname.replace(/^www\./, '');
  const site = sites.find(({ hosts }) => hosts.some((name) => isHost(host, name)));
  return site === undefined ? null : { site, url };
}

function isHost(host: string, name: string): boolean {
  return name.startsWith('.') ? host.endsWith(name) : host === name;
}
