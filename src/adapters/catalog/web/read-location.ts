import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../../errors.ts';
import type { ImportRequest } from '../../../ports/imports.ts';
import { decodeText } from './decode-text.ts';
import { type Fetch, MAX_TEXT_BYTES, requireFound } from './fetcher.ts';
import { isAddress, titleOf } from './web-names.ts';

export interface ReadText {
  readonly text: string;
  /** Of an address, after all redirects; of a file its name for people. */
  readonly url: string;
}

/** What is at an address, or in a file. Errors: IMPORT_INVALID, SOURCE_UNAVAILABLE. */
export async function readLocation(
  request: ImportRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ReadText> {
  const { location } = request;
  if (!isAddress(location)) {
    const name = titleOf(request);
    return { text: await readText(location, name), url: name };
  }
  const answer = await fetch(location, { signal });
  requireFound(answer);
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
