import type { Readable } from 'node:stream';
import { readUpTo } from '#domain/async/read-up-to';
import { AppError } from '#errors';

/** A file on the disk, or in a ZIP file. */
export interface SourceFile {
  /** Name for messages. */
  readonly name: string;
  /** Path within the opened folder or ZIP file. */
  readonly path: string;
  readonly sizeBytes: number;
  open(): Promise<Readable>;
  /** Rejects with IMPORT_INVALID if the file has changed since it was opened. */
  assertUnchanged(): Promise<void>;
}

const HEAD_BYTES = 65_536;

/** Reads the first 64 KiB. Errors: IMPORT_INVALID for an unreadable file. */
export async function readSourceHead({ name, open }: Pick<SourceFile, 'name' | 'open'>): Promise<Buffer> {
  const stream = await open();
  try {
    return (await readUpTo(stream, HEAD_BYTES)).bytes;
  } catch (error) {
    throw createUnreadableSourceError(name, error);
  } finally {
    stream.destroy();
  }
}

export const readSourceHeadText = async (file: Pick<SourceFile, 'name' | 'open'>): Promise<string> =>
  new TextDecoder().decode(await readSourceHead(file));

/** Reads the bytes of a text. Errors: IMPORT_INVALID for anything but UTF-8, with advice. */
export async function* readSourceText(
  { name, open }: Pick<SourceFile, 'name' | 'open'>,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const stream = await open();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      if (isFirst && hasUtf16Mark(chunk))
        throw createSourceFileError(
          name,
          'is UTF-16 text, not UTF-8. Save it as "CSV UTF-8" in the spreadsheet, or convert it: iconv -f UTF-16 -t UTF-8 OLD > NEW',
        );
      isFirst = false;
      checkSourceEncoding(name, () => decoder.decode(chunk, { stream: true }));
      yield chunk;
    }
    checkSourceEncoding(name, () => decoder.decode());
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    throw createUnreadableSourceError(name, error);
  } finally {
    stream.destroy();
  }
}

const createUnreadableSourceError = (name: string, error: unknown): AppError =>
  createSourceFileError(name, `cannot be read to its end: ${(error as Error).message}. Copy it here again.`);

function checkSourceEncoding(name: string, decode: () => string): void {
  try {
    if (!decode().includes('\0')) return;
  } catch {
    // Not UTF-8.
  }
  throw createSourceFileError(
    name,
    'is not UTF-8 text. Save it as "CSV UTF-8" in the spreadsheet, or convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW (UTF-16 for WINDOWS-1252 where the file is that).',
  );
}

const hasUtf16Mark = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

export const createSourceFileError = (name: string, message: string): AppError =>
  new AppError('IMPORT_INVALID', `${name} ${message}`);
