import { type Actor, systemActor } from '#domain/admin';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import { type ImportSource, PositionLost } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import { dryRunSource } from './apply-source.ts';
import { type BegunImport, beginImport, holdLease } from './begin-import.ts';
import { clearAfterImport } from './clear.ts';
import { completeImport, makeStoppedImportOutcome } from './complete-import.ts';
import type { ImportOptions, ImportReport, ImportsDeps, StartOptions } from './import-records.ts';
import {
  changeImportRecord,
  createImportChangedError,
  createTooManyImportsError,
  getImportRecord,
  recordImport,
} from './import-records.ts';

export type ImportRuns = ReturnType<typeof createImportRuns>;

/** How long clearing goes on after `close`; the next import of the dataset clears the rest. */
const CLEAR_MS = 3_000;
const TRIES = 20;
/** Number of imports that are read at once: each takes a worker thread, memory, and time of the
 *  thread that answers requests. */
const READ_AT_ONCE = 2;
const MAX_WAITING = 20;
/** Number of times that a source is read anew because it has changed. */
const MAX_RESTARTS = 2;

export function createImportRuns(deps: ImportsDeps) {
  const state: RunsState = {
    deps,
    running: new Map(),
    background: new Set(),
    // `beginRun` limits how many wait.
    queue: limitConcurrency({ running: READ_AT_ONCE }),
    clearing: new AbortController(),
    isClosing: false,
  };
  return {
    /** Reads the source to its end and makes the import live. Waits while two other imports are
     *  read in this process. A broken-off import is resumed if its source is the same; if the
     *  source cannot resume there, that import ends and another one reads the source anew. Of equal
     *  parts the last one counts; parts of rejected rows stay. A stopped import (`stop`, `close` or
     *  the signal) is reported in the state `stopped`. A dry run writes nothing, and rejects with
     *  the signal's reason. Errors: IMPORT_RUNNING; IMPORTS_TOO_MANY if 20 wait; IMPORT_SHRINKS if
     *  everything that the source covers would go, or more than half of it and over 100 records;
     *  IMPORT_INVALID for another format; IMPORT_INVALID and SOURCE_UNAVAILABLE of the source. */
    async run(actor: Actor, source: ImportSource, options: ImportOptions = {}): Promise<ImportReport> {
      if (options.dryRun === true) return dryRunSource(deps, source, options);
      const task = { source, options };
      const begun = await beginRun(state, actor, task);
      return track(state, runImportToEnd(state, actor, begun, task));
    },
    /** Begins an import in the background. Errors: those of `run` before it reads. */
    async start(actor: Actor, source: ImportSource, options: StartOptions = {}): Promise<ImportRecord> {
      const task = { source, options };
      const begun = await beginRun(state, actor, task);
      track(state, runImportToEnd(state, actor, begun, task)).catch((error) => {
        if (!isRecorded(error)) deps.onProblem(error);
      });
      return begun.record;
    },
    /** Stops an import, also of another host, within seconds. It can be resumed from the same
     *  source, unless that was read to its end. Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE. */
    stop: (actor: Actor, id: string) => stopRun(state, actor, id),
    /** Tells whether the import has begun in this process, but waits until others are read. */
    isWaiting: (id: string) => state.running.get(id)?.isWaiting === true,
    /** Removes in the background what a finished import no longer needs. */
    clearBehind: (record: ImportRecord) => void track(state, clearAfterImportRun(state, record)),
    /** Stops the imports of this process, and waits until they have ended. */
    close: () => closeRuns(state),
  };
}

interface RunsState {
  readonly deps: ImportsDeps;
  readonly running: Map<string, RunningImport>;
  /** Imports with their follow-ups, and clearings; none of them rejects. */
  readonly background: Set<Promise<unknown>>;
  readonly queue: RunLimited;
  /** It is aborted when clearing has to end. */
  readonly clearing: AbortController;
  isClosing: boolean;
}

interface RunningImport {
  readonly stopper: AbortController;
  stoppedBy: Actor | null;
  isWaiting: boolean;
  /** Resolves when the import has ended; never rejects. */
  ended: Promise<unknown>;
}

type Task = { readonly source: ImportSource; readonly options: ImportOptions };

async function beginRun({ deps, running }: RunsState, actor: Actor, task: Task): Promise<BegunImport> {
  if (running.size >= READ_AT_ONCE + MAX_WAITING) throw createTooManyImportsError();
  return beginImport(deps, actor, task.source, task.options);
}

async function runImportToEnd(state: RunsState, actor: Actor, begun: BegunImport, task: Task): Promise<ImportReport> {
  try {
    return await runWithRestarts(state, actor, begun, task);
  } finally {
    await task.options.onEnd?.().catch(state.deps.onProblem);
  }
}

/** Runs an import, and reads the source anew as another import if it cannot resume. */
async function runWithRestarts(state: RunsState, actor: Actor, begun: BegunImport, task: Task): Promise<ImportReport> {
  let next = begun;
  for (let restarts = 0; ; restarts++) {
    try {
      return await runImportOnce(state, actor, next, task);
    } catch (error) {
      if (!(error instanceof PositionLost)) throw error;
      if (restarts === MAX_RESTARTS || state.isClosing)
        throw new AppError(
          'SOURCE_UNAVAILABLE',
          `${task.source.title} keeps changing while it is read. Nothing was changed; import it again later.`,
          { cause: error },
        );
      next = await beginImport(state.deps, actor, task.source, task.options);
    }
  }
}

async function runImportOnce(state: RunsState, actor: Actor, begun: BegunImport, { source, options }: Task) {
  const { deps, running, queue } = state;
  const { id } = begun.record;
  const entry: RunningImport = {
    stopper: new AbortController(),
    stoppedBy: null,
    isWaiting: false,
    ended: Promise.resolve(),
  };
  const onWait = () => {
    entry.isWaiting = true;
    source.freeMemory?.();
  };
  const work = completeImport(deps, actor, {
    begun,
    source,
    options,
    lease: holdLease(deps, begun.record, deps.onProblem),
    stopSignal: entry.stopper.signal,
    stoppedBy: () => entry.stoppedBy,
    clear: (record) => clearAfterImportRun(state, record),
    runInQueue: (job, signal) =>
      queue(
        () => {
          entry.isWaiting = false;
          return job();
        },
        { signal, onWait },
      ),
  }).finally(() => running.delete(id));
  entry.ended = work.catch(() => undefined);
  running.set(id, entry);
  if (state.isClosing) stopHere(entry, systemActor);
  return work;
}

/** Registers work until it ends, so that `close` can wait for it. */
function track<T>({ background }: RunsState, work: Promise<T>): Promise<T> {
  const tracked = work.catch(() => undefined).finally(() => background.delete(tracked));
  background.add(tracked);
  return work;
}

async function clearAfterImportRun({ deps, clearing }: RunsState, record: ImportRecord): Promise<void> {
  await clearAfterImport(deps.imports, record, clearing.signal).catch((error) => {
    if (!clearing.signal.aborted) deps.onProblem(error);
  });
}

async function stopRun(state: RunsState, actor: Actor, id: string): Promise<ImportRecord> {
  const entry = state.running.get(id);
  if (entry === undefined) return stopInStore(state, actor, id);
  await stopHere(entry, actor);
  const record = await getImportRecord(state.deps.imports, id);
  // The import was read to its end before the signal reached it.
  return record.state === 'checked' ? stopInStore(state, actor, id) : record;
}

function stopHere(entry: RunningImport, actor: Actor): Promise<unknown> {
  entry.stoppedBy ??= actor;
  entry.stopper.abort();
  return entry.ended;
}

/** Stops an import that no run of this process holds: the host that runs it loses its lease. */
async function stopInStore(state: RunsState, actor: Actor, id: string): Promise<ImportRecord> {
  const { imports, audit, clock } = state.deps;
  for (let tries = 0; tries < TRIES; tries++) {
    const record = await getImportRecord(imports, id);
    if (record.state !== 'running' && record.state !== 'checked') break;
    const canResume = record.state === 'running' && record.fingerprint !== null;
    const position = canResume ? record.position : null;
    const outcome = { ...makeStoppedImportOutcome(actor), endedAt: clock.now(), position };
    const stopped = await changeImportRecord(imports, record, outcome);
    if (stopped === null) continue;
    await recordImport(audit, actor, 'import.stopped', stopped);
    if (record.state === 'checked') track(state, clearAfterImportRun(state, stopped));
    return stopped;
  }
  throw createImportChangedError();
}

async function closeRuns(state: RunsState): Promise<void> {
  state.isClosing = true;
  const timer = setTimeout(() => state.clearing.abort(), CLEAR_MS);
  for (const entry of state.running.values()) stopHere(entry, systemActor);
  await Promise.all(state.background);
  clearTimeout(timer);
}

/** Tells whether the record of the import shows the error to people, so that the log need not. */
function isRecorded(error: unknown): boolean {
  const codes = ['IMPORT_INVALID', 'IMPORT_SHRINKS', 'IMPORT_RUNNING', 'SOURCE_UNAVAILABLE'];
  return error instanceof AppError && codes.includes(error.code);
}
