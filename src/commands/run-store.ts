import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DataDir, openDataDir } from '#adapters/files/data-dir';
import { backUp, checkBackup, restoreBackup } from '#adapters/store/sqlite/backup';
import { findStoreFile, openStoreAt } from '#compose/open-store';
import { readConfig } from '#config';
import { AppError } from '#errors';
import { systemClock } from '#ports/clock';
import { type StoreCollection, storeCollections } from '#ports/store/store';
import { type CopiedCollection, type CopyOptions, copyStore } from '#services/host/store-copy';
import { createProgressLine, writeProgressCount } from './import/progress.ts';
import { print, printTable } from './print.ts';
import { withServices } from './with-services.ts';

export async function runStoreBackup(file: string): Promise<void> {
  const dataDir = openStoreDataDir('mongodump');
  announceStoreCopy(findStoreFile(dataDir));
  backUp(findStoreFile(dataDir), file);
  print(`The store is copied to ${resolve(file)}.`);
  print('Keys of upstreams in it can be read with the secret key of the host only: keep a copy of that elsewhere.');
}

export async function runStoreRestore(file: string): Promise<void> {
  const dataDir = openStoreDataDir('mongorestore');
  announceStoreCopy(file);
  const { counts, replaced } = restoreBackup(findStoreFile(dataDir), file, systemClock.now());
  await withServices(({ services, actor }) =>
    services.audit.record(actor, { action: 'store.restored', tenantId: null, target: resolve(file) }),
  );
  printStoreCounts(counts);
  if (replaced !== null) print(`What the store held before is in ${replaced}.`);
}

/** Announces a copy that takes more than a second, as SQLite does not report progress. */
function announceStoreCopy(path: string): void {
  const megabytes = Math.round((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1_000_000);
  if (megabytes >= 100) process.stderr.write(`Copying ${megabytes} MB …\n`);
}

export async function runStoreBackupCheck(file: string): Promise<void> {
  printStoreCounts(checkBackup(file, systemClock.now()));
  print(`${resolve(file)} can be restored. The store of this host was not touched.`);
}

const printStoreCounts = (counts: Readonly<Record<StoreCollection, number>>) =>
  printTable(storeCollections.map((collection) => [collection, String(counts[collection])]));

function openStoreDataDir(tool: string): DataDir {
  const { dataDir, mongodbUri } = readConfig();
  if (mongodbUri === undefined) return openDataDir(dataDir);
  const message = `This host keeps its data in MongoDB (MONGODB_URI). Use MongoDB's own ${tool} for it.`;
  throw new AppError('CONFIG_INVALID', message);
}

export async function runStoreCopy({ from, to }: { from: string; to: string }): Promise<void> {
  const source = await openStoreAt(from, { mustExist: true });
  try {
    const target = await openStoreAt(to, { mustExist: false });
    try {
      const stores = { source: source.transfer, target: target.transfer };
      const line = createProgressLine(process.stderr);
      const onProgress: CopyOptions['onProgress'] = (collection, read) =>
        line.show(() => `Copying ${collection}: ${writeProgressCount(read)} records`);
      const copying = copyStore({ ...stores, now: systemClock.now(), onProgress });
      printCopiedStore(await copying.finally(line.end));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const SHOWN_CHECKSUM_LENGTH = 16;

function printCopiedStore(copied: readonly CopiedCollection[]): void {
  printTable([
    ['COLLECTION', 'RECORDS', 'WRITTEN', 'SHA-256'],
    ...copied.map(({ collection, records, written, checksum }) => [
      collection,
      String(records),
      String(written),
      checksum.slice(0, SHOWN_CHECKSUM_LENGTH),
    ]),
  ]);
  // A server opens a database whose name is misspelt as an empty one.
  if (copied.every(({ records }) => records === 0)) {
    print('There was nothing to copy. Check that --from names the store of the host.');
    return;
  }
  print(
    'Both stores have the same content. Start the server on the new one with the same SECRET_KEY, or stored keys cannot be',
  );
  print('read: that of an embedded host is in secret.key in its DATA_DIR.');
}
