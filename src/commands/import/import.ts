import { Argument, type Command, InvalidArgumentError } from 'commander';
import { type ImportFormat, importFormats } from '#domain/catalog';
import { createNumberArgumentParser, parseNameArgument } from '../arguments.ts';
import type { JsonOption } from '../print.ts';
import { type CommandContext, withServices } from '../with-services.ts';
import type { ImportOptions } from './run-import.ts';

/** `skilldock import` and `skilldock imports`. */
export function addImportCommands(program: Command, version: string): void {
  program
    .command('import')
    .description('import a taxonomy or learning objects; hosts take it over while they run (docs/guides/importing.md)')
    .addArgument(new Argument('<format>', 'what it is').choices(importFormats))
    .argument('<location>', 'file, folder, ZIP file or address')
    .option(
      '--lang <codes>',
      'languages to take, or the language of objects that name none: en,fr',
      parseLanguageCodes,
      [],
    )
    .option('--name <dataset>', 'name of the data set, whose next import replaces this one', parseNameArgument)
    .option('--provider <name>', 'provider of learning objects that name none', parseNameArgument)
    .option(
      '--map <column=name>',
      'read the column NAME of a table as COLUMN, such as "title=Course Title"; "=NAME" passes it over; may be repeated, and is remembered for the data set',
      addColumnMapping,
    )
    .option('--sheet <name>', 'sheet of a workbook; the first when absent')
    .option('--dry-run', 'only say what would change')
    .option(
      '--allow-removal',
      'go on even where all of the data set is gone, or more than half and more than 100 records',
    )
    .option('--accept', 'publish a new version of a taxonomy at once; else it waits for `skilldock imports accept`')
    .option(
      '--rejected <file>',
      'where rows go that cannot be used; ./<dataset>-rejected.csv when absent (a dry run: nowhere)',
    )
    .option('--json', 'print the report as JSON')
    .action(async (format: ImportFormat, location: string, options: ImportOptions) => {
      const { runImport } = await import('./run-import.ts');
      await withServices((context) => runImport(context, { format, location, options, version }));
    });
  addImportsCommand(program, version);
}

/** Adds the mapping of one `--map`. @returns our column names by those of the file */
function addColumnMapping(text: string, mapping: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  const name = text.slice(at + 1).trim();
  if (at !== -1 && name !== '') return { ...mapping, [name]: text.slice(0, at).trim() };
  throw new InvalidArgumentError('Write our name, "=" and the name in the file, such as "title=Course Title".');
}

function parseLanguageCodes(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim().toLowerCase());
  if (codes.every((code) => /^[a-z]{2}$/.test(code))) return codes;
  throw new InvalidArgumentError('Give two-letter codes with commas between them, such as en,fr.');
}

/** Runs a command, and loads its module only then. */
async function withImports(use: (commands: typeof import('./imports.ts'), context: CommandContext) => Promise<void>) {
  const commands = await import('./imports.ts');
  await withServices((context) => use(commands, context));
}

const createImportNumberArgument = () =>
  new Argument('<number>', 'of the import, as `skilldock imports list` has it').argParser(
    createNumberArgumentParser(1_000_000_000),
  );

function addImportsCommand(program: Command, version: string): void {
  const imports = program.command('imports').description('list imports, stop one, and take one back');
  imports
    .command('list')
    .description('list the imports, newest first')
    .option('--json', 'print an array')
    .action((options: JsonOption) => withImports(({ printImports }, context) => printImports(context, options)));
  imports
    .command('stop')
    .description('stop a running import, on whichever host it runs; importing the source again resumes it')
    .addArgument(createImportNumberArgument())
    .action((number: number) => withImports(({ stopImport }, context) => stopImport(context, number)));
  imports
    .command('accept')
    .description('publish an import that waits: a new version of a taxonomy, or one that was checked on the admin page')
    .addArgument(createImportNumberArgument())
    .action((number: number) => withImports(({ acceptImport }, context) => acceptImport(context, number, version)));
  imports
    .command('undo')
    .description('take an import back: the catalogue is as it was before')
    .addArgument(createImportNumberArgument())
    .action((number: number) => withImports(({ undoImport }, context) => undoImport(context, number, version)));
}
