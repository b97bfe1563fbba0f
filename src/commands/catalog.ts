import type { Command } from 'commander';
import { print, printJson } from './print.ts';
import { type CommandContext, withServices } from './with-services.ts';

interface Options {
  readonly json?: boolean;
}

/** `skilldock catalog check`: whether what keeps the learning objects has what the store has. */
export function addCatalogCommand(program: Command, version: string): void {
  program
    .command('catalog')
    .description('the learning objects where CATALOG_URL keeps them, or in the index of this folder')
    .command('check')
    .description(
      'compare what is searched with the store, and rebuild it if it differs or is missing; a server may be running',
    )
    .option('--json', 'print { "kept", "documents", "problem" }')
    .action((options: Options) => withServices((context) => checkCatalog(context, options, version)));
}

async function checkCatalog(context: CommandContext, { json }: Options, version: string): Promise<void> {
  const { config, dataDir, services } = context;
  const { openImportWays } = await import('#compose/imports');
  const imported = services.importedCatalog;
  const ways = openImportWays({ config, dataDir: dataDir.path, imported, version });
  const { signal } = new AbortController();
  try {
    const report = await ways.checkCatalog(signal);
    if (report === null) await ways.prepareIndex({ signal, onStep: () => undefined });
    const { documents = null, problem = null } = report ?? {};
    if (json === true) printJson({ kept: report === null ? 'here' : 'elsewhere', documents, problem });
    else if (report === null) print('The objects are in the index of this folder, which is up to date.');
    else if (problem === null) print(`All ${documents} objects are there.`);
    else print(`${problem} It was rebuilt: all ${documents} objects are there.`);
  } finally {
    await ways.close();
  }
}
