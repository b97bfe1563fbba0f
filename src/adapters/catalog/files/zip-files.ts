import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';
import { AppError } from '#errors';
import type { SourceFile } from './source-file.ts';

const MAX_ENTRIES = 1_000;
/** ESCO with all its languages has 2 GiB. */
const MAX_UNPACKED_BYTES = 8 * 1024 ** 3;

/** Lists files without unpacking them; no file is larger than its stated size. Errors:
 *  IMPORT_INVALID for broken files, too many or large entries, and paths that lead outside.
 *  @param maxEntryBytes maximum size of an unpacked entry that a reader loads into memory */
export async function listZip(
  place: string | Buffer,
  { name, assertUnchanged }: Pick<SourceFile, 'name' | 'assertUnchanged'>,
  maxEntryBytes = Number.POSITIVE_INFINITY,
): Promise<SourceFile[]> {
  const file = { place, name };
  const entries = await withZip(file, (zip) => readEntries(zip, name, maxEntryBytes));
  return entries
    .filter(({ fileName }) => !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/'))
    .map((entry) => ({
      name: basename(entry.fileName),
      path: entry.fileName,
      sizeBytes: entry.uncompressedSize,
      open: () => openEntry(file, entry),
      assertUnchanged,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface NamedFile {
  readonly place: string | Buffer;
  readonly name: string;
}

const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true } as const;

function openZip({ place, name }: NamedFile): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const take = (error: Error | null, zip: ZipFile) => {
      if (error) reject(refusal(name, error));
      else resolve(zip);
    };
    if (typeof place === 'string') open(place, options, take);
    else fromBuffer(place, options, take);
  });
}

async function withZip<T>(file: NamedFile, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  const zip = await openZip(file);
  try {
    return await use(zip);
  } finally {
    zip.close();
  }
}

function readEntries(zip: ZipFile, name: string, maxEntryBytes: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let unpackedBytes = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => reject(refusal(name, error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      unpackedBytes += entry.uncompressedSize;
      entries.push(entry);
      const problem = findProblem(entry, entries.length, unpackedBytes) ?? findSizeProblem(entry, maxEntryBytes);
      if (problem === null) zip.readEntry();
      else reject(refusal(name, new Error(problem)));
    });
    zip.readEntry();
  });
}

function findProblem(entry: Entry, count: number, unpackedBytes: number): string | null {
  if (count > MAX_ENTRIES) return `it has more than ${MAX_ENTRIES} entries`;
  if (unpackedBytes > MAX_UNPACKED_BYTES) return 'unpacked it would be larger than 8 GiB';
  if (entry.isEncrypted()) return `${entry.fileName} is encrypted`;
  return null;
}

/** Packed size of an empty entry. */
const EMPTY_BYTES = 2;

/** Other readers of ZIP files take a missing size in the directory as no limit. */
function findSizeProblem(entry: Entry, maxBytes: number): string | null {
  if (maxBytes === Number.POSITIVE_INFINITY) return null;
  const { fileName, compressedSize, uncompressedSize, generalPurposeBitFlag: flags } = entry;
  if (uncompressedSize > maxBytes)
    return `${fileName} is larger than ${maxBytes / 2 ** 20} MB unpacked. Save the sheet as CSV UTF-8`;
  const isSizeLater = (flags & 8) !== 0 && !fileName.endsWith('/');
  const hasSize = uncompressedSize > 0 || (compressedSize <= EMPTY_BYTES && !isSizeLater);
  return hasSize ? null : `the size of ${fileName} is missing`;
}

async function openEntry(file: NamedFile, entry: Entry): Promise<Readable> {
  const zip = await openZip(file);
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) {
        zip.close();
        return reject(refusal(file.name, error));
      }
      stream.once('close', () => zip.close());
      resolve(stream);
    });
  });
}

function refusal(name: string, cause: Error): AppError {
  return new AppError(
    'IMPORT_INVALID',
    `${name} is not a ZIP file that can be read: ${cause.message.replace(/\.+$/, '')}. Pack it again, or unpack it and name the folder.`,
    { cause },
  );
}
