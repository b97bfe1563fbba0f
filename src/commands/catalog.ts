import type { Command } from 'commander';
import { type JsonOption, print, printJson } from './print.ts';
import { type CommandContext, withInterrupt, withServices } from './with-services.ts';

/** `skilldock catalog check` compares the index of the learning objects with the store. */
export function addCatalogCommand(program: Command, version: string): void {
  program
    .command('catalog')
    .description('the index of the learning objects: at CATALOG_URL, or in the data folder')
    .command('check')
    .description(
      'compare the index with the store, and rebuild the index if it differs or is missing; a server may be running',
    )
    .option('--json', 'print { "kept", "documents", "problem" }')
    .action((options: JsonOption) => withServices((context) => runCatalogCheck(context, options, version)));
}

async function runCatalogCheck(context: CommandContext, { json }: JsonOption, version: string): Promise<void> {
  const { config, dataDir, services } = context;
  const { openImportTools } = await import('#compose/imports');
  const tools = openImportTools({ config, dataDir: dataDir.path, imported: services.importedCatalog, version });
  try {
    const report = await withInterrupt(async (signal) => {
      const checked = await tools.checkCatalog(signal);
      if (checked === null) await tools.prepareIndex({ signal, onStep: () => undefined });
      return checked;
    });
    const { documents = null, problem = null } = report ?? {};
    if (json === true) printJson({ kept: report === null ? 'here' : 'elsewhere', documents, problem });
    else if (report === null) print('The objects are in the index of this folder, which is up to date.');
    else if (problem === null) print(`The index has all ${documents} objects.`);
    else print(`${problem} The index was rebuilt and has all ${documents} objects.`);
  } finally {
    await tools.close();
  }
}
