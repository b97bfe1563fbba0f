import type { ImportWays } from '#compose/imports';
import type { ImportFormat } from '#domain/catalog';
import { AppError } from '#errors';
import type { ImportRequest, ImportSource } from '#ports/imports';
import type { ImportReport } from '#services/catalogue/imports/import-records';
import { findReasonForNoRecords } from '#services/catalogue/imports/import-records';
import { printJson } from '../print.ts';
import type { CommandContext } from '../with-services.ts';
import { buildIndex, openWays } from './build-index.ts';
import { createProgressView, type ProgressView } from './progress.ts';
import { createRejectedFile } from './rejected-file.ts';
import { printReport } from './report.ts';

export interface ImportOptions {
  readonly lang: readonly string[];
  readonly name?: string;
  readonly provider?: string;
  readonly dryRun?: boolean;
  readonly allowRemoval?: boolean;
  readonly rejected?: string;
  readonly json?: boolean;
}

export interface ImportTask {
  readonly format: ImportFormat;
  readonly location: string;
  readonly options: ImportOptions;
  readonly version: string;
}

/** Exit code of a program that Ctrl+C ended. */
const INTERRUPTED = 130;
/** As for a source that cannot be read. */
const NOTHING_USABLE = 2;

/** `skilldock import`. */
export async function runImport(context: CommandContext, task: ImportTask): Promise<void> {
  const ways = openWays(context, task.version);
  const view = createProgressView(process.stderr);
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const source = await ways.sources.open(toRequest(task));
    await importAndIndex(context, { source, task, ways, view, signal: stopper.signal });
  } finally {
    view.end();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await ways.close();
  }
}

function toRequest({ format, location, options }: ImportTask): ImportRequest {
  return {
    format,
    location,
    langs: options.lang,
    ...(options.name !== undefined && { dataset: options.name }),
    ...(options.provider !== undefined && { provider: options.provider }),
  };
}

interface Run {
  readonly source: ImportSource;
  readonly task: ImportTask;
  readonly ways: ImportWays;
  readonly view: ProgressView;
  readonly signal: AbortSignal;
}

async function importAndIndex(context: CommandContext, run: Run): Promise<void> {
  const { source, task, view, signal } = run;
  view.say(`Importing ${source.title} as ${source.dataset} …`);
  const report = await runSource(context, run);
  if (report === null || report.record?.state === 'stopped') return sayStopped(view);
  if (!report.isDryRun) await buildIndex(run.ways, view, signal);
  if (task.options.json === true) printJson(toJson(report));
  else printReport(report, source);
  if (report.record !== null && findReasonForNoRecords(report.record) === 'allRejected')
    process.exitCode = NOTHING_USABLE;
}

/** @returns null where a dry run was stopped */
async function runSource(
  { services, actor }: CommandContext,
  { source, task: { location, options }, view, signal }: Run,
): Promise<ImportReport | null> {
  const isDryRun = options.dryRun === true;
  const { lang: langs, provider } = options;
  // Whatever repeats it knows the address and the languages only.
  const canRepeat = /^https?:/i.test(location) && provider === undefined;
  const path = options.rejected ?? (isDryRun ? null : `./${source.dataset}-rejected.csv`);
  const rejected = path === null ? null : createRejectedFile(path);
  try {
    return await services.imports.run(actor, source, {
      dryRun: isDryRun,
      allowRemoval: options.allowRemoval === true,
      origin: canRepeat ? { address: location, langs } : null,
      signal,
      onBegin: ({ resumedFrom }) => rejected?.begin(resumedFrom !== null),
      onProgress(progress) {
        rejected?.flush();
        view.show(progress);
      },
      onRejected: (row) => rejected?.add(row),
    });
  } catch (error) {
    if (signal.aborted) return null;
    throw withAdvice(error);
  } finally {
    if (rejected?.flush() === true)
      view.say(`Rows that cannot be used are in ${path}, with their lines and the reasons.`);
  }
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'IMPORT_SHRINKS') return error;
  const message = `${error.message} On the command line that is --allow-removal.`;
  return new AppError(error.code, message, { problems: error.problems, cause: error });
}

function sayStopped(view: ProgressView): void {
  view.say('Stopped. Nothing has changed for searches; the same command goes on from here.');
  process.exitCode = INTERRUPTED;
}

function toJson({ record, counts, isDryRun, resumedFrom, changes }: ImportReport): object {
  const { number = null, dataset = null, state = null } = record ?? {};
  return { number, dataset, state, isDryRun, isResumed: resumedFrom !== null, counts, changes };
}
