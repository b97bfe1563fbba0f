import type { Command } from 'commander';
import { openStoreAt } from '../compose/open-store.ts';
import { systemClock } from '../ports/clock.ts';
import { type CopiedCollection, copyStore } from '../services/store-copy.ts';
import { print, printTable } from './print.ts';

interface CopyArguments {
  readonly from: string;
  readonly to: string;
}

const SHOWN_OF_CHECKSUM = 16;

/** `skilldock store copy`: everything from one store into another, of whichever kinds. */
export function addStoreCommand(program: Command): void {
  program
    .command('store')
    .description('the place where the host keeps everything')
    .command('copy')
    .description(
      'copy everything into an empty store; stop the hosts before; can be repeated when broken off',
    )
    .requiredOption('--from <store>', 'sqlite:PATH, or a mongodb:// address')
    .requiredOption('--to <store>', 'sqlite:PATH, or a mongodb:// address')
    .action(copy);
}

async function copy({ from, to }: CopyArguments): Promise<void> {
  const source = await openStoreAt(from, { mustExist: true });
  try {
    const target = await openStoreAt(to, { mustExist: false });
    try {
      const stores = { source: source.transfer, target: target.transfer };
      report(await copyStore({ ...stores, now: systemClock.now() }));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function report(copied: readonly CopiedCollection[]): void {
  printTable([
    ['COLLECTION', 'RECORDS', 'WRITTEN', 'SHA-256'],
    ...copied.map(({ collection, records, written, checksum }) => [
      collection,
      String(records),
      String(written),
      checksum.slice(0, SHOWN_OF_CHECKSUM),
    ]),
  ]);
  // A misspelt database of a server is an empty one.
  if (copied.every(({ records }) => records === 0))
    print('There was nothing to copy. Check that --from names the store of the host.');
  else {
    print(
      'Both stores hold the same. Give the host on the new one the same SECRET_KEY, or stored keys cannot be',
    );
    print('read: that of an embedded host is in secret.key in its DATA_DIR.');
  }
}
