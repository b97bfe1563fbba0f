import { createHash } from 'node:crypto';
import { type CatalogPart, type ImportCounts, objectFormats } from '#domain/catalog';
import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { EntryPart, ImportEntry, ImportRecord, ImportRepository, Store } from '#ports/store/store';
import { type BegunImport, type Lease, refuseImportFormatChange } from './begin-import.ts';
import { type Comparison, compareImport } from './compare.ts';
import {
  compareEntryPlaces,
  mergeEntryPages,
  PAGE,
  pauseForRequests,
  readEntriesInOrder,
  writeEntryPart,
} from './entry-order.ts';
import type { ImportOptions, ImportReport, ImportScratch, ImportsDeps, RunReport } from './import-records.ts';
import { addKept, nothingRead, type ReadSoFar, readSourceInBatches } from './read-source.ts';
import { type ReportDeps, reportTaxonomy } from './taxonomy-report.ts';

export interface ApplyTask extends BegunImport, Pick<Store, 'imports'> {
  readonly reportDeps: ReportDeps;
  readonly source: ImportSource;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly batchSize: number | undefined;
  readonly options: Omit<ImportOptions, 'dryRun' | 'signal'>;
  now(): Date;
}

/** Reads a source from the position of its record to the end, compares it with the live entries,
 *  and makes it live with one write. Errors: IMPORT_SHRINKS, those of the source and the signal. */
export async function applySource(task: ApplyTask): Promise<RunReport> {
  const { source, record, live, lease, options, signal } = task;
  const steps = { ...task, ...stageInStore(task), start: record, importNumber: record.number };
  const soFar = await readParts(steps);
  // Such a source can be read again only from its beginning.
  if (source.resumableForMs !== undefined) await lease.save({ position: null });
  const comparison = await compareSource(steps, soFar);
  const { changes, isShrinking } = comparison;
  const isCheck = options.isCheck === true || (options.asksForNewVersion === true && isNewVersion(steps));
  if (isShrinking && options.allowRemoval !== true && !isCheck)
    throw new AppError(
      'IMPORT_SHRINKS',
      `${source.title} lacks more than half of what ${source.dataset} has, or all of it: ${comparison.counts.removed.toLocaleString('en-US')} records would go. Nothing was changed. Check that the source is complete; if they should go, allow the removal and import it again.`,
      { data: { counts: comparison.counts } },
    );
  const report = await reportNewVersion(steps, comparison);
  signal.throwIfAborted();
  reportProgress(steps, 'switching', soFar, comparison.counts);
  await lease.release();
  const counts = countImportedRows(source, soFar, comparison);
  const ended = { endedAt: task.now(), position: null, counts, changes, report };
  const outcome = { ...chooseEndState(comparison, isCheck), ...ended, comparedWith: Math.max(0, ...live) };
  const saved = await lease.save(outcome);
  return { record: saved, counts, changes, report, isDryRun: false, resumedFrom: record.position, isShrinking };
}

/** Counts the rows of an import: each is added, changed, unchanged, rejected or left out. */
function countImportedRows({ format }: ImportSource, soFar: ReadSoFar, { counts }: Comparison): ImportCounts {
  if (!objectFormats.has(format)) return { ...soFar.counts, ...counts };
  const { added, changed } = counts;
  const { rows, rejected, kept = 0 } = soFar.counts;
  // The comparison also counts objects that stay although their row was rejected.
  const unchanged = Math.max(0, counts.unchanged - kept);
  const leftOut = Math.max(0, rows - rejected - added - changed - unchanged);
  return { ...soFar.counts, ...counts, unchanged, leftOut };
}

/** A number above that of every real import. */
const DRY_RUN_NUMBER = 999_999_999;

/** Reports what an import would do, by the same steps with a scratch store. Errors: IMPORT_INVALID
 *  if the dataset has another format; those of the source; the signal's reason. */
export async function dryRunSource(
  { imports, openScratch, batchSize, ...reportDeps }: Pick<ImportsDeps, 'openScratch' | 'batchSize' | keyof ReportDeps>,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  await refuseImportFormatChange(imports, source);
  const liveOfDataset = (await imports.listLive()).filter(({ dataset }) => dataset === source.dataset);
  const scratch = await openScratch();
  try {
    options.onBegin?.({ resumedFrom: null });
    const steps = {
      ...stageInScratch(imports, source, scratch.entries),
      reportDeps: { ...reportDeps, imports },
      source,
      options,
      signal,
      batchSize,
      start: nothingRead,
      importNumber: DRY_RUN_NUMBER,
      live: new Set(liveOfDataset.map(({ number }) => number)),
    };
    const soFar = await readParts(steps);
    const comparison = await compareSource(steps, soFar);
    const { changes, isShrinking } = comparison;
    const counts = countImportedRows(source, soFar, comparison);
    const report = await reportNewVersion(steps, comparison);
    return { record: null, counts, isDryRun: true, resumedFrom: null, changes, report, isShrinking };
  } finally {
    await scratch.close();
  }
}

interface Staging {
  readonly base: Pick<ImportRepository, 'findEntries'>;
  readonly target: Pick<ImportRepository, 'putEntries' | 'findEntries'>;
  /** Reads live and staged entries of the dataset, in order. */
  readEntries(withBodies?: boolean): AsyncIterable<readonly ImportEntry[]>;
  /** Throws if nothing may be written any more. */
  assertWritable(): void;
  savePosition(soFar: ReadSoFar): Promise<void>;
  saveRemoved(entries: readonly ImportEntry[]): Promise<void>;
}

interface Steps extends Staging, Pick<ApplyTask, 'source' | 'reportDeps' | 'options' | 'signal' | 'batchSize'> {
  readonly importNumber: number;
  /** Numbers of the live imports of the dataset. */
  readonly live: ReadonlySet<number>;
  readonly start: ReadSoFar;
}

function stageInStore({ imports, lease, record }: ApplyTask): Staging {
  return {
    base: imports,
    target: imports,
    readEntries: (withBodies = false) => readEntriesInOrder(imports, record.dataset, { withBodies }),
    assertWritable: () => lease.assertHeld(),
    // Entries are written before: a process killed between the two writes the same entries again.
    async savePosition({ position, done, rejected, counts }) {
      await lease.save({ position, done, rejected, counts });
      await pauseForRequests();
    },
    saveRemoved: (entries) => imports.putEntries(entries),
  };
}

function stageInScratch(imports: ImportRepository, { dataset }: ImportSource, scratch: ImportScratch['entries']) {
  const read = (from: Pick<ImportRepository, 'readEntries'>, withBodies: boolean) =>
    readEntriesInOrder(from, dataset, { withBodies });
  return {
    base: imports,
    target: scratch,
    readEntries: (withBodies = false) =>
      mergeEntryPages([read(imports, withBodies), read(scratch, withBodies)], compareEntryPlaces),
    assertWritable: () => undefined,
    savePosition: async () => undefined,
    saveRemoved: async () => undefined,
  };
}

async function readParts(steps: Steps): Promise<ReadSoFar> {
  const { source, start, signal, batchSize, options } = steps;
  return readSourceInBatches(source, {
    from: start,
    signal,
    batchSize,
    ...(options.onRejected !== undefined && { onRejected: options.onRejected }),
    async onBatch({ parts, unchangedParts }, soFar) {
      steps.assertWritable();
      await stageParts(steps, parts);
      const unchanged = await keepUnchangedParts(steps, unchangedParts);
      // Progress is reported before the position is saved: after a kill, rejected rows of a batch
      // may be reported twice, but none is lost.
      reportProgress(steps, 'reading', soFar);
      await steps.savePosition(addKept(soFar, unchanged));
      return unchanged;
    },
  });
}

function compareSource(steps: Steps, soFar: ReadSoFar): Promise<Comparison> {
  const { importNumber, live, source, signal } = steps;
  return compareImport(steps.readEntries(), {
    importNumber,
    live,
    covers: source.covers,
    async onRemoved(entries) {
      steps.assertWritable();
      await steps.saveRemoved(entries);
    },
    onPage(counts) {
      signal.throwIfAborted();
      reportProgress(steps, 'comparing', soFar, counts);
    },
  });
}

/** Tells whether a source is a new version of a live taxonomy. Synonyms cover nothing. */
const isNewVersion = ({ source: { format, covers }, live }: Steps): boolean =>
  live.size > 0 && covers.length > 0 && format !== 'crosswalk' && !objectFormats.has(format);

async function reportNewVersion(steps: Steps, { isOther }: Comparison): Promise<ImportRecord['report']> {
  const { importNumber, live, source, reportDeps } = steps;
  if (!isOther || !isNewVersion(steps)) return null;
  return reportTaxonomy(steps.readEntries(true), { importNumber, live, covers: source.covers }, reportDeps);
}

function reportProgress(
  { source: { total, unit }, options, start }: Steps,
  phase: 'reading' | 'comparing' | 'switching',
  soFar: ReadSoFar,
  compared: Partial<Comparison['counts']> = {},
): void {
  const counts = { ...soFar.counts, ...compared };
  options.onProgress?.({ phase, done: soFar.done, total, unit, counts, resumedFrom: start.position });
}

type StagedBatch = Pick<Steps, 'base' | 'target' | 'live' | 'importNumber' | 'source'>;

/** Stages parts that differ from the live ones with their bodies, and all others as seen. The last
 *  of equal parts counts, so staging a batch again changes nothing. */
async function stageParts(steps: StagedBatch, parts: readonly CatalogPart[]): Promise<void> {
  for (let start = 0; start < parts.length; start += PAGE) {
    const unique = indexParts(parts.slice(start, start + PAGE));
    const liveHashes = await findLiveHashes(steps, [...unique.values()]);
    await pauseForRequests();
    const entries = [...unique].map(([text, part]) => toStagedEntry(steps, part, liveHashes.get(text)));
    await pauseForRequests();
    await steps.target.putEntries(entries);
    await pauseForRequests();
  }
}

/** Keeps live parts of rejected rows, unless the source has them. @returns the number of objects */
async function keepUnchangedParts(steps: StagedBatch, parts: readonly EntryPart[]): Promise<number> {
  let keptObjects = 0;
  const { source, importNumber, target } = steps;
  for (let start = 0; start < parts.length; start += PAGE) {
    const unique = indexParts(parts.slice(start, start + PAGE));
    const liveHashes = await findLiveHashes(steps, [...unique.values()]);
    for (const entry of await target.findEntries(source.dataset, [...unique.values()])) {
      const isStaged = entry.importNumber === importNumber && entry.state !== 'removed';
      if (isStaged) unique.delete(writeEntryPart(entry));
    }
    // A removed part has no hash.
    const live = [...unique].filter(([text]) => (liveHashes.get(text) ?? '') !== '');
    await target.putEntries(live.map(([, part]) => toSeenEntry(steps, part)));
    keptObjects += live.filter(([, { kind }]) => kind === 'object').length;
    await pauseForRequests();
  }
  return keptObjects;
}

function indexParts<P extends EntryPart>(parts: readonly P[]): Map<string, P> {
  return new Map(parts.map((part) => [writeEntryPart(part), part]));
}

async function findLiveHashes({ source, live, base }: StagedBatch, parts: readonly EntryPart[]) {
  const newest = new Map<string, ImportEntry>();
  for (const entry of live.size === 0 ? [] : await base.findEntries(source.dataset, parts)) {
    const text = writeEntryPart(entry);
    const isNewer = entry.importNumber > (newest.get(text)?.importNumber ?? -1);
    if (live.has(entry.importNumber) && isNewer) newest.set(text, entry);
  }
  return new Map(Array.from(newest, ([text, { hash }]) => [text, hash]));
}

function toStagedEntry(steps: StagedBatch, part: CatalogPart, liveHash: string | undefined): ImportEntry {
  const hash = createHash('sha256').update(JSON.stringify(part.body)).digest('base64url');
  const seen = toSeenEntry(steps, part);
  return hash === liveHash ? seen : { ...seen, state: 'put', hash, body: part.body };
}

function toSeenEntry({ source, importNumber }: StagedBatch, { kind, key, part }: EntryPart): ImportEntry {
  return { kind, key, dataset: source.dataset, part, importNumber, state: 'seen', hash: '', body: null };
}

function chooseEndState({ isOther }: Comparison, isCheck: boolean) {
  if (!isOther) return { state: 'unchanged', isUndoable: false } as const;
  return isCheck ? ({ state: 'checked', isUndoable: false } as const) : ({ state: 'live', isUndoable: true } as const);
}
