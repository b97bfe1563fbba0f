import type { ImportCounts, ImportRhythm } from '#domain/catalog';
import type { Clock } from '#ports/clock';
import type { RejectedRow } from '#ports/imports';
import type { ImportOrigin, ImportRecord, ImportRepository } from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';

export interface StartOptions {
  /** Read it to its end and compare it, but let it wait until somebody accepts it; it removes what it wants to. */
  readonly isCheck?: boolean;
  /** The address that it is read from, as far as that can be opened again by it alone. It is not kept where it may hold a key. */
  readonly origin?: ImportOrigin | null;
  /** How often that is imported again, once this import counts. When absent, as before where the address is the same. */
  readonly rhythm?: ImportRhythm | null;
  /** Allow the import even if it removes most of the dataset. */
  readonly allowRemoval?: boolean;
  /** Called when the import has ended, however: the source is no longer read. Not called where it does not begin. */
  onEnd?(): Promise<void>;
}

export interface ImportOptions extends StartOptions {
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** Called before anything is read, with the position to go on from; called again where that cannot be used and the source is
   *  read anew. */
  onBegin?(begun: Pick<ImportReport, 'resumedFrom'>): void;
  /** Of all, in their order; of a resumed import, those after its position. */
  onRejected?(row: RejectedRow): void;
}

export interface ImportProgress {
  readonly phase: 'reading' | 'comparing' | 'switching';
  /** In the source's unit; while comparing still what was read. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
  /** Rows while it reads; from the comparison on, the outcome for the records. */
  readonly counts: ImportCounts;
  /** Position from which it was resumed. */
  readonly resumedFrom: string | null;
}

export interface ImportReport {
  /** Null for a dry run. */
  readonly record: ImportRecord | null;
  readonly counts: ImportCounts;
  readonly isDryRun: boolean;
  readonly resumedFrom: string | null;
  /** As in the record. */
  readonly changes: ImportRecord['changes'];
  /** Whether it removes so much that it needs `allowRemoval`; without that, only a dry run gets this far. */
  readonly isShrinking: boolean;
}

/** The report of a run that is no dry run. */
export interface RunReport extends ImportReport {
  readonly record: ImportRecord;
}

/** Where a dry run keeps what it has read. */
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
  /** Rows or parts after which what was read is saved; 1,000 by default. */
  readonly batchSize?: number;
  /** Told of errors in the background of an import, and of unexpected errors that ended one. */
  onProblem(error: unknown): void;
}
