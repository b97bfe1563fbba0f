import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { AppError } from '#errors';
import type { SourceFile } from './source-file.ts';

const MAX_ENTRIES = 1_000;
/** ESCO with all its languages has 2 GiB. */
const MAX_UNPACKED_BYTES = 8 * 1024 ** 3;

/** Lists the files of a ZIP file without unpacking them; reading one fails where it is larger than
 *  its stated size. Errors: IMPORT_INVALID for a broken file, too many or too large entries, and
 *  paths that lead outside.
 *  @param source path of the ZIP file, or its content
 *  @param maxEntryBytes maximum size of an unpacked entry that a reader loads into memory */
export async function listZip(
  source: string | Buffer,
  { name, assertUnchanged }: Pick<SourceFile, 'name' | 'assertUnchanged'>,
  maxEntryBytes = Number.POSITIVE_INFINITY,
): Promise<SourceFile[]> {
  const entries = await explainZipErrors(name, () => readZipEntries(source, maxEntryBytes));
  return entries
    .filter(({ fileName }) => !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/'))
    .map((entry) => ({
      name: basename(entry.fileName),
      path: entry.fileName,
      sizeBytes: entry.uncompressedSize,
      open: () => explainZipErrors(name, () => openZipEntry(source, entry)),
      assertUnchanged,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true } as const;

const openZip = (source: string | Buffer): Promise<ZipFile> =>
  typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options);

async function readZipEntries(source: string | Buffer, maxEntryBytes: number): Promise<Entry[]> {
  const zip = await openZip(source);
  const entries: Entry[] = [];
  let unpackedBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      unpackedBytes += entry.uncompressedSize;
      entries.push(entry);
      const problem = findZipProblem(entry, entries.length, unpackedBytes) ?? findZipSizeProblem(entry, maxEntryBytes);
      if (problem !== null) throw new Error(problem);
    }
  } finally {
    zip.close();
  }
  return entries;
}

function findZipProblem(entry: Entry, count: number, unpackedBytes: number): string | null {
  if (count > MAX_ENTRIES) return `it has more than ${MAX_ENTRIES} entries`;
  if (unpackedBytes > MAX_UNPACKED_BYTES) return 'unpacked it would be larger than 8 GiB';
  if (entry.isEncrypted()) return `${entry.fileName} is encrypted`;
  return null;
}

/** The packed size of an empty entry. */
const EMPTY_BYTES = 2;

/** Refuses a missing size as well, which other readers of ZIP files take as no limit. */
function findZipSizeProblem(entry: Entry, maxBytes: number): string | null {
  if (maxBytes === Number.POSITIVE_INFINITY) return null;
  const { fileName, compressedSize, uncompressedSize, generalPurposeBitFlag: flags } = entry;
  if (uncompressedSize > maxBytes)
    return `${fileName} is larger than ${maxBytes / 2 ** 20} MB unpacked. Save the sheet as CSV UTF-8`;
  const isSizeLater = (flags & 8) !== 0 && !fileName.endsWith('/');
  const hasSize = uncompressedSize > 0 || (compressedSize <= EMPTY_BYTES && !isSizeLater);
  return hasSize ? null : `the size of ${fileName} is missing`;
}

async function openZipEntry(source: string | Buffer, entry: Entry): Promise<Readable> {
  const zip = await openZip(source);
  try {
    const stream = await zip.openReadStreamPromise(entry);
    return stream.once('close', () => zip.close());
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function explainZipErrors<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const problem = (cause as Error).message.replace(/\.+$/, '');
    throw new AppError(
      'IMPORT_INVALID',
      `${name} is not a ZIP file that can be read: ${problem}. Pack it again, or unpack it and name the folder.`,
      { cause },
    );
  }
}
