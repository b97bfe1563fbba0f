import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { showWebAddress } from '#domain/web-address';
import type { ImportRequest } from '#ports/imports';
import { hashText, shortenSlug, slugifyText } from '../plain-text.ts';

/** A position in a list on the web means little after a day. */
export const RESUMABLE_MS = 24 * 60 * 60 * 1_000;

export const isWebLocation = (location: string): boolean => /^https?:\/\//i.test(location.trim());

/** An address as it stands on a page, made absolute; undefined where it is not one.
 *  @param base address of the page, or name of a file
 *  @example resolveWebUrl('/a', 'https://example.org/b/c') // 'https://example.org/a' */
export function resolveWebUrl(url: string | undefined, base: string): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url)) return url;
  return URL.canParse(url, base) ? new URL(url, base).href : undefined;
}

export const nameWebSource = ({ title, location }: ImportRequest): string =>
  title ?? (isWebLocation(location) ? showWebAddress(location) : basename(location));

/** Name of the data set as given, else by its source: host, path and a hash of the query of an
 *  address, or the name of a file.
 *  @example nameWebDataset({ format: 'feed', location: 'https://www.example.org/news', … })
 *  // 'feed-example-org-news' */
export function nameWebDataset({ dataset, format, location, title }: ImportRequest): string {
  const named = slugifyText(dataset ?? '');
  if (named !== '') return shortenSlug(named);
  const place = isWebLocation(location) ? placeOf(location) : (title ?? basename(location)).replace(/\.\w+$/, '');
  return shortenSlug(`${format}-${slugifyText(place)}`);
}

function placeOf(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `${host.replace(/^www\./, '')}${pathname}${search === '' ? '' : ` ${hashText(search)}`}`;
}

/** Fingerprint of the request, not of the content. */
export function fingerprintWebRequest({ format, location, langs, provider = '' }: ImportRequest): string {
  const read = JSON.stringify([format, location, langs, provider]);
  return createHash('sha256').update(read).digest('base64url');
}
