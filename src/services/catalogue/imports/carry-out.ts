import type { ImportState } from '#domain/catalog';
import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { ImportRecord, ImportRepository } from '#ports/store/store';
import type { BegunImport } from './begin.ts';
import { type Comparison, compareImport } from './compare.ts';
import { letOthersRun, readEntriesInOrder } from './entry-order.ts';
import type { ImportOptions, RunReport } from './import-options.ts';
import type { Lease } from './lease.ts';
import { countRows, type ReadSoFar, readSource } from './read-source.ts';
import { stageKeptParts, stageParts } from './stage.ts';

/** What is needed to read a source to its end and to make that count. */
export interface CarryOutOptions extends BegunImport {
  readonly imports: ImportRepository;
  readonly source: ImportSource;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly batchSize: number | undefined;
  readonly options: Omit<ImportOptions, 'dryRun' | 'signal'>;
  now(): Date;
}

/** Reads the source from where the record stands to its end, and makes it count with one write.
 *  Errors: IMPORT_SHRINKS, those of the source, the signal's reason. */
export async function carryOut(task: CarryOutOptions): Promise<RunReport> {
  const { record, lease, options } = task;
  const resumedFrom = record.position;
  const soFar = await readAll(task);
  // What such a source has later is known only by reading it again.
  if (task.source.resumableForMs !== undefined) await lease.save({ position: null });
  const comparison = await compareAll(task, soFar);
  const counts = { ...countRows(soFar), ...comparison.counts };
  const { changes, isShrinking } = comparison;
  if (isShrinking && options.allowRemoval !== true && options.isCheck !== true)
    throw importShrinks(task.source, comparison);
  task.signal.throwIfAborted();
  reportCarryOutProgress(task, 'switching', soFar, comparison.counts);
  // No renewal after the switch: from here on others may change the record.
  await lease.release();
  const comparedWith = Math.max(0, ...task.live);
  const ended = { endedAt: task.now(), position: null, counts, changes, comparedWith };
  const outcome = { ...endOf(comparison, options), ...ended };
  return { record: await lease.save(outcome), counts, changes, isDryRun: false, resumedFrom, isShrinking };
}

function endOf(
  { isOther }: Comparison,
  { isCheck = false }: Pick<ImportOptions, 'isCheck'>,
): { state: ImportState; isUndoable: boolean } {
  if (!isOther) return { state: 'unchanged', isUndoable: false };
  return isCheck ? { state: 'checked', isUndoable: false } : { state: 'live', isUndoable: true };
}

/** First the entries, then the position they reach: after a kill between the two, the same entries are written again. */
async function readAll(task: CarryOutOptions): Promise<ReadSoFar> {
  const { source, record, live, imports, lease, signal, batchSize, options } = task;
  const { dataset, number: importNumber } = record;
  const staging = { dataset, importNumber, live, base: imports, target: imports };
  return readSource(source, {
    from: readUpTo(record),
    signal,
    batchSize,
    ...(options.onRejected !== undefined && { onRejected: options.onRejected }),
    async onBatch({ parts, kept }, soFar) {
      lease.assertHeld();
      await stageParts(staging, parts);
      await stageKeptParts(staging, kept);
      const { position, done, rejected } = soFar;
      // Before the position is saved: after a kill, what is kept elsewhere may come twice, but is not lost.
      reportCarryOutProgress(task, 'reading', soFar);
      await lease.save({ position, done, rejected, counts: countRows(soFar) });
      await letOthersRun();
    },
  });
}

function readUpTo({ position, done, rejected, counts }: ImportRecord): ReadSoFar {
  return {
    position,
    done,
    rejected,
    rows: counts.rows,
    rejectedRows: counts.rejected,
    warnedRows: counts.warned,
  };
}

function compareAll(task: CarryOutOptions, soFar: ReadSoFar): Promise<Comparison> {
  const { source, record, live, imports, lease, signal } = task;
  return compareImport(readEntriesInOrder(imports, record.dataset, { withBodies: false }), {
    importNumber: record.number,
    live,
    covers: source.covers,
    async onRemoved(entries) {
      lease.assertHeld();
      await imports.putEntries(entries);
    },
    onPage(counts) {
      signal.throwIfAborted();
      reportCarryOutProgress(task, 'comparing', soFar, counts);
    },
  });
}

export function reportCarryOutProgress(
  task: Pick<CarryOutOptions, 'source' | 'options'> & { readonly record: Pick<ImportRecord, 'position'> },
  phase: 'reading' | 'comparing' | 'switching',
  soFar: ReadSoFar,
  found: Partial<Comparison['counts']> = {},
): void {
  const { total, unit } = task.source;
  task.options.onProgress?.({
    phase,
    done: soFar.done,
    total,
    unit,
    counts: { ...countRows(soFar), ...found },
    resumedFrom: task.record.position,
  });
}

function importShrinks({ dataset, title }: ImportSource, { counts }: Comparison): AppError {
  return new AppError(
    'IMPORT_SHRINKS',
    `${title} lacks more than half of what ${dataset} has, or all of it: ${counts.removed.toLocaleString('en-US')} records would go. Nothing was changed. Look whether the source is whole; if they are meant to go, allow the removal and import it again.`,
    { data: { counts } },
  );
}
