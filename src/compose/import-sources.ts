import { listImportColumns, nameImportDataset } from '#adapters/catalog/open-import-source';
import { nameWebSource } from '#adapters/catalog/web/location';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import type { OutboundOptions } from '#adapters/remote/outbound';
import { readSystemVariables } from '#config';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError, type AppErrorOptions, type ErrorCode } from '#errors';
import type { ImportItem, ImportRequest, ImportSource, ImportSources } from '#ports/imports';
import { PositionLost } from '#ports/imports';
import { createTooManyImportsError } from '#services/catalogue/imports/import-records';

export type SourceOutbound = Omit<OutboundOptions, 'lookup'>;

export interface SourceTask {
  readonly request: ImportRequest;
  readonly outbound: SourceOutbound;
  /** Interval of the messages that the process still runs. */
  readonly aliveMs: number;
}

type SourceProperties = Omit<ImportSource, 'read' | 'freeMemory' | 'close'>;

export type SourceMessage =
  | { readonly kind: 'opened'; readonly facts: SourceProperties }
  | { readonly kind: 'items'; readonly items: readonly ImportItem[] }
  | { readonly kind: 'end'; readonly covers: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ProcessError }
  | { readonly kind: 'at'; readonly place: string }
  | { readonly kind: 'alive' };

/** A message to a process with an open source: begin to read after a position, or go on. */
export type NextItems = { readonly after: string | null } | 'next';

/** An error as a message between processes, which cannot transfer classes. */
type ProcessError = { readonly cause?: ProcessError } & (
  | (Omit<AppErrorOptions, 'cause'> & { readonly code: ErrorCode; readonly message: string })
  | { readonly lost: string }
  | { readonly unforeseen: { readonly message: string; readonly stack?: string; readonly code?: unknown } }
);

/** The log shows no more causes, and an error may be its own cause. */
const MAX_CAUSES = 5;

export function toProcessError(error: unknown, causesLeft = MAX_CAUSES): ProcessError {
  if (error instanceof PositionLost) return { lost: error.message };
  const { cause: inner } = error instanceof Error ? error : {};
  const cause = inner === undefined || causesLeft === 0 ? {} : { cause: toProcessError(inner, causesLeft - 1) };
  if (!(error instanceof AppError)) {
    const { message = String(error), stack = '' } = error instanceof Error ? error : {};
    const { code } = Object(error) as { readonly code?: unknown };
    return { unforeseen: { message, stack, ...(typeof code === 'string' && { code }) }, ...cause };
  }
  const { code, message, problems, retryAfterSeconds, data } = error;
  const fields = { code, message, problems, data, ...cause };
  return { ...fields, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

export function fromProcessError(error: ProcessError): unknown {
  if ('lost' in error) return new PositionLost(error.lost);
  const cause = error.cause === undefined ? {} : { cause: fromProcessError(error.cause) };
  if ('unforeseen' in error) return Object.assign(new Error(error.unforeseen.message, cause), error.unforeseen);
  return new AppError(error.code, error.message, { ...error, ...cause });
}

export interface ReaderLimits {
  /** Memory of the objects of the process; buffers and code take up to `EXTRA_MB` more. */
  readonly memoryMb: number;
  /** Longest time without a message, while one record keeps the process busy. */
  readonly maxSilenceMs: number;
}

/** Processes that open a source at once; the limit of imports also limits those that read one. */
const OPENED_AT_ONCE = 2;
const MAX_TO_OPEN = 20;
/** Enough to read a workbook of 64 MB with parts of 128 MB. */
const EXTRA_MB = 512;
const usualLimits: ReaderLimits = { memoryMb: 1_024, maxSilenceMs: 60_000 };

/** Reads each source in a process, so that requests are answered whatever it contains: some texts
 *  and arrays end a process, and a thread would take the host with it. A process is ended when its
 *  objects take over 1 GB, when one record takes a minute, with its source, or with `close`. */
export function createIsolatedSources(
  outbound: SourceOutbound,
  limits = usualLimits,
): ImportSources & { close(): Promise<void> } {
  const readers = new Set<SourceReader>();
  const inTurn = limitConcurrency({
    running: OPENED_AT_ONCE,
    waiting: MAX_TO_OPEN,
    tooMany: createTooManyImportsError,
  });
  const openReader = async (request: ImportRequest): Promise<OpenedReader> => {
    const task = { request, outbound, aliveMs: limits.maxSilenceMs / 10 };
    const reader = startReader(task, limits, () => readers.delete(reader));
    readers.add(reader);
    return { reader, facts: await openSourceInReader(reader) };
  };
  return {
    async open(request) {
      const opened = await inTurn(() => openReader(request));
      return toIsolatedSource(opened, () => openReader(request));
    },
    listColumns: listImportColumns,
    nameDataset: nameImportDataset,
    async close() {
      for (const reader of readers) reader.end();
    },
  };
}

type OpenedReader = { readonly reader: SourceReader; readonly facts: SourceProperties };

function toIsolatedSource(first: OpenedReader, openAnew: () => Promise<OpenedReader>): ImportSource {
  const { facts } = first;
  let { covers } = facts;
  let { reader } = first;
  let isResting = false;

  async function wake(): Promise<void> {
    if (!isResting) return;
    const opened = await openAnew();
    reader = opened.reader;
    isResting = false;
    if (opened.facts.fingerprint === facts.fingerprint) return;
    reader.end();
    throw new AppError(
      'IMPORT_INVALID',
      `${facts.title} changed while it was waiting. Nothing was changed; import it again.`,
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
      if (signal.aborted) reader.end(signal.reason);
      const stop = () => reader.end(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        let message = await readNextSourceMessage(reader, { after });
        for (; message.kind === 'items'; message = await readNextSourceMessage(reader, 'next')) yield* message.items;
        covers = message.covers;
        reader.end();
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    freeMemory() {
      isResting = true;
      reader.end();
    },
    close() {
      isResting = false;
      reader.end();
    },
  };
}

/** Intervals in which the time without a message is counted. */
const TURNS = 4;

type Reply = Exclude<SourceMessage, { kind: 'at' | 'alive' }>;

interface SourceReader {
  readonly send: (message: SourceTask | NextItems) => void;
  /** Ends the process, if it still runs. @param reason the error of a pending call */
  end(reason?: unknown): void;
  /** Why it ended; null while it runs. */
  ended: { readonly reason: unknown } | null;
  /** Receives the next reply, or null at the end; null while nobody waits. */
  settle: ((message: Reply | null) => void) | null;
}

function startReader(task: SourceTask, { memoryMb, maxSilenceMs }: ReaderLimits, onEnd: () => void): SourceReader {
  const memory = { heapMb: memoryMb, maxBytes: (memoryMb + EXTRA_MB) * 1024 ** 2 };
  const child = startLimitedProcess(new URL('./import-worker.js', import.meta.url), memory, readSystemVariables());
  let place = nameWebSource(task.request);
  const watchdog = startSourceWatchdog(maxSilenceMs, () =>
    reader.end(createSourceLimitError(place, `kept its reader busy for ${maxSilenceMs / 1_000} s`)),
  );
  const reader: SourceReader = {
    send: (message) => child.send(message, (error) => error && reader.end(error)),
    end(reason = new Error('the reading was ended')) {
      reader.ended ??= { reason };
      watchdog.stop();
      reader.settle?.(null);
      child.kill('SIGKILL');
      onEnd();
    },
    ended: null,
    settle: null,
  };
  child.on('message', (message: SourceMessage) => {
    watchdog.reset();
    if (message.kind === 'at') place = message.place;
    else if (message.kind !== 'alive') reader.settle?.(message);
  });
  child.on('error', (error) => reader.end(error));
  // V8 and the memory limit end the process by a signal.
  child.on('exit', (_code, signal) => {
    const tooLarge = createSourceLimitError(place, `takes more than ${memoryMb} MB of memory to read`);
    reader.end(signal === null ? new Error('the process of a source has ended') : tooLarge);
  });
  reader.send(task);
  return reader;
}

async function receiveSourceReply(reader: SourceReader): Promise<Exclude<Reply, { kind: 'failed' }>> {
  const message = reader.ended ? null : await new Promise<Reply | null>((done) => (reader.settle = done));
  if (message === null) throw reader.ended?.reason;
  if (message.kind === 'failed') throw fromProcessError(message.error);
  return message;
}

/** Waits until the source is open; if that fails, ends the process and throws its error. */
async function openSourceInReader(reader: SourceReader): Promise<SourceProperties> {
  try {
    const message = await receiveSourceReply(reader);
    if (message.kind === 'opened') return message.facts;
    throw new Error('a source sent items before it was open');
  } catch (error) {
    reader.end(error);
    throw error;
  }
}

/** Errors: those of reading a source; IMPORT_INVALID beyond the limits; the reason of `end`. */
async function readNextSourceMessage(
  reader: SourceReader,
  next: NextItems,
): Promise<Extract<SourceMessage, { kind: 'items' | 'end' }>> {
  reader.send(next);
  const message = await receiveSourceReply(reader);
  if (message.kind === 'opened') throw new Error('a source was opened twice');
  return message;
}

/** Reports silence beyond `maxSilenceMs`, in intervals: a busy host reads messages late. */
function startSourceWatchdog(maxSilenceMs: number, onSilence: () => void) {
  // Silence counts from the first message, as a process may take long to start.
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

function createSourceLimitError(place: string, excess: string): AppError {
  return new AppError(
    'IMPORT_INVALID',
    `${place} ${excess}: it may be damaged or malicious. None of it was imported; check it, and import a smaller or intact one.`,
  );
}
