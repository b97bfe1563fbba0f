import { createHash } from 'node:crypto';
import { compareKeyBytes } from '#domain/record-key';
import { AppError } from '#errors';
import { type StoreCollection, type StoreTransfer, storeCollections, type TransferRecord } from '#ports/store/store';
import { readEveryItemAfter } from './every-item.ts';

export interface CopiedCollection {
  readonly collection: StoreCollection;
  readonly records: number;
  /** Number of records that this run wrote; all others were there already. */
  readonly written: number;
  /** SHA-256 of all records in order, hexadecimal; the same in both stores. */
  readonly checksum: string;
}

export interface CopyOptions {
  readonly source: StoreTransfer;
  readonly target: StoreTransfer;
  readonly now: Date;
  /** @param read records of the collection so far */
  onProgress?(collection: StoreCollection, read: number): void;
}

const BATCH = 500;
/** Records that expire so soon might vanish from one of the stores during the copy. */
const SOON_MS = 10 * 60_000;
const shortLived: ReadonlySet<StoreCollection> = new Set(['adminLinks', 'adminSessions']);

/** Copies all lasting records into another store, in the order of their references. A repeated call
 *  continues an interrupted copy. Links and sessions that end within ten minutes are left out.
 *  Errors: STORE_NOT_EMPTY when the target has other records (nothing is written then);
 *  STORE_COPY_DIFFERS when the stores differ in the end. */
export async function copyStore(options: CopyOptions): Promise<readonly CopiedCollection[]> {
  for (const collection of storeCollections) await refuseForeignRecords(options, collection);
  const copied: CopiedCollection[] = [];
  for (const collection of storeCollections) {
    const written = await copyStoreCollection(options, collection);
    copied.push({ collection, written, ...(await verifyCollection(options, collection)) });
  }
  return copied;
}

/** Refuses a target with records that the source lacks. Errors: STORE_NOT_EMPTY. */
async function refuseForeignRecords({ source, target, now }: CopyOptions, collection: StoreCollection): Promise<void> {
  // Both are in the same order, so one pass finds the records that only the target has.
  const expected = readCollection(source, collection, now)[Symbol.asyncIterator]();
  let next = await expected.next();
  for await (const { key } of readCollection(target, collection, now)) {
    while (!next.done && compareKeyBytes(next.value.key, key) < 0) next = await expected.next();
    if (next.done || next.value.key !== key)
      throw new AppError(
        'STORE_NOT_EMPTY',
        `The target holds ${collection} that are not in the source, so this is not the beginning of a copy of it. Choose an empty store; nothing was written.`,
      );
  }
}

async function copyStoreCollection(options: CopyOptions, collection: StoreCollection): Promise<number> {
  const { source, target, now, onProgress } = options;
  let [read, written] = [0, 0];
  let after: string | null = null;
  for (;;) {
    const batch: readonly TransferRecord[] = await source.readRecords(collection, after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return written;
    // The target has only records of the source, so the same number of records covers the batch.
    const copied = new Map(
      (await target.readRecords(collection, after, BATCH)).map((record) => [record.key, writeCanonicalRecord(record)]),
    );
    const missing = batch.filter(
      (record) => isLasting(collection, record, now) && copied.get(record.key) !== writeCanonicalRecord(record),
    );
    if (missing.length > 0) await target.writeRecords(collection, missing);
    written += missing.length;
    read += batch.length;
    onProgress?.(collection, read);
    after = last.key;
  }
}

async function verifyCollection({ source, target, now }: CopyOptions, collection: StoreCollection) {
  const [expected, copied] = [await hashRecords(source, collection, now), await hashRecords(target, collection, now)];
  if (expected.checksum === copied.checksum && expected.records === copied.records) return copied;
  throw new AppError(
    'STORE_COPY_DIFFERS',
    `The stores differ in ${collection}: ${expected.records} records in the source, ${copied.records} in the target. Stop every host that uses either of them and run the command again.`,
  );
}

async function hashRecords(store: StoreTransfer, collection: StoreCollection, now: Date) {
  const hash = createHash('sha256');
  let records = 0;
  for await (const record of readCollection(store, collection, now)) {
    hash.update(writeCanonicalRecord(record)).update('\n');
    records++;
  }
  return { records, checksum: hash.digest('hex') };
}

async function* readCollection(store: StoreTransfer, collection: StoreCollection, now: Date) {
  const records = readEveryItemAfter<TransferRecord>((after) =>
    store.readRecords(collection, after?.key ?? null, BATCH),
  );
  for await (const record of records) if (isLasting(collection, record, now)) yield record;
  return undefined;
}

function isLasting(collection: StoreCollection, { record }: TransferRecord, now: Date): boolean {
  const { expiresAt } = record;
  if (!shortLived.has(collection) || !(expiresAt instanceof Date)) return true;
  return expiresAt.getTime() > now.getTime() + SOON_MS;
}

/** Writes a record as JSON that does not depend on the order of its fields. */
const writeCanonicalRecord = ({ key, record }: TransferRecord): string => JSON.stringify([key, sortKeys(record)]);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, content]) => [name, sortKeys(content)]));
}
