import type { ImportCounts } from '../../domain/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RejectedRow } from '../../ports/imports.ts';
import type { ImportRecord, ImportRepository } from '../../ports/store/store.ts';
import type { Audit } from '../audit.ts';

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
  /** Of all, in their order; of a resumed import, those after its position. */
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
  /** Position from which it was resumed. */
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

/** The report of a run that is no dry run. */
export interface RunReport extends ImportReport {
  readonly record: ImportRecord;
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
