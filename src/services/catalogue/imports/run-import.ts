import type { Actor } from '#domain/admin';
import { AppError, isPassingError } from '#errors';
import { type ImportSource, PositionLost } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import type { BegunImport } from './begin.ts';
import { carryOut } from './carry-out.ts';
import { clearLeft } from './clear.ts';
import type { ImportOptions, ImportReport, ImportsDeps, RunReport } from './import-options.ts';
import { createImportRunningError, getImport, recordEnd, recordStop } from './import-records.ts';
import { type Lease, LeaseLost } from './lease.ts';

/** What one run of an import works with. */
export interface Run {
  readonly begun: BegunImport;
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly lease: Lease;
  /** Aborted by `stop`. */
  readonly stopped: AbortSignal;
  /** Who stopped it here. */
  stoppedBy(): Actor | null;
  /** Waits until few enough imports read. Errors: those of the job; the signal's reason. */
  inTurn<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface RunDeps extends Omit<ImportsDeps, 'openScratch'> {
  /** Clears what a finished import has left; never rejects. */
  clearAfter(record: ImportRecord): Promise<void>;
}

/** Carries out a begun import, and records how it ended. Errors: PositionLost, with the import at its end; those of the source;
 *  IMPORT_SHRINKS; IMPORT_RUNNING where another process has taken it over. */
export async function runImport(deps: RunDeps, actor: Actor, run: Run): Promise<ImportReport> {
  const { imports, clock, batchSize, onProblem, clearAfter } = deps;
  const { begun, source, options, lease, stopped, inTurn } = run;
  const signal = AbortSignal.any([stopped, lease.lost, ...(options.signal ? [options.signal] : [])]);
  const now = () => clock.now();
  let report: RunReport;
  try {
    report = await inTurn(async () => {
      options.onBegin?.({ resumedFrom: begun.record.position });
      await clearLeft(imports, source.dataset, signal, begun.record.number);
      return carryOut({ ...begun, imports, source, lease, signal, batchSize, options, now });
    }, signal);
  } catch (error) {
    await lease.release();
    if (error instanceof LeaseLost || lease.lost.aborted) return reportLost(deps, run);
    if (signal.aborted) return endStopped(deps, actor, run);
    await endFailed(deps, actor, { run, error });
    throw error;
  }
  // It counts, whether this is written down or not.
  await recordEnd(deps.audit, actor, report.record).catch(onProblem);
  await clearAfter(report.record);
  return report;
}

/** It was stopped from elsewhere, and that is recorded there; or this process was taken for dead. */
async function reportLost({ imports }: RunDeps, { begun }: Run): Promise<ImportReport> {
  const record = await getImport(imports, begun.record.id);
  if (record.state === 'running') throw createImportRunningError(record.dataset);
  return reportOf(record, begun);
}

async function endStopped(deps: RunDeps, actor: Actor, run: Run): Promise<ImportReport> {
  const { begun, source, lease } = run;
  const by = run.stoppedBy() ?? actor;
  const position = source.fingerprint === null ? null : lease.record.position;
  const record = await lease.save({ ...makeStoppedOutcome(by), endedAt: deps.clock.now(), position });
  await recordStop(deps.audit, by, record);
  await deps.clearAfter(record);
  return reportOf(record, begun);
}

async function endFailed(
  deps: RunDeps,
  actor: Actor,
  { run: { source, lease }, error }: { readonly run: Run; readonly error: unknown },
): Promise<void> {
  const canGoOn = isPassingError(error) || (error instanceof AppError && error.code === 'IMPORT_SHRINKS');
  const position = canGoOn && source.fingerprint !== null ? lease.record.position : null;
  try {
    const ended = { state: 'failed' as const, endedAt: deps.clock.now(), problem: problemOf(error) };
    const record = await lease.save({ ...ended, position });
    await recordEnd(deps.audit, actor, record);
    await deps.clearAfter(record);
  } catch (another) {
    // Where the store is away as well, the import counts as broken off once the lease is over.
    deps.onProblem(another);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof PositionLost)
    return 'The source has changed during the import. It is read again from the beginning, as a new import.';
  return 'An unexpected error occurred; see the server’s log. Nothing was changed.';
}

export const makeStoppedOutcome = ({ name }: Actor) =>
  ({ state: 'stopped', problem: `It was stopped by ${name}.` }) as const;

function reportOf(record: ImportRecord, { record: { position } }: BegunImport): ImportReport {
  const { counts, changes } = record;
  return { record, counts, changes, isDryRun: false, resumedFrom: position, isShrinking: false };
}
