import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { TextDecoder } from 'node:util';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportRequest } from '#ports/imports';
import { hashText, shortenSlug, slugifyText } from '../plain-text.ts';
import { type Fetch, MAX_TEXT_BYTES, requireFetchedPage } from './fetcher.ts';

/** A position in a list on the web means little after a day. */
export const RESUMABLE_MS = 24 * 60 * 60 * 1_000;

export const isWebLocation = (location: string): boolean => /^https?:\/\//i.test(location.trim());

/** Resolves an address. Undefined if that is impossible.
 *  @param base the address of the page, or the name of a file
 *  @example resolveWebUrl('/a', 'https://example.org/b/c') // 'https://example.org/a' */
export function resolveWebUrl(url: string | undefined, base: string): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url)) return url;
  return URL.canParse(url, base) ? new URL(url, base).href : undefined;
}

export const nameWebSource = ({ title, location }: ImportRequest): string =>
  title ?? (isWebLocation(location) ? showWebAddress(location) : basename(location));

/** The name of the data set: as requested, else of host, path and a hash of the query, or of the
 *  file.
 *  @example nameWebDataset({ format: 'feed', location: 'https://www.example.org/news', … })
 *  // 'feed-example-org-news' */
export function nameWebDataset({ dataset, format, location, title }: ImportRequest): string {
  const named = slugifyText(dataset ?? '');
  if (named !== '') return shortenSlug(named);
  const place = isWebLocation(location) ? nameWebPlace(location) : (title ?? basename(location)).replace(/\.\w+$/, '');
  return shortenSlug(`${format}-${slugifyText(place)}`);
}

function nameWebPlace(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `${host.replace(/^www\./, '')}${pathname}${search === '' ? '' : ` ${hashText(search)}`}`;
}

/** A fingerprint of the request, as that of the content is unknown before it is read. */
export function fingerprintWebRequest({ format, location, langs, provider = '' }: ImportRequest): string {
  const parts = JSON.stringify([format, location, langs, provider]);
  return createHash('sha256').update(parts).digest('base64url');
}

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Decodes a text by its byte order mark, header or declaration; else as UTF-8 or Windows-1252. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const named =
    marked ?? findCharset(contentType) ?? findCharset(new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)));
  if (named !== undefined) return createLocationDecoder(named).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const findCharset = (text: string): string | undefined => /(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];

function createLocationDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // Unknown charset.
    return new TextDecoder();
  }
}

interface ReadText {
  readonly text: string;
  /** The address after all redirects; for a file, its displayed name. */
  readonly url: string;
}

/** Reads the text at an address, or in a file. Errors: IMPORT_INVALID, SOURCE_UNAVAILABLE. */
export async function readTextAtLocation(request: ImportRequest, fetch: Fetch, signal: AbortSignal): Promise<ReadText> {
  const { location } = request;
  if (!isWebLocation(location)) {
    const name = nameWebSource(request);
    return { text: await readLocationText(location, name), url: name };
  }
  const answer = await fetch(location, { signal });
  requireFetchedPage(answer);
  return { text: decodeText(answer.bytes, answer.headers['content-type']), url: answer.url };
}

async function readLocationText(path: string, name: string): Promise<string> {
  try {
    if ((await stat(path)).size <= MAX_TEXT_BYTES) return decodeText(await readFile(path));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new AppError(
      'IMPORT_INVALID',
      `${name} ${why}. Give an address that begins with https, or a file that can be read.`,
      { cause },
    );
  }
  throw new AppError('IMPORT_INVALID', `${name} is larger than 8 MiB. Divide it.`);
}
