import type { Actor } from '../../domain/admin.ts';
import type { ImportCounts } from '../../domain/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ImportSource, RejectedRow } from '../../ports/imports.ts';
import type { ImportRecord, ImportRepository, Page, PageRequest } from '../../ports/store/store.ts';
import type { Audit } from '../audit.ts';
import { getImport } from './import-records.ts';
import { createImportRuns } from './import-runs.ts';
import { canUndo, createUndo } from './undo.ts';

/** Imports of taxonomies and catalogues. Each is a layer in the store, which counts from one write on, and until that is
 *  undone. All hosts of a store together run one import of a dataset at a time. Every import that ended, was stopped or was
 *  undone is in the audit trail. */
export interface Imports {
  /** Reads the source to its end and makes it count. One that was broken off is gone on with, where the source is still the
   *  same. Where it is stopped, by `stop`, `close` or the signal, the report has the record in the state `stopped`.
   *  Where the source cannot go on from there, that import ends, and another one reads it anew. Of parts that the source gives
   *  twice, the last one counts; parts of rejected rows stay as they were.
   *  Errors: IMPORT_RUNNING; IMPORT_SHRINKS where all that the dataset has of what the source covers would go, or more than half of
   *  it and more than 100 records; IMPORT_INVALID where the dataset is of another format; IMPORT_INVALID and SOURCE_UNAVAILABLE of
   *  the source. A dry run writes nothing, and rejects with the signal's reason. */
  run(actor: Actor, source: ImportSource, options?: ImportOptions): Promise<ImportReport>;
  /** Begins it and gives the record at once; it goes on in the background, and the record says how it stands.
   *  Errors: IMPORT_RUNNING; IMPORT_INVALID where the dataset is of another format. */
  start(actor: Actor, source: ImportSource, options?: StartOptions): Promise<ImportRecord>;
  /** Ends it where it is; the same source can be gone on with. One that another host runs ends there within seconds.
   *  Errors: IMPORT_UNKNOWN, CHANGED_MEANWHILE where it does not run. */
  stop(actor: Actor, id: string): Promise<ImportRecord>;
  /** What was before it counts again, at once. Errors: IMPORT_UNKNOWN; IMPORT_NOT_NEWEST where a newer one of the dataset counts,
   *  or it does not count itself, or what was before is not kept any more; IMPORT_RUNNING where one of the dataset runs. */
  undo(actor: Actor, id: string): Promise<ImportRecord>;
  /** Whether `undo` would take it back, but for imports that run. */
  canUndo(record: ImportRecord): Promise<boolean>;
  /** Errors: IMPORT_UNKNOWN. */
  getImport(id: string): Promise<ImportRecord>;
  /** The import of the same dataset that was begun after this one, as where its source had to be read anew; null where none was. */
  findNext(record: ImportRecord): Promise<ImportRecord | null>;
  /** Newest first. */
  listImports(page: PageRequest): Promise<Page<ImportRecord>>;
  /** Stops those of this process, and waits until they have ended. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Also when most of the dataset goes. */
  readonly allowRemoval?: boolean;
  /** Once it has ended, however it did: nothing of the source is read any more. Not called where it does not begin. */
  onEnd?(): Promise<void>;
}

export interface ImportOptions extends StartOptions {
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** Before anything is read, with the position it goes on from; once more where that cannot be used and it is read anew. */
  onBegin?(begun: Pick<ImportReport, 'resumedFrom'>): void;
  /** Of all, in their order; of an import that is gone on with, those that come from there on. */
  onRejected?(row: RejectedRow): void;
}

export interface ImportProgress {
  readonly phase: 'reading' | 'comparing' | 'switching';
  /** In the source's unit; while comparing still what was read. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
  /** Rows while it reads; what became of the records, from the comparison on. */
  readonly counts: ImportCounts;
  /** Position it was gone on with from. */
  readonly resumedFrom: string | null;
}

export interface ImportReport {
  /** Null for a dry run. */
  readonly record: ImportRecord | null;
  readonly counts: ImportCounts;
  readonly isDryRun: boolean;
  readonly resumedFrom: string | null;
  /** The first keys of each, at most ten. */
  readonly samples: ImportSamples;
  /** Whether so much goes that it needs `allowRemoval`; only a dry run gets that far without. */
  readonly isShrinking: boolean;
}

export interface ImportSamples {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Where a dry run keeps for its time what it has read. */
export interface ImportScratch {
  readonly entries: Pick<ImportRepository, 'putEntries' | 'findEntries' | 'readEntries'>;
  /** Removes it. */
  close(): Promise<void>;
}

export interface ImportsDeps {
  readonly imports: ImportRepository;
  readonly audit: Audit;
  readonly clock: Clock;
  openScratch(): Promise<ImportScratch>;
  /** Rows or parts after which what was read is put down; 1,000 unless told. */
  readonly batchSize?: number;
  /** Told of what went wrong behind an import, and of what ended one without being an error that people know. */
  onProblem(error: unknown): void;
}

export function createImports(deps: ImportsDeps): Imports {
  const runs = createImportRuns(deps);
  const undo = createUndo(deps);
  return {
    run: runs.run,
    start: runs.start,
    stop: runs.stop,
    async undo(actor, id) {
      const record = await undo(actor, id);
      runs.clearBehind(record);
      return record;
    },
    canUndo: (record) => canUndo(deps.imports, record),
    getImport: (id) => getImport(deps.imports, id),
    async findNext({ dataset, number }) {
      const records = await deps.imports.listImportsOf(dataset);
      return records.findLast((each) => each.number > number) ?? null;
    },
    listImports: (page) => deps.imports.listImports(page),
    close: runs.close,
  };
}
