import { readFile, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { AppError } from '#errors';
import type { ImportRequest } from '#ports/imports';
import { type Fetch, MAX_TEXT_BYTES, requireFetchedPage } from './fetcher.ts';
import { isWebLocation, nameWebSource } from './web-names.ts';

const MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Decodes by the byte order mark, else the header, else the declaration in the document;
 *  else as UTF-8, or Windows-1252, as browsers do. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const named = marked ?? charsetIn(contentType) ?? charsetIn(latin(bytes.subarray(0, 1_024)));
  if (named !== undefined) return decoderOf(named).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const charsetIn = (text: string): string | undefined => /(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];

const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // One that nobody knows.
    return new TextDecoder();
  }
}

interface ReadText {
  readonly text: string;
  /** The address after all redirects; for a file, its name for people. */
  readonly url: string;
}

/** What is at an address, or in a file. Errors: IMPORT_INVALID, SOURCE_UNAVAILABLE. */
export async function readTextAtLocation(request: ImportRequest, fetch: Fetch, signal: AbortSignal): Promise<ReadText> {
  const { location } = request;
  if (!isWebLocation(location)) {
    const name = nameWebSource(request);
    return { text: await readText(location, name), url: name };
  }
  const answer = await fetch(location, { signal });
  requireFetchedPage(answer);
  return { text: decodeText(answer.bytes, answer.headers['content-type']), url: answer.url };
}

async function readText(path: string, name: string): Promise<string> {
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
