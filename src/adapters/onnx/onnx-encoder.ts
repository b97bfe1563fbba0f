import { AppError } from '../../errors.ts';
import type { Encoder, EncoderModel } from '../../ports/encoder.ts';
import { createEncodeQueue, type QueuedItem } from './encode-queue.ts';
import { type EncodeThread, type StartEncodeThread, startEncodeThread } from './encode-thread.ts';
import { toEncoderModel } from './manifest.ts';
import {
  createFolderError,
  createMissingError,
  createOverloadError,
  createUnavailableError,
} from './model-errors.ts';
import { findModel, type InstalledModel, stampModel } from './model-folders.ts';
import { startWaiting } from './waiting.ts';

export interface OnnxEncoderOptions {
  /** Of the installed models. */
  readonly folder: string;
  /** Name of the one to use; the latest when absent. */
  readonly wanted?: string | undefined;
  /** That work on one text together; 1 by default, as two took twice the time on two cores with something else to do. */
  readonly threads?: number;
  /** How long somebody waits at most; 150 by default. Background work waits as long as it takes. */
  readonly deadlineMs?: number;
  /** How often the folder is looked at; 5,000 by default. */
  readonly lookMs?: number;
  /** How long a batch may take before its thread counts as stuck; 60,000 by default. */
  readonly batchMs?: number;
  /** The first of the pauses before another try, which double up to five minutes; 1,000 by default. */
  readonly pauseMs?: number;
  readonly startThread?: StartEncodeThread;
  /** Told of a model that cannot be used, once for each state that it is in. */
  onProblem(error: unknown): void;
}

export interface OnnxEncoder extends Encoder {
  /** Name of the model that is there, also while it is loaded, or cannot be used. */
  readonly found: string | null;
  /** Why it cannot be used; null where it can, or there is none and none was asked for. */
  readonly problem: AppError | null;
}

const MAX_PAUSE_MS = 300_000;
/** Texts that may wait. */
const MAX_WAITING = { foreground: 1_000, background: 10_000 } as const;

interface Running {
  readonly model: EncoderModel;
  readonly thread: EncodeThread;
}

/** A model of a folder, run in a thread of its own. It is loaded at once, beside everything else, and followed: a model that is
 *  installed, changed or removed while the host runs is taken up or given up within some seconds, and a thread that died is started
 *  again after a pause that grows. What comes while it is busy goes together in the next batch. */
export function createOnnxEncoder(options: OnnxEncoderOptions): OnnxEncoder {
  const { folder, wanted, threads = 1, deadlineMs = 150, lookMs = 5_000, batchMs = 60_000 } = options;
  const { pauseMs: firstPauseMs = 1_000, startThread = startEncodeThread, onProblem } = options;
  const queue = createEncodeQueue();
  let running: Running | null = null;
  let name: string | null = null;
  let problem: AppError | null = null;
  let isBusy = false;
  const closing = new AbortController();
  /** State of the folder that was last acted upon. */
  let stamp = '';
  let pauseMs = firstPauseMs;
  let notBefore = 0;
  let looking: Promise<void> | null = null;

  const timer = setInterval(look, lookMs).unref();
  let again: NodeJS.Timeout | undefined;
  look();

  function look(): void {
    looking ??= follow()
      .catch(failToLook)
      .finally(() => {
        looking = null;
      });
  }

  async function follow(): Promise<void> {
    if (closing.signal.aborted) return;
    const found = findModel(folder, wanted);
    const now = found === null ? 'none' : stampModel(found);
    if (now !== stamp) {
      await giveUp();
      [stamp, pauseMs, notBefore, problem] = [now, firstPauseMs, 0, null];
      name = found?.name ?? null;
      if (found === null && wanted !== undefined && wanted !== 'none') refuse(createMissingError(wanted));
    }
    if (found !== null && running === null && performance.now() >= notBefore) await take(found);
  }

  /** A model that runs does not need its folder: the next look may see it again. */
  function failToLook(cause: unknown): void {
    if (running !== null) return;
    fail(createFolderError(folder, cause));
    // What is seen next is taken up as if it were new, which ends the problem.
    stamp = '';
  }

  async function take(found: InstalledModel): Promise<void> {
    try {
      if (found.manifest === null) throw found.problem;
      const thread = await startThread({ folder: found.folder, threads }, closing.signal);
      running = { model: toEncoderModel(found.manifest), thread };
      problem = null;
      void thread.ended.then(() => lose(thread, new Error('the thread of the model has ended')));
      run();
    } catch (error) {
      fail(error);
    }
  }

  function refuse(error: unknown): void {
    const isNew = problem === null;
    problem = toModelError(error);
    if (isNew) onProblem(problem);
    rejectAll();
  }

  /** It is tried again later: what is missing may be installed by then. */
  function fail(error: unknown): void {
    if (closing.signal.aborted) return;
    refuse(error);
    notBefore = performance.now() + pauseMs;
    clearTimeout(again);
    again = setTimeout(look, pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }

  function lose(thread: EncodeThread, error: unknown): void {
    if (running?.thread !== thread) return;
    running = null;
    fail(error);
  }

  async function giveUp(): Promise<void> {
    const { thread } = running ?? {};
    running = null;
    rejectAll();
    await thread?.end();
  }

  function rejectAll(): void {
    for (const item of queue.takeAll()) item.fail(createUnavailableError(problem));
  }

  async function run(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    // What comes in the same moment goes together.
    await new Promise(setImmediate);
    for (let batch = takeBatch(); batch !== null; batch = takeBatch())
      await encodeBatch(batch.thread, batch.items);
    isBusy = false;
  }

  function takeBatch() {
    if (running === null) return null;
    const items = queue.take();
    return items.length === 0 ? null : { thread: running.thread, items };
  }

  async function encodeBatch(thread: EncodeThread, batch: readonly QueuedItem[]): Promise<void> {
    const stuck = setTimeout(() => void thread.end(), batchMs);
    try {
      const items = batch.map(({ text, kind, withTokens }) => ({ text, kind, withTokens }));
      const encoded = await thread.encode(items);
      batch.forEach((item, index) => {
        const own = encoded[index];
        if (own !== undefined) item.settle(own);
      });
      // It works.
      pauseMs = firstPauseMs;
    } catch (cause) {
      for (const item of batch) item.fail(createUnavailableError(toModelError(cause)));
    } finally {
      clearTimeout(stuck);
    }
  }

  return {
    get model() {
      return running?.model ?? null;
    },
    get found() {
      return name;
    },
    get problem() {
      return problem;
    },
    async encode(texts, encodeOptions) {
      encodeOptions.signal?.throwIfAborted();
      if (running === null) throw createUnavailableError(problem);
      const kind = encodeOptions.isBackground === true ? 'background' : 'foreground';
      if (queue.sizes[kind] + texts.length > MAX_WAITING[kind]) throw createOverloadError();
      const waiting = startWaiting(texts, encodeOptions, deadlineMs);
      queue.add(waiting.items);
      void run();
      return waiting.encoded;
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      clearTimeout(again);
      await looking;
      await giveUp();
    },
  };
}

function toModelError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('MODEL_UNAVAILABLE', 'The model stopped working; it is started again.', {
    cause: error,
  });
}
