import { type Actor, systemActor } from '#domain/admin';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import { type ImportSource, PositionLost } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import { type BegunImport, beginImport } from './begin.ts';
import { clearBehind } from './clear.ts';
import { dryRun } from './dry-run.ts';
import type { ImportOptions, ImportReport, ImportsDeps, StartOptions } from './import-options.ts';
import {
  changeImport,
  createImportChangedError,
  createTooManyImportsError,
  getImport,
  recordStop,
} from './import-records.ts';
import { holdLease } from './lease.ts';
import { makeStoppedOutcome, runImport } from './run-import.ts';

/** Runs imports in this process. */
export interface RunsOfImports {
  /** Reads the source to its end and makes it count. It waits while two others read in this process. One that was broken off is resumed where the source is still the
   *  same. Where it is stopped, by `stop`, `close` or the signal, the report has the record in the state `stopped`.
   *  Where the source cannot go on from there, that import ends, and another one reads it anew. Of parts that the source gives
   *  twice, the last one counts; parts of rejected rows stay as they were.
   *  Errors: IMPORT_RUNNING; IMPORTS_TOO_MANY where 20 wait; IMPORT_SHRINKS where all that the dataset has of what the source covers would go, or more than half of
   *  it and more than 100 records; IMPORT_INVALID where the dataset is of another format; IMPORT_INVALID and SOURCE_UNAVAILABLE of
   *  the source. A dry run writes nothing, and rejects with the signal's reason. */
  run(actor: Actor, source: ImportSource, options?: ImportOptions): Promise<ImportReport>;
  /** Begins it and gives the record at once; it goes on in the background, and the record says how it stands.
   *  Errors: IMPORT_RUNNING; IMPORTS_TOO_MANY; IMPORT_INVALID where the dataset is of another format. */
  start(actor: Actor, source: ImportSource, options?: StartOptions): Promise<ImportRecord>;
  /** Stops it; the same source can be resumed later, unless it was read to its end. An import that another host runs ends there within seconds.
   *  Errors: IMPORT_UNKNOWN; CHANGED_MEANWHILE where it neither runs nor waits to be accepted. */
  stop(actor: Actor, id: string): Promise<ImportRecord>;
  /** Whether it is begun in this process, but other imports are read first. */
  isWaiting(id: string): boolean;
  /** Stops the imports of this process, and waits until they have ended. */
  close(): Promise<void>;
}

interface ImportRuns extends RunsOfImports {
  /** Clears in the background what a finished import has left. */
  clearBehind(record: ImportRecord): void;
}

/** An import that this process works on. */
interface RunningImport {
  readonly stopper: AbortController;
  /** Who stopped it here. */
  stoppedBy: Actor | null;
  isWaiting: boolean;
  /** Settles when it has ended; never rejects. */
  ended: Promise<unknown>;
}

/** What is to be imported, and how. */
interface Task {
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

/** How long clearing goes on after `close`; the next import of the dataset clears the rest. */
const CLEAR_MS = 3_000;

const TRIES = 20;

/** Each takes a thread, memory and its turns on the thread that answers. */
const READ_AT_ONCE = 2;
const MOST_WAITING = 20;

/** A source that changes more often than this while it is read is given up. */
const MAX_RESTARTS = 2;

export function createImportRuns(deps: ImportsDeps): ImportRuns {
  const { imports, clock, audit, onProblem } = deps;
  const running = new Map<string, RunningImport>();
  /** Imports with their follow-ups, and clearings; none of them rejects. */
  const working = new Set<Promise<unknown>>();
  const closing = new AbortController();
  // How many wait is limited before they begin.
  const limited = limitConcurrency({ running: READ_AT_ONCE });
  let isClosing = false;

  async function workOn(actor: Actor, begun: BegunImport, { source, options }: Task): Promise<ImportReport> {
    const { id } = begun.record;
    const own: RunningImport = {
      stopper: new AbortController(),
      stoppedBy: null,
      isWaiting: false,
      ended: Promise.resolve(),
    };
    const onWait = () => {
      own.isWaiting = true;
      source.rest?.();
    };
    const inTurn = <T>(job: () => Promise<T>, signal: AbortSignal) =>
      limited(
        () => {
          own.isWaiting = false;
          return job();
        },
        { signal, onWait },
      );
    const lease = holdLease(deps, begun.record, onProblem);
    const run = {
      begun,
      source,
      options,
      lease,
      stopped: own.stopper.signal,
      stoppedBy: () => own.stoppedBy,
      inTurn,
    };
    const work = runImport({ ...deps, clearAfter }, actor, run).finally(() => running.delete(id));
    own.ended = work.catch(() => undefined);
    running.set(id, own);
    if (isClosing) stopHere(own, systemActor);
    return work;
  }

  /** Errors: IMPORTS_TOO_MANY; those of `beginImport`. */
  async function begin(actor: Actor, { source, options }: Task): Promise<BegunImport> {
    if (running.size >= READ_AT_ONCE + MOST_WAITING) throw createTooManyImportsError();
    return beginImport(deps, actor, source, options);
  }

  async function workThrough(actor: Actor, begun: BegunImport, task: Task): Promise<ImportReport> {
    try {
      return await workOnOrAnew(actor, begun, task);
    } finally {
      await task.options.onEnd?.().catch(onProblem);
    }
  }

  /** Reads the source anew where it cannot go on from its position. */
  async function workOnOrAnew(actor: Actor, begun: BegunImport, task: Task): Promise<ImportReport> {
    let next = begun;
    for (let restarts = 0; ; restarts++) {
      try {
        return await workOn(actor, next, task);
      } catch (error) {
        if (!(error instanceof PositionLost)) throw error;
        if (restarts === MAX_RESTARTS || isClosing) throw restless(task.source, error);
        next = await beginImport(deps, actor, task.source, task.options);
      }
    }
  }

  function keep<T>(work: Promise<T>): Promise<T> {
    const kept = work.catch(() => undefined).finally(() => working.delete(kept));
    working.add(kept);
    return work;
  }

  async function clearAfter(record: ImportRecord): Promise<void> {
    await clearBehind(imports, record, closing.signal).catch((error) => {
      if (!closing.signal.aborted) onProblem(error);
    });
  }

  async function stopElsewhere(actor: Actor, id: string): Promise<ImportRecord> {
    for (let tried = 0; tried < TRIES; tried++) {
      const record = await getImport(imports, id);
      if (record.state !== 'running' && record.state !== 'checked') throw createImportChangedError();
      const canGoOn = record.state === 'running' && record.fingerprint !== null;
      const position = canGoOn ? record.position : null;
      const stopped = await changeImport(imports, record, {
        ...makeStoppedOutcome(actor),
        endedAt: clock.now(),
        position,
      });
      if (stopped === null) continue;
      await recordStop(audit, actor, stopped);
      if (record.state === 'checked') keep(clearAfter(stopped));
      return stopped;
    }
    throw createImportChangedError();
  }

  function stopHere(own: RunningImport, actor: Actor): Promise<unknown> {
    own.stoppedBy ??= actor;
    own.stopper.abort();
    return own.ended;
  }

  return {
    async run(actor, source, options = {}) {
      if (options.dryRun === true) return dryRun(deps, source, options);
      const begun = await begin(actor, { source, options });
      return keep(workThrough(actor, begun, { source, options }));
    },
    async start(actor, source, options = {}) {
      const begun = await begin(actor, { source, options });
      keep(workThrough(actor, begun, { source, options })).catch((error) => {
        if (!isForPeople(error)) onProblem(error);
      });
      return begun.record;
    },
    async stop(actor, id) {
      const own = running.get(id);
      if (own === undefined) return stopElsewhere(actor, id);
      await stopHere(own, actor);
      const record = await getImport(imports, id);
      // It was read to its end before, and only what others had left was cleared.
      return record.state === 'checked' ? stopElsewhere(actor, id) : record;
    },
    isWaiting: (id) => running.get(id)?.isWaiting === true,
    clearBehind(record) {
      keep(clearAfter(record));
    },
    async close() {
      isClosing = true;
      const timer = setTimeout(() => closing.abort(), CLEAR_MS);
      for (const own of running.values()) stopHere(own, systemActor);
      await Promise.all(working);
      clearTimeout(timer);
    },
  };
}

/** Errors that the record shows to people. */
function isForPeople(error: unknown): boolean {
  const codes = ['IMPORT_INVALID', 'IMPORT_SHRINKS', 'IMPORT_RUNNING', 'SOURCE_UNAVAILABLE'];
  return error instanceof AppError && codes.includes(error.code);
}

function restless({ title }: ImportSource, cause: unknown): AppError {
  return new AppError(
    'SOURCE_UNAVAILABLE',
    `${title} changes while it is read, so that reading cannot go on. Nothing was changed; import it again later.`,
    { cause },
  );
}
