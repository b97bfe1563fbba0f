import type { Command } from 'commander';

/** `skilldock backup`, `restore` and `store copy`. */
export function addStoreCommands(program: Command): void {
  const backup = program.command('backup');
  backup
    .command('check')
    .description('restore a backup into a place of its own, which is removed again, and count what is in it')
    .argument('<file>', 'a file that `skilldock backup` wrote')
    .action(async (file: string) => (await loadStoreCommands()).runStoreBackupCheck(file));
  backup
    .description('write a copy of the embedded store into a new file; the host may be running')
    .argument('<file>', 'a file that is not there yet')
    .action(async (file: string) => (await loadStoreCommands()).runStoreBackup(file));
  program
    .command('restore')
    .description('put the content of a backup in place of what the embedded store holds; the host may be running')
    .argument('<file>', 'a file that `skilldock backup` wrote')
    .action(async (file: string) => (await loadStoreCommands()).runStoreRestore(file));
  program
    .command('store')
    .description('the place where the host keeps everything')
    .command('copy')
    .description('copy everything into an empty store; stop the hosts before; can be repeated when broken off')
    .requiredOption('--from <store>', 'sqlite:PATH, or a mongodb:// address')
    .requiredOption('--to <store>', 'sqlite:PATH, or a mongodb:// address')
    .action(async (stores: { from: string; to: string }) => (await loadStoreCommands()).runStoreCopy(stores));
}

const loadStoreCommands = () => import('./run-store.ts');
