import type { Actor } from '#domain/admin';
import { AppError, hasErrorCode, isPassingError } from '#errors';
import { type ImportSource, PositionLost } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import { applySource } from './apply-source.ts';
import { type BegunImport, type Lease, LeaseLost } from './begin-import.ts';
import { clearUnusedEntries } from './clear.ts';
import type { ImportOptions, ImportReport, ImportsDeps, RunReport } from './import-records.ts';
import { createImportRunningError, getImportRecord, recordImport, recordImportEnd } from './import-records.ts';

export interface ImportRun {
  readonly begun: BegunImport;
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly lease: Lease;
  readonly stopSignal: AbortSignal;
  /** Returns who stopped the import in this process; null if nobody did. */
  stoppedBy(): Actor | null;
  clear(record: ImportRecord): Promise<void>;
  /** Runs the job once few enough imports are read. Errors: of the job; the signal's reason. */
  runInQueue<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

type CompleteDeps = Omit<ImportsDeps, 'openScratch'>;

/** Applies the source of a begun import, and records its end. Errors: PositionLost, after which the
 *  import has ended; those of the source; IMPORT_SHRINKS; IMPORT_RUNNING after a take-over. */
export async function completeImport(deps: CompleteDeps, actor: Actor, run: ImportRun): Promise<ImportReport> {
  const { imports, batchSize } = deps;
  const { begun, source, options, lease, stopSignal } = run;
  const signal = AbortSignal.any([stopSignal, lease.lost, ...(options.signal ? [options.signal] : [])]);
  const now = () => deps.clock.now();
  let report: RunReport;
  try {
    report = await run.runInQueue(async () => {
      options.onBegin?.({ resumedFrom: begun.record.position });
      await clearUnusedEntries(imports, source.dataset, signal, begun.record.number);
      return applySource({ ...begun, imports, reportDeps: deps, source, lease, signal, batchSize, options, now });
    }, signal);
  } catch (error) {
    await lease.release();
    if (error instanceof LeaseLost || lease.lost.aborted) return reportImportLost(deps, run);
    if (signal.aborted) return endStoppedImport(deps, actor, run);
    await endFailedImport(deps, actor, run, error);
    throw error;
  }
  // The import is live, whether or not the audit trail can be written.
  await recordImportEnd(deps.audit, actor, report.record).catch(deps.onProblem);
  await run.clear(report.record);
  return report;
}

/** Reports an import that another process has stopped. Errors: IMPORT_RUNNING if another process
 *  took this one for dead and works on the import. */
async function reportImportLost({ imports }: CompleteDeps, { begun }: ImportRun): Promise<ImportReport> {
  const record = await getImportRecord(imports, begun.record.id);
  if (record.state === 'running') throw createImportRunningError(record.dataset);
  return toCompleteImportReport(record, begun);
}

async function endStoppedImport(deps: CompleteDeps, actor: Actor, run: ImportRun): Promise<ImportReport> {
  const { begun, source, lease } = run;
  const stopper = run.stoppedBy() ?? actor;
  const position = source.fingerprint === null ? null : lease.record.position;
  const record = await lease.save({ ...makeStoppedImportOutcome(stopper), endedAt: deps.clock.now(), position });
  await recordImport(deps.audit, stopper, 'import.stopped', record);
  await run.clear(record);
  return toCompleteImportReport(record, begun);
}

async function endFailedImport(deps: CompleteDeps, actor: Actor, { source, lease, clear }: ImportRun, error: unknown) {
  const canResume = isPassingError(error) || hasErrorCode(error, 'IMPORT_SHRINKS');
  const position = canResume && source.fingerprint !== null ? lease.record.position : null;
  try {
    const ended = { state: 'failed', endedAt: deps.clock.now(), problem: describeImportProblem(error) } as const;
    const record = await lease.save({ ...ended, position });
    await recordImportEnd(deps.audit, actor, record);
    await clear(record);
  } catch (storeError) {
    // If the store fails as well, the import counts as broken off once its lease is over.
    deps.onProblem(storeError);
  }
}

function describeImportProblem(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof PositionLost)
    return 'The source has changed during the import. It is read again from the beginning, as a new import.';
  return 'An unexpected error occurred; see the server’s log. Nothing was changed.';
}

export const makeStoppedImportOutcome = ({ name }: Actor) =>
  ({ state: 'stopped', problem: `It was stopped by ${name}.` }) as const;

function toCompleteImportReport(record: ImportRecord, { record: { position } }: BegunImport): ImportReport {
  const { counts, changes, report } = record;
  return { record, counts, changes, report, isDryRun: false, resumedFrom: position, isShrinking: false };
}
