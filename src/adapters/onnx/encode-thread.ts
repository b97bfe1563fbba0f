import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { EncodedItem, EncodeItem } from './session.ts';

/** What a thread is started with. */
export interface ThreadTask {
  /** Of the model. */
  readonly folder: string;
  /** That work on one text together. */
  readonly threads: number;
}

export interface ThreadAsked {
  readonly id: number;
  readonly items: readonly EncodeItem[];
}

export type ThreadTold =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: ThreadError }
  | { readonly kind: 'encoded'; readonly id: number; readonly encoded: readonly EncodedItem[] }
  | { readonly kind: 'failed'; readonly id: number; readonly error: ThreadError };

/** An error between threads, which keep no classes. */
export interface ThreadError {
  readonly code: ErrorCode | null;
  readonly message: string;
  /** For the log. */
  readonly detail: string;
}

export function tellThreadError(error: unknown): ThreadError {
  const { code = null, message } = error instanceof AppError ? error : { message: String(error) };
  const { cause } = error instanceof AppError ? error : { cause: error };
  return {
    code,
    message,
    detail: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? ''),
  };
}

function hearThreadError({ code, message, detail }: ThreadError): Error {
  const cause = detail === '' ? {} : { cause: new Error(detail) };
  return code === null ? new Error(message, cause) : new AppError(code, message, cause);
}

/** A model that runs somewhere. */
export interface EncodeThread {
  /** One batch at a time. Errors: MODEL_INVALID; what ended the thread, where it ended; those of the runtime. */
  encode(items: readonly EncodeItem[]): Promise<readonly EncodedItem[]>;
  /** Resolves once it has ended, however that came. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** Starts a thread with a model; it resolves when that is loaded.
 *  Errors: those of `openModelSession`; what ended the thread before.
 *  @param signal ends the thread once it is loaded, a second later at most */
export type StartEncodeThread = (task: ThreadTask, signal: AbortSignal) => Promise<EncodeThread>;

/** A batch takes a fraction of that. */
const STUCK_MS = 10_000;

interface WaitingBatch {
  settle(encoded: readonly EncodedItem[]): void;
  fail(error: unknown): void;
}

const startWorker: StartEncodeThread = (task, signal) => {
  const worker = new Worker(new URL('./encode-worker.js', import.meta.url), { workerData: task });
  let waiting: WaitingBatch | null = null;
  let lastId = 0;
  let failure: unknown = new Error('the thread of the model has ended');
  let hasEnded = false;
  const ended = new Promise<void>((done) => worker.once('exit', () => done()));
  // Once, and not for each batch: what waits for the end would keep every batch until then.
  void ended.then(() => {
    hasEnded = true;
    takeWaiting()?.fail(failure);
  });
  let idle: Promise<unknown> = Promise.resolve();

  /** Whoever was answered is forgotten, with the vectors. */
  function takeWaiting() {
    const taken = waiting;
    waiting = null;
    return taken;
  }

  const thread: EncodeThread = {
    encode(items) {
      if (hasEnded) return Promise.reject(failure);
      const encoded = new Promise<readonly EncodedItem[]>((settle, fail) => {
        waiting = { settle, fail };
        lastId += 1;
        worker.postMessage({ id: lastId, items } satisfies ThreadAsked);
      });
      const forget = () => undefined;
      idle = encoded.then(forget, forget);
      return encoded;
    },
    ended,
    async end() {
      // Native code that is stopped while it runs takes the process with it.
      await Promise.race([idle, sleep(STUCK_MS, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (told: ThreadTold) => {
      // Not before it is loaded: that is native code, too.
      if (told.kind === 'ready' && signal.aborted) void worker.terminate();
      else if (told.kind === 'ready') resolve(thread);
      else if (told.kind === 'unusable') reject(hearThreadError(told.error));
      else if (told.id !== lastId) return;
      else if (told.kind === 'encoded') takeWaiting()?.settle(told.encoded);
      else takeWaiting()?.fail(hearThreadError(told.error));
    });
    worker.on('error', (error) => {
      failure = error;
    });
    void ended.then(() => reject(failure));
  });
};

/** Without a thread. */
const startHere: StartEncodeThread = async ({ folder, threads }) => {
  const { openModelSession } = await import('./session.ts');
  const session = await openModelSession(folder, threads);
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  return {
    encode: (items) => session.encode(items),
    ended,
    async end() {
      end();
    },
  };
};

/** A thread starts from a file that Node can run. Where the program runs from its sources, as in tests, there is none: the model then
 *  runs in the process, and requests wait for it. */
export const startEncodeThread: StartEncodeThread = import.meta.url.endsWith('.js') ? startWorker : startHere;
