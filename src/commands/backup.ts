import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type DataDir, openDataDir } from '../adapters/files/data-dir.ts';
import { backUp, restore } from '../adapters/sqlite/backup.ts';
import { databaseFile } from '../compose/open-store.ts';
import { readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { systemClock } from '../ports/clock.ts';
import { storeCollections } from '../ports/store/store.ts';
import { print, printTable } from './print.ts';
import { withServices } from './with-services.ts';

/** `skilldock backup` and `restore`: the embedded store, while the host is running or not. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write a copy of the embedded store into a new file; the host may be running')
    .argument('<file>', 'a file that is not there yet')
    .action(writeBackup);
  program
    .command('restore')
    .description(
      'put the content of a backup in place of what the embedded store holds; the host may be running',
    )
    .argument('<file>', 'a file that `skilldock backup` wrote')
    .action(readBackup);
}

async function writeBackup(file: string): Promise<void> {
  const dataDir = openEmbedded('mongodump');
  backUp(databaseFile(dataDir), file);
  print(`The store is copied to ${resolve(file)}.`);
  print(
    'Keys of upstreams in it can be read with the secret key of the host only: keep a copy of that elsewhere.',
  );
}

async function readBackup(file: string): Promise<void> {
  const dataDir = openEmbedded('mongorestore');
  const { counts, replaced } = restore(databaseFile(dataDir), file, systemClock.now());
  await withServices(({ services, actor }) =>
    services.audit.record(actor, { action: 'store.restored', tenantId: null, target: resolve(file) }),
  );
  printTable(storeCollections.map((collection) => [collection, String(counts[collection])]));
  if (replaced !== null) print(`What the store held before is in ${replaced}.`);
}

function openEmbedded(tool: string): DataDir {
  const { dataDir, mongodbUri } = readConfig();
  if (mongodbUri === undefined) return openDataDir(dataDir);
  throw new AppError(
    'CONFIG_INVALID',
    `This host keeps its data in MongoDB (MONGODB_URI). Use MongoDB's own ${tool} for it.`,
  );
}
