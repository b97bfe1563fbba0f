import type { Command } from 'commander';
import type { OpenLinkTools } from '#compose/imports';
import type { LinkProgress, LinkReport } from '#services/catalogue/link-checks/link-checks';
import { createNumberArgumentParser } from './arguments.ts';
import { createProgressLine, writeProgressCount } from './import/progress.ts';
import { type JsonOption, print, printJson, printTable } from './print.ts';
import { type CommandContext, INTERRUPTED, withInterrupt, withServices } from './with-services.ts';

type Options = JsonOption & { readonly maxAgeDays: number; readonly limit?: number };
const DAY_MS = 86_400_000;

/** `skilldock check-links` checks all learning objects, including those in courses. */
export function addCheckLinksCommand(program: Command, version: string): void {
  program
    .command('check-links')
    .description('visit the addresses of all learning objects, politely; dead ones are ranked far below others')
    .option('--max-age-days <days>', 'leave out what was checked since', createNumberArgumentParser(365), 7)
    .option('--limit <number>', 'visit so many at most', createNumberArgumentParser(100_000_000))
    .option('--json', 'print { "listed", "checked", "alive", "dead", "unsure", "postponed", "unreached", "removed" }')
    .action((options: Options) => withServices((context) => runLinkChecks(context, options, version)));
}

async function runLinkChecks(context: CommandContext, options: Options, version: string): Promise<void> {
  const { config, services } = context;
  const { openLinkTools } = await import('#compose/imports');
  const tools = openLinkTools({ config, imported: services.importedCatalog, version });
  const line = createProgressLine(process.stderr);
  try {
    await withInterrupt(async (signal) => {
      try {
        const report = await services.linkChecks.checkAll(listAddresses(context, tools), {
          tools,
          maxAgeMs: options.maxAgeDays * DAY_MS,
          ...(options.limit !== undefined && { limit: options.limit }),
          signal,
          onProgress: (progress) => line.show(() => describeLinkProgress(progress)),
        });
        line.end();
        const { listed, checked, counts, postponed, unreached, removed } = report;
        if (options.json === true) printJson({ listed, checked, ...counts, postponed, unreached, removed });
        else printLinkReport(report);
      } catch (error) {
        if (!signal.aborted) throw error;
        line.say('Stopped. What was checked is kept; the same command goes on from here.');
        process.exitCode = INTERRUPTED;
      }
    });
  } finally {
    line.end();
    await tools.close();
  }
}

async function* listAddresses({ services }: CommandContext, tools: OpenLinkTools) {
  yield* tools.listAddresses();
  yield* services.linkChecks.listAdded();
  yield* services.linkChecks.listPlaced();
}

function describeLinkProgress({ checked, due, counts }: LinkProgress): string {
  const states = (['alive', 'dead', 'unsure'] as const).map((state) => `${writeProgressCount(counts[state])} ${state}`);
  return `Checked ${writeProgressCount(checked)} of ${writeProgressCount(due)}: ${states.join(', ')}`;
}

function printLinkReport({ listed, checked, counts, postponed, unreached, removed }: LinkReport): void {
  print(`${writeProgressCount(listed)} addresses in the catalogue, ${writeProgressCount(checked)} of them due.`);
  const rows = Object.entries({ ...counts, postponed, unreached, forgotten: removed });
  printTable(rows.map(([name, number]) => [name, writeProgressCount(number).padStart(10)]));
  if (counts.unsure > 0)
    print('Unsure ones are visited again after a day, and believed dead only when they go on to fail.');
  if (unreached > 0) print('While these could not be reached, nothing else could: they are not counted as failing.');
  if (postponed > 0) print('Postponed ones are on hosts that are busy. Run the same command later.');
}
