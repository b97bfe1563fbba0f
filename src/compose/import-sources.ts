import { Worker } from 'node:worker_threads';
import { listImportColumns, nameDataset } from '#adapters/catalog/open-import-source';
import { nameWebSource } from '#adapters/catalog/web/web-names';
import type { OutboundOptions } from '#adapters/remote/outbound';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError, type AppErrorOptions, type ErrorCode } from '#errors';
import {
  type ImportItem,
  type ImportRequest,
  type ImportSource,
  type ImportSources,
  PositionLost,
} from '#ports/imports';
import { createTooManyImportsError } from '#services/catalogue/imports/import-records';

/** Options of outbound calls; they are copied into the thread. */
export type SourceOutbound = Omit<OutboundOptions, 'lookup'>;

/** The task of a thread. */
export interface SourceTask {
  readonly request: ImportRequest;
  readonly outbound: SourceOutbound;
  /** Interval of its messages that it still runs. */
  readonly aliveMs: number;
}

/** Properties of a source before it is read. */
export type SourceProperties = Omit<ImportSource, 'read' | 'rest' | 'close'>;

/** A message from a thread. */
export type SourceMessage =
  | { readonly kind: 'opened'; readonly facts: SourceProperties }
  | { readonly kind: 'item'; readonly item: ImportItem }
  | { readonly kind: 'end'; readonly covers: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ThreadError }
  /** It calls this address. */
  | { readonly kind: 'at'; readonly place: string }
  /** It still runs. */
  | { readonly kind: 'alive' };

/** A message to a thread whose source is open: to begin reading as `ImportSource.read` does, or to
 *  go on. */
export type NextItem = { readonly after: string | null } | 'next';

/** An error as a message between threads, which cannot transfer classes. */
export type ThreadError = { readonly cause?: ThreadError } & (
  | (Omit<AppErrorOptions, 'cause'> & { readonly code: ErrorCode; readonly message: string })
  | { readonly lost: string }
  | { readonly unforeseen: { readonly message: string; readonly stack?: string; readonly code?: unknown } }
);

/** As many causes as the log shows; an error may be its own cause. */
const MAX_CAUSES = 5;

export function toThreadError(error: unknown, causesLeft = MAX_CAUSES): ThreadError {
  if (error instanceof PositionLost) return { lost: error.message };
  const { cause: inner } = error instanceof Error ? error : {};
  const cause = inner === undefined || causesLeft === 0 ? {} : { cause: toThreadError(inner, causesLeft - 1) };
  if (!(error instanceof AppError)) {
    const { message = String(error), stack = '' } = error instanceof Error ? error : {};
    const { code } = Object(error) as { readonly code?: unknown };
    return { unforeseen: { message, stack, ...(typeof code === 'string' && { code }) }, ...cause };
  }
  const { code, message, problems, retryAfterSeconds, data } = error;
  const fields = { code, message, problems, data, ...cause };
  return { ...fields, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

export function fromThreadError(error: ThreadError): unknown {
  if ('lost' in error) return new PositionLost(error.lost);
  const cause = error.cause === undefined ? {} : { cause: fromThreadError(error.cause) };
  if ('unforeseen' in error) return Object.assign(new Error(error.unforeseen.message, cause), error.unforeseen);
  return new AppError(error.code, error.message, { ...error, ...cause });
}

/** Limits of a thread. */
export interface ThreadLimits {
  readonly memoryMb: number;
  /** Longest time without a message, while one record keeps it busy. */
  readonly maxSilenceMs: number;
}

/** Limits of threads that open a source; those that read one are limited by the running imports. */
const OPENED_AT_ONCE = 2;
const MOST_TO_OPEN = 20;

const usualLimits: ThreadLimits = { memoryMb: 1_024, maxSilenceMs: 60_000 };

/** Opens and reads each source in a thread of its own, so that requests are answered whatever it
 *  contains. A thread is ended when its objects take more than 1 GB, when one record keeps it busy
 *  for a minute, with its source, or with `close`. */
export function createThreadedSources(
  outbound: SourceOutbound,
  limits = usualLimits,
): ImportSources & { close(): Promise<void> } {
  const threads = new Set<SourceThread>();
  const inTurn = limitConcurrency({
    running: OPENED_AT_ONCE,
    waiting: MOST_TO_OPEN,
    tooMany: createTooManyImportsError,
  });
  const openThread = async (request: ImportRequest): Promise<OpenedThread> => {
    const task = { request, outbound, aliveMs: limits.maxSilenceMs / 10 };
    const thread = startThread(task, limits, () => threads.delete(thread));
    threads.add(thread);
    return { thread, facts: await thread.open() };
  };
  return {
    async open(request) {
      const opened = await inTurn(() => openThread(request));
      return toSource(opened, () => openThread(request));
    },
    listColumns: listImportColumns,
    nameDataset,
    async close() {
      for (const thread of threads) thread.end();
    },
  };
}

interface OpenedThread {
  readonly thread: SourceThread;
  readonly facts: SourceProperties;
}

function toSource(first: OpenedThread, openAnew: () => Promise<OpenedThread>): ImportSource {
  const { facts } = first;
  let { covers } = facts;
  let { thread } = first;
  let isResting = false;

  async function wake(): Promise<void> {
    if (!isResting) return;
    const opened = await openAnew();
    [thread, isResting] = [opened.thread, false];
    if (opened.facts.fingerprint === facts.fingerprint) return;
    thread.end();
    throw new AppError(
      'IMPORT_INVALID',
      `${facts.title} has changed while it waited. Nothing was changed; import it again.`,
    );
  }

  return {
    ...facts,
    get covers() {
      return covers;
    },
    async *read({ after, signal }) {
      signal.throwIfAborted();
      await wake();
      if (signal.aborted) thread.end(signal.reason);
      const stop = () => thread.end(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        let message = await thread.next({ after });
        for (; message.kind === 'item'; message = await thread.next('next')) yield message.item;
        covers = message.covers;
        thread.end();
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    rest() {
      isResting = true;
      thread.end();
    },
    close() {
      isResting = false;
      thread.end();
    },
  };
}

/** Intervals in which the time without a message is counted. */
const TURNS = 4;

type Reply = Exclude<SourceMessage, { kind: 'at' | 'alive' }>;

type SourceThread = ReturnType<typeof startThread>;

function startThread(task: SourceTask, { memoryMb, maxSilenceMs }: ThreadLimits, onEnd: () => void) {
  const worker = new Worker(new URL('./import-worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let place = nameWebSource(task.request);
  let ended: { readonly reason: unknown } | null = null;
  let settle: ((message: Reply | null) => void) | null = null;
  const watchdog = startWatchdog(maxSilenceMs, () =>
    end(createLimitError(place, `kept its reader busy for ${maxSilenceMs / 1_000} s`)),
  );

  function end(reason: unknown): void {
    ended ??= { reason };
    watchdog.stop();
    settle?.(null);
    void worker.terminate();
    onEnd();
  }

  worker.on('message', (message: SourceMessage) => {
    watchdog.reset();
    if (message.kind === 'at') place = message.place;
    else if (message.kind !== 'alive') settle?.(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    end(isTooLarge ? createLimitError(place, `takes more than ${memoryMb} MB of memory to read`) : error);
  });
  worker.on('exit', () => end(new Error('the thread of a source has ended')));

  const receive = async (): Promise<Exclude<Reply, { kind: 'failed' }>> => {
    const message = ended ? null : await new Promise<Reply | null>((done) => (settle = done));
    if (message === null) throw ended?.reason;
    if (message.kind === 'failed') throw fromThreadError(message.error);
    return message;
  };
  return {
    /** The thread ends where this fails. Errors: those of opening a source, and of `next`. */
    async open(): Promise<SourceProperties> {
      try {
        const message = await receive();
        if (message.kind === 'opened') return message.facts;
        throw new Error('a source told of items before it was open');
      } catch (error) {
        end(error);
        throw error;
      }
    },
    /** Errors: those of reading a source; IMPORT_INVALID where the thread exceeded its limits; the
     *  reason of `end`. */
    async next(next: NextItem): Promise<Extract<SourceMessage, { kind: 'item' | 'end' }>> {
      worker.postMessage(next);
      const message = await receive();
      if (message.kind === 'opened') throw new Error('a source was opened twice');
      return message;
    },
    /** @param reason the error of a pending call */
    end: (reason: unknown = new Error('the reading was ended')) => end(reason),
  };
}

/** Reports silence once it lasts longer than `maxSilenceMs`. It is counted in intervals, as
 *  messages that arrive while this thread is busy are read only after it. The time before the first
 *  message is not counted: the worker loads its code then. */
function startWatchdog(maxSilenceMs: number, onSilence: () => void) {
  let silentTurns = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    silentTurns += 1;
    if (silentTurns > TURNS) onSilence();
  }, maxSilenceMs / TURNS);
  return {
    reset() {
      silentTurns = 0;
    },
    stop: () => clearInterval(timer),
  };
}

function createLimitError(place: string, what: string): AppError {
  return new AppError(
    'IMPORT_INVALID',
    `${place} ${what}: it may be broken, or be meant to do harm. Nothing of it was imported; look at it, and import a smaller or sound one.`,
  );
}
