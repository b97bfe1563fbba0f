import type { ImportSource } from '#ports/imports';
import type { ImportRepository } from '#ports/store/store';
import { refuseOtherImportFormat } from './begin.ts';
import { reportCarryOutProgress } from './carry-out.ts';
import { type Comparison, compareImport } from './compare.ts';
import { compareEntryPlaces, mergeEntryPages, readEntriesInOrder } from './entry-order.ts';
import type { ImportOptions, ImportReport, ImportScratch } from './import-options.ts';
import { countRows, nothingRead, type ReadSoFar, readSource } from './read-source.ts';
import { stageKeptParts, stageParts } from './stage.ts';

export interface DryRunDeps {
  readonly imports: ImportRepository;
  readonly batchSize?: number;
  openScratch(): Promise<ImportScratch>;
}

/** After all there are. */
const IMPORT_NUMBER = 999_999_999;

/** Finds out what an import would do, in the same way, but reads into a scratch store of its own. Errors: IMPORT_INVALID where
 *  the dataset is of another format, those of the source, the signal's reason. */
export async function dryRun(
  { imports, openScratch, batchSize }: DryRunDeps,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  await refuseOtherImportFormat(imports, source);
  const all = await imports.listLive();
  const live = new Set(all.filter(({ dataset }) => dataset === source.dataset).map(({ number }) => number));
  const scratch = await openScratch();
  try {
    options.onBegin?.({ resumedFrom: null });
    const task = { batchSize, imports, source, options, signal, live, scratch: scratch.entries };
    const soFar = await readAll(task);
    const { counts: found, changes, isShrinking } = await compareAll(task, soFar);
    const counts = { ...countRows(soFar), ...found };
    return { record: null, counts, isDryRun: true, resumedFrom: null, changes, isShrinking };
  } finally {
    await scratch.close();
  }
}

interface Task {
  readonly batchSize: number | undefined;
  readonly imports: ImportRepository;
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  readonly live: ReadonlySet<number>;
  readonly scratch: ImportScratch['entries'];
}

const fromTheBeginning = { position: null };

function readAll(task: Task): Promise<ReadSoFar> {
  const { imports, source, options, signal, live, scratch, batchSize } = task;
  const { dataset } = source;
  const staging = { dataset, importNumber: IMPORT_NUMBER, live, base: imports, target: scratch };
  return readSource(source, {
    from: nothingRead,
    signal,
    batchSize,
    ...(options.onRejected !== undefined && { onRejected: options.onRejected }),
    async onBatch({ parts, kept }, soFar) {
      await stageParts(staging, parts);
      await stageKeptParts(staging, kept);
      reportCarryOutProgress({ source, options, record: fromTheBeginning }, 'reading', soFar);
    },
  });
}

function compareAll(
  { imports, source, options, signal, live, scratch }: Task,
  soFar: ReadSoFar,
): Promise<Comparison> {
  const both = [imports, scratch].map((from) =>
    readEntriesInOrder(from, source.dataset, { withBodies: false }),
  );
  return compareImport(mergeEntryPages(both, compareEntryPlaces), {
    importNumber: IMPORT_NUMBER,
    live,
    covers: source.covers,
    onRemoved: async () => undefined,
    onPage(counts) {
      signal.throwIfAborted();
      reportCarryOutProgress({ source, options, record: fromTheBeginning }, 'comparing', soFar, counts);
    },
  });
}
