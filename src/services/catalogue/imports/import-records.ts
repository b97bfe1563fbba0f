import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/admin';
import type { ImportCounts, ImportRhythm, ImportState } from '#domain/catalog';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ImportSource, RejectedRow } from '#ports/imports';
import type { ImportOrigin, ImportRecord, ImportRepository, Store } from '#ports/store/store';
import type { Audit, AuditAction } from '#services/tenants/audit';
import type { ReportDeps } from './taxonomy-report.ts';

export type RecordDeps = Pick<Store, 'imports'> & { readonly clock: Clock };

/** How long a process counts as alive after renewing its lease. */
export const LEASE_MS = 15_000;

export const noCounts: ImportCounts = {
  rows: 0,
  rejected: 0,
  kept: 0,
  leftOut: 0,
  warned: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
};

/** Returns how many objects and concepts an import changes. */
export const countImportChanges = ({ added, changed, removed }: ImportCounts): number => added + changed + removed;

/** Errors: IMPORT_UNKNOWN. */
export async function getImportRecord(imports: ImportRepository, id: string): Promise<ImportRecord> {
  const record = await imports.findImport(id);
  if (record === null)
    throw new AppError('IMPORT_UNKNOWN', 'There is no import with this id. Take one from the list of imports.');
  return record;
}

/** Tells whether the lease of a running import shows that a process works on it. */
export function isImportAtWork({ state, aliveUntil }: ImportRecord, now: Date): boolean {
  return state === 'running' && aliveUntil.getTime() > now.getTime();
}

/** The state to show to people: an import whose process died does not run. */
export type ShownState = ImportState | 'brokenOff';

export function findImportState(record: ImportRecord, now: Date): ShownState {
  return record.state === 'running' && !isImportAtWork(record, now) ? 'brokenOff' : record.state;
}

/** Returns why a finished import has no records; null if it has some, or all were unchanged. */
export function explainNoImportRecords({ state, counts }: ImportRecord): 'noRows' | 'allRejected' | null {
  if (state !== 'unchanged') return null;
  if (counts.rows === 0) return 'noRows';
  return counts.rejected >= counts.rows ? 'allRejected' : null;
}

/** Tells whether only live entries are needed: it neither runs, nor waits, nor can be resumed. */
export function canImportBeCleared(record: ImportRecord): boolean {
  return record.state !== 'running' && record.state !== 'checked' && !isImportBrokenOff(record);
}

/** Tells whether an import was broken off and can be resumed from the entries in the store. */
export function isImportBrokenOff({ state, position }: ImportRecord): boolean {
  return position !== null && (state === 'running' || state === 'stopped' || state === 'failed');
}

/** Changes this version of a record. Returns null if another process has changed it meanwhile. */
export async function changeImportRecord(
  imports: ImportRepository,
  record: ImportRecord,
  changes: Partial<ImportRecord>,
): Promise<ImportRecord | null> {
  const changed = { ...record, ...changes, version: record.version + 1 };
  return (await imports.saveImport(changed)) ? changed : null;
}

/** Ends an import for good. @returns false if another process has changed it meanwhile */
export async function giveUpImportRecord(deps: RecordDeps, record: ImportRecord): Promise<boolean> {
  const outcomes: Readonly<Partial<Record<ImportState, Partial<ImportRecord>>>> = {
    running: { state: 'failed', endedAt: deps.clock.now(), problem: 'Its process ended before it was done.' },
    checked: { state: 'stopped', problem: 'The dataset was changed while this waited to be accepted.' },
  };
  const changes = { ...outcomes[record.state], position: null };
  return (await changeImportRecord(deps.imports, record, changes)) !== null;
}

export interface NewImport extends Partial<Pick<ImportRecord, 'origin' | 'rhythm'>> {
  readonly source: ImportSource;
  readonly now: Date;
}

/** Makes a new record, which is not stored yet. */
export function makeImportRecord(
  actor: Actor,
  { source, origin = null, rhythm = null, now }: NewImport,
): Omit<ImportRecord, 'number'> {
  const { format, dataset, title, fingerprint, total, unit, choices = null } = source;
  return {
    id: randomUUID(),
    format,
    dataset,
    title,
    fingerprint,
    total,
    unit,
    actor,
    state: 'running',
    startedAt: now,
    endedAt: null,
    aliveUntil: new Date(now.getTime() + LEASE_MS),
    position: null,
    done: 0,
    counts: noCounts,
    rejected: [],
    changes: [],
    report: null,
    comparedWith: 0,
    origin,
    rhythm,
    choices,
    problem: null,
    isUndoable: false,
    version: 1,
  };
}

export function createTooManyImportsError(): AppError {
  return new AppError(
    'IMPORTS_TOO_MANY',
    'Too many imports wait already. Nothing was begun; wait until some have ended, or stop some.',
  );
}

export function createImportRunningError(dataset: string): AppError {
  return new AppError(
    'IMPORT_RUNNING',
    `An import of ${dataset} is running. Wait until it has ended, or stop it (on the command line: skilldock imports stop NUMBER); one whose process has ended is taken over ${LEASE_MS / 1000} seconds later.`,
  );
}

export function createImportChangedError(): AppError {
  return new AppError('CHANGED_MEANWHILE', 'The import was changed meanwhile. Look at how it stands, and try again.');
}

/** Records an action in the audit trail of the host, to which imports belong. */
export function recordImport(
  audit: Audit,
  actor: Actor,
  action: AuditAction & `import.${string}`,
  record: ImportRecord,
): Promise<void> {
  const { number, format, dataset, title, state, counts, problem } = record;
  const countDetails = Object.entries(counts).map(([name, count]) => [name, `${count}`]);
  const details = {
    number: `${number}`,
    format,
    dataset,
    state,
    ...Object.fromEntries(countDetails),
    ...(problem !== null && { problem }),
  };
  return audit.record(actor, { action, tenantId: null, target: title, details });
}

export function recordImportEnd(audit: Audit, actor: Actor, record: ImportRecord): Promise<void> {
  return recordImport(audit, actor, record.state === 'failed' ? 'import.failed' : 'import.ended', record);
}

export interface StartOptions {
  /** Whether a compared import waits to be accepted; it may then remove any number of records. */
  readonly isCheck?: boolean;
  /** Whether a new version of a taxonomy that is live waits like a check. */
  readonly asksForNewVersion?: boolean;
  /** Address of the source, if it opens without anything else. Not stored if it may hold a key. */
  readonly origin?: ImportOrigin | null;
  /** How often the address is imported again once this import is live; as before when absent. */
  readonly rhythm?: ImportRhythm | null;
  readonly allowRemoval?: boolean;
  /** Called when a begun import has ended in any way and no longer reads its source. */
  onEnd?(): Promise<void>;
}

export interface ImportOptions extends StartOptions {
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  onProgress?(progress: ImportProgress): void;
  /** Called before the source is read, with the position to resume from, and again if read anew. */
  onBegin?(begun: Pick<ImportReport, 'resumedFrom'>): void;
  /** Receives all rejected rows in order; of a resumed import, those after its position. */
  onRejected?(row: RejectedRow): void;
}

export interface ImportProgress {
  readonly phase: 'reading' | 'comparing' | 'switching';
  /** Amount that was read, in the unit of the source. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
  /** Counts of rows; from the comparison on, also of records. */
  readonly counts: ImportCounts;
  /** Position from which the import was resumed; null if it was not. */
  readonly resumedFrom: string | null;
}

export interface ImportReport {
  /** Null for a dry run. */
  readonly record: ImportRecord | null;
  readonly counts: ImportCounts;
  readonly isDryRun: boolean;
  readonly resumedFrom: string | null;
  readonly changes: ImportRecord['changes'];
  /** Null if the source is not a new version of a taxonomy. */
  readonly report: ImportRecord['report'];
  /** Whether the import removes so much that it needs `allowRemoval`. */
  readonly isShrinking: boolean;
}

/** The report of a run that is not a dry run. */
export type RunReport = ImportReport & { readonly record: ImportRecord };

/** A temporary store for a dry run. */
export interface ImportScratch {
  readonly entries: Pick<ImportRepository, 'putEntries' | 'findEntries' | 'readEntries'>;
  close(): Promise<void>;
}

export interface ImportsDeps extends Omit<ReportDeps, 'imports'>, Pick<Store, 'imports'> {
  readonly audit: Audit;
  readonly clock: Clock;
  openScratch(): Promise<ImportScratch>;
  /** Number of rows or parts that are saved together; 1,000 by default. */
  readonly batchSize?: number;
  /** Receives errors in the background, and unexpected ones that ended an import. */
  onProblem(error: unknown): void;
}
