import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { ImportSource } from '#ports/imports';
import type { ImportRecord, ImportRepository } from '#ports/store/store';
import type { NewImport, RecordDeps } from './import-records.ts';
import {
  canImportBeCleared,
  changeImportRecord,
  createImportChangedError,
  createImportRunningError,
  giveUpImportRecord,
  isImportAtWork,
  isImportBrokenOff,
  LEASE_MS,
  makeImportRecord,
} from './import-records.ts';
import { chooseRepeatRhythm, type RhythmOptions } from './repeats.ts';

export interface BegunImport {
  readonly record: ImportRecord;
  /** Numbers of the live imports of the dataset. They stay the same while it runs. */
  readonly live: ReadonlySet<number>;
}

/** Number of tries. One fails only if another host has changed the dataset, so few are needed. */
const TRIES = 20;

/** Resumes the newest import of the dataset if it was broken off and its source is the same, else
 *  adds one. Errors: IMPORT_RUNNING; IMPORT_INVALID if the live imports have another format. */
export async function beginImport(
  deps: RecordDeps,
  actor: Actor,
  source: ImportSource,
  options: RhythmOptions = {},
): Promise<BegunImport> {
  await refuseImportFormatChange(deps.imports, source);
  for (let tries = 0; tries < TRIES; tries++) {
    const record = (await resumeRun(deps, source, options)) ?? (await addRecord(deps, actor, { ...options, source }));
    if (record !== null) return { record, live: await holdLiveImports(deps, source.dataset) };
  }
  throw createImportChangedError();
}

/** Refuses a new format, with which all live records would count as removed.
 *  Errors: IMPORT_INVALID. */
export async function refuseImportFormatChange(
  imports: Pick<ImportRepository, 'listLiveOf'>,
  { dataset, format }: Pick<ImportSource, 'dataset' | 'format'>,
): Promise<void> {
  const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
  if (newest === undefined || newest.format === format) return;
  throw new AppError(
    'IMPORT_INVALID',
    `The dataset ${dataset} was imported as ${newest.format}, and this is ${format}: it would replace all of it. Give this import another name (--name on the command line).`,
  );
}

/** Returns null if there is nothing to resume, or another host has changed it. */
async function resumeRun(deps: RecordDeps, source: ImportSource, options: RhythmOptions): Promise<ImportRecord | null> {
  const records = await deps.imports.listImportsOf(source.dataset);
  const [newest] = records;
  const now = deps.clock.now();
  if (newest === undefined) return null;
  if (isImportAtWork(newest, now)) throw createImportRunningError(source.dataset);
  if (!isImportBrokenOff(newest) || !fitsSource(newest, source, now)) return null;
  const aliveUntil = new Date(now.getTime() + LEASE_MS);
  const running = { state: 'running', endedAt: null, problem: null, aliveUntil } as const;
  return changeImportRecord(deps.imports, newest, { ...running, ...chooseRepeatRhythm(records, source, options) });
}

/** Tells whether the position of a broken-off import is still valid in the source. */
function fitsSource(brokenOff: ImportRecord, source: ImportSource, now: Date): boolean {
  const { format, fingerprint, resumableForMs = Number.POSITIVE_INFINITY } = source;
  if (fingerprint === null || brokenOff.fingerprint !== fingerprint || brokenOff.format !== format) return false;
  return now.getTime() - (brokenOff.aliveUntil.getTime() - LEASE_MS) <= resumableForMs;
}

/** Returns null if another host has changed the dataset. */
async function addRecord(deps: RecordDeps, actor: Actor, { source, ...options }: Omit<NewImport, 'now'>) {
  const records = await deps.imports.listImportsOf(source.dataset);
  for (const old of records) {
    if (isImportAtWork(old, deps.clock.now())) throw createImportRunningError(source.dataset);
    // Only one import may run: checked ones are given up, too, and dead ones without a position.
    if (!canImportBeCleared(old) && !(await giveUpImportRecord(deps, old))) return null;
  }
  const rhythm = chooseRepeatRhythm(records, source, options);
  return deps.imports.addImport(makeImportRecord(actor, { source, ...rhythm, now: deps.clock.now() }));
}

/** Returns the numbers of the live imports, none of which is undone from here on: an undo reads the
 *  version of the newest one, which is raised here, before it looks for running imports. So it
 *  starts again and finds this one. */
async function holdLiveImports({ imports }: RecordDeps, dataset: string): Promise<ReadonlySet<number>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const live = (await imports.listLive()).filter((record) => record.dataset === dataset);
    const [newest] = await imports.listLiveOf(dataset, { skip: 0, limit: 1 });
    const numbers = new Set(live.map(({ number }) => number));
    // The lists are of different moments.
    if (newest?.number !== live.at(-1)?.number) continue;
    if (newest === undefined || (await changeImportRecord(imports, newest, {})) !== null) return numbers;
  }
  throw createImportChangedError();
}

/** The right to change the record of a running import, for as long as the process renews it. */
export type Lease = ReturnType<typeof holdLease>;

const RENEW_MS = 4_000;

/** Ends the work of a process whose import was stopped or taken over by another one. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Renews the lease of a running import. Saves run in turn, as each needs the last version. */
export function holdLease(deps: RecordDeps, begun: ImportRecord, onProblem: (error: unknown) => void) {
  let record = begun;
  let last: Promise<unknown> = Promise.resolve();
  const lost = new AbortController();
  const nowMs = () => deps.clock.now().getTime();

  async function saveNext(changes: Partial<ImportRecord>): Promise<ImportRecord> {
    if (lost.signal.aborted) throw new LeaseLost();
    const aliveUntil = new Date(nowMs() + LEASE_MS);
    const saved = await changeImportRecord(deps.imports, record, { aliveUntil, ...changes });
    if (saved === null) {
      lost.abort(new LeaseLost());
      throw new LeaseLost();
    }
    record = saved;
    return saved;
  }

  function save(changes: Partial<ImportRecord>): Promise<ImportRecord> {
    const saving = last.then(() => saveNext(changes));
    last = saving.catch(() => undefined);
    return saving;
  }

  const timer = setInterval(() => {
    // The next save of the run fails with LeaseLost, too.
    save({}).catch((error) => (error instanceof LeaseLost ? undefined : onProblem(error)));
  }, RENEW_MS);
  timer.unref();

  return {
    get record() {
      return record;
    },
    save,
    /** Throws LeaseLost if a write would come too late. */
    assertHeld(): void {
      if (lost.signal.aborted || record.aliveUntil.getTime() <= nowMs()) throw new LeaseLost();
    },
    /** It is aborted with LeaseLost once another process has changed the record. */
    lost: lost.signal,
    /** Stops renewing, and waits for running saves. */
    async release(): Promise<void> {
      clearInterval(timer);
      await last;
    },
  };
}
