import { type ImportTools, openImportTools } from '#compose/imports';
import { type ImportFormat, objectFormats } from '#domain/catalog';
import { AppError, hasErrorCode } from '#errors';
import type { ImportRequest, ImportSource, RejectedRow } from '#ports/imports';
import type { TaxonomyReport } from '#ports/store/store';
import { explainNoImportRecords, type ImportReport } from '#services/catalogue/imports/import-records';
import { type JsonOption, print, printJson, printProblem, printTable } from '../print.ts';
import { type CommandContext, INTERRUPTED, withInterrupt } from '../with-services.ts';
import { createProgressView, type ProgressView, writeProgressCount } from './progress.ts';
import { createRejectedFile } from './rejected-file.ts';

export interface ImportOptions extends JsonOption {
  readonly lang: readonly string[];
  readonly name?: string;
  readonly provider?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly sheet?: string;
  readonly dryRun?: boolean;
  readonly allowRemoval?: boolean;
  readonly accept?: boolean;
  readonly rejected?: string;
}

interface ImportTask {
  readonly format: ImportFormat;
  readonly location: string;
  readonly options: ImportOptions;
  readonly version: string;
}

/** Exit code of an import without a usable row, which is that of a source that cannot be read. */
const NOTHING_USABLE = 2;
/** Exit code of a dry run without a usable row. */
const NOTHING_TO_IMPORT = 1;
/** Number of rejected rows that are printed with their reasons. */
const MAX_REASONS = 10;
const MAX_CONCEPTS = 50;

export async function runImport(context: CommandContext, task: ImportTask): Promise<void> {
  const tools = openTools(context, task.version);
  const view = createProgressView(process.stderr);
  try {
    await withInterrupt(async (signal) => {
      const source = await context.services.imports.remember(tools.sources).open(toImportRequest(task));
      await importAndIndex(context, { source, task, tools, view, signal });
    });
  } finally {
    view.end();
    await tools.close();
  }
}

function toImportRequest({ format, location, options }: ImportTask): ImportRequest {
  const { lang, name, provider, map, sheet } = options;
  return {
    format,
    location,
    langs: lang,
    ...(name !== undefined && { dataset: name }),
    ...(provider !== undefined && { provider }),
    ...(map !== undefined && { map }),
    ...(sheet !== undefined && { sheet }),
  };
}

interface Run {
  readonly source: ImportSource;
  readonly task: ImportTask;
  readonly tools: ImportTools;
  readonly view: ProgressView;
  readonly signal: AbortSignal;
}

async function importAndIndex(context: CommandContext, run: Run): Promise<void> {
  const { source, task, view, signal } = run;
  view.say(`Importing ${source.title} as ${source.dataset} …`);
  const { report, rejectedRows } = await runImportSource(context, run);
  if (report === null || report.record?.state === 'stopped') {
    view.say('Stopped. Nothing has changed for searches; the same command goes on from here.');
    process.exitCode = INTERRUPTED;
    return;
  }
  if (!report.isDryRun && report.record?.state !== 'checked') await buildIndex(run.tools, view, signal);
  if (task.options.json === true) printJson(toImportRunJson(report));
  else printImportReport(report, source, rejectedRows);
  const { rows, rejected } = report.counts;
  if (report.isDryRun && rows > 0 && rejected >= rows) process.exitCode = NOTHING_TO_IMPORT;
  if (report.record !== null && explainNoImportRecords(report.record) === 'allRejected')
    process.exitCode = NOTHING_USABLE;
}

interface ImportResult {
  /** Null if a dry run was stopped. */
  readonly report: ImportReport | null;
  /** The first rejected rows, and the first ones used with a guess. */
  readonly rejectedRows: readonly RejectedRow[];
}

async function runImportSource(
  { services, actor }: CommandContext,
  { source, task: { location, options }, view, signal }: Run,
): Promise<ImportResult> {
  const rejectedRows: RejectedRow[] = [];
  const isDryRun = options.dryRun === true;
  const { lang: langs, provider } = options;
  // Automatic imports have the address and the languages only.
  const canRepeat = /^https?:/i.test(location) && provider === undefined;
  const path = options.rejected ?? (isDryRun ? null : `./${source.dataset}-rejected.csv`);
  const rejected = path === null ? null : createRejectedFile(path);
  try {
    const report = await services.imports.run(actor, source, {
      dryRun: isDryRun,
      allowRemoval: options.allowRemoval === true,
      asksForNewVersion: options.accept !== true,
      origin: canRepeat ? { address: location, langs } : null,
      signal,
      onBegin: ({ resumedFrom }) => rejected?.begin(resumedFrom !== null),
      onProgress(progress) {
        rejected?.flush();
        view.show(progress);
      },
      onRejected(row) {
        if (rejectedRows.filter(({ isUsed }) => isUsed === row.isUsed).length < MAX_REASONS) rejectedRows.push(row);
        if (row.isUsed !== true) rejected?.add(row);
      },
    });
    return { report, rejectedRows };
  } catch (error) {
    if (signal.aborted) return { report: null, rejectedRows };
    if (!hasErrorCode(error, 'IMPORT_SHRINKS')) throw error;
    const message = `${error.message} On the command line that is --allow-removal.`;
    throw new AppError(error.code, message, { problems: error.problems, cause: error });
  } finally {
    if (rejected?.flush() === true)
      view.say(`Rows that cannot be used are in ${path}, with their lines and the reasons.`);
  }
}

function toImportRunJson({ record, counts, isDryRun, resumedFrom, changes, report }: ImportReport): object {
  const { number = null, dataset = null, state = null } = record ?? {};
  return { number, dataset, state, isDryRun, isResumed: resumedFrom !== null, counts, changes, report };
}

function printImportReport(
  report: ImportReport,
  { title, format }: ImportSource,
  rejectedRows: readonly RejectedRow[],
): void {
  const { counts, isDryRun, record } = report;
  const records = objectFormats.has(format) ? 'learning objects' : 'concepts';
  const { kept: keptRows = 0, leftOut = 0 } = counts;
  const line = (name: string, count: number, unit: string) => [name, writeProgressCount(count).padStart(10), unit];
  print(writeImportHeadline(report, title));
  for (const { place, reason } of rejectedRows.filter(({ isNote }) => isNote)) print(`${place}: ${reason}`);
  // For objects, the rows that were read are the sum of the five lines after them.
  printTable([
    line('read', counts.rows, 'rows'),
    line('added', counts.added, records),
    line('changed', counts.changed, records),
    line('unchanged', counts.unchanged, records),
    line('rejected', counts.rejected, keptRows === 0 ? 'rows' : `rows, ${keptRows} of which keep what was there`),
    line('left out', leftOut, 'rows: given twice, or deleted or empty at the source'),
    line('removed', counts.removed, `${records} that are no longer in the source`),
  ]);
  const unused = rejectedRows.filter(({ isUsed }) => isUsed !== true);
  const guessed = rejectedRows.filter(({ isUsed, isNote }) => isUsed && !isNote);
  printImportReasons('rejected', unused);
  printImportReasons('used with a guess', guessed);
  if (report.report !== null) printImportConcepts(report.report);
  if (isDryRun) printImportSamples(report);
  if (report.isShrinking)
    print('All of the data set would go, or more than half of it: the import needs --allow-removal.');
  if (isDryRun && counts.rejected > 0) print('To have all rejected rows in a file, name one with --rejected.');
  if (record?.state === 'checked')
    print(`It waits, and searches use the version before it. To publish it: skilldock imports accept ${record.number}`);
  if (record !== null && record.state === 'live' && record.isUndoable)
    print(`To take it back: skilldock imports undo ${record.number}`);
}

function printImportConcepts({ renamed, merged, withdrawn, concepts }: TaxonomyReport): void {
  print(`Of the concepts, ${renamed} are renamed, ${merged} merged into others, and ${withdrawn} withdrawn.`);
  for (const { fate, key, name, now, objects, edits, synonyms } of concepts.slice(0, MAX_CONCEPTS)) {
    const touched = `${objects} learning objects, ${edits} edits, synonyms: ${synonyms.join(', ') || 'none'}`;
    print(`  ${fate} ${key} ${name}${now === null ? '' : ` → ${now}`}${fate === 'renamed' ? '' : ` (${touched})`}`);
  }
  if (concepts.length > MAX_CONCEPTS) print('  … all are on the page of the import.');
}

function printImportReasons(label: string, rows: readonly RejectedRow[]): void {
  if (rows.length > 0) print(`First ${label}:`);
  for (const { place, reason } of rows) print(`  ${place} ${reason}`);
}

export function writeImportHeadline({ isDryRun, record, counts, resumedFrom }: ImportReport, title: string): string {
  if (isDryRun) return `${title}: nothing was changed. An import would bring:`;
  const reason = record === null ? null : explainNoImportRecords(record);
  if (reason === 'noRows') return `${title}: nothing could be imported: the source has no rows.`;
  if (reason === 'allRejected') {
    const rows = counts.rows === 1 ? 'its one row was' : `all ${writeProgressCount(counts.rows)} rows were`;
    return `${title}: nothing could be imported: ${rows} rejected.`;
  }
  const resumption = resumedFrom === null ? '' : ', gone on with where it was broken off';
  if (record?.state === 'checked')
    return `${title} is read as number ${record.number} of the data set ${record.dataset}, and not published yet.`;
  if (record?.state === 'unchanged') return `${title}: everything is there as it is in the source${resumption}.`;
  return `${title} is imported as number ${record?.number} of the data set ${record?.dataset}${resumption}.`;
}

function printImportSamples({ changes }: ImportReport): void {
  for (const kind of ['added', 'changed', 'removed'] as const) {
    const keys = changes.filter(({ fate }) => fate === kind).map(({ key }) => key);
    if (keys.length === 0) continue;
    print(`First ${kind}:`);
    for (const key of keys) print(`  ${key}`);
  }
}

/** What each step of building the index prints. */
const steps = {
  reading: 'Reading what is imported …',
  indexing: 'Building the index …',
  waiting: 'Waiting for a host that builds the index …',
  filling: 'Filling the catalogue …',
  ready: 'The index is ready; hosts take it over within seconds.',
} as const;

export function openTools(context: CommandContext, version: string): ImportTools {
  const { config, dataDir, services, shared } = context;
  const index = { dataDir: dataDir.path, imported: services.importedCatalog, ...(shared && { shared }) };
  return openImportTools({ ...index, config, version, onProblem: printProblem });
}

/** Builds the index of the catalogue. It may be interrupted, as hosts then build it themselves. */
export async function buildIndex(tools: ImportTools, view: ProgressView, signal: AbortSignal): Promise<void> {
  let last: keyof typeof steps | null = null;
  try {
    await tools.prepareIndex({
      signal,
      onStep(step) {
        if (step !== last) view.say(steps[step]);
        last = step;
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    view.say('The import counts. The index was not finished: each host builds it itself.');
  }
}
