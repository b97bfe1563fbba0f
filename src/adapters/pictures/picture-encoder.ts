import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EncodedPicture, PictureEncoder } from '#ports/pictures';

export interface PictureEncoderOptions {
  /** Of one picture, with the start of the process where there is none; 20,000 when absent. */
  readonly deadlineMs?: number;
  /** Of the process; 640 MB when absent, as a photo of 24 megapixels takes up to 350. */
  readonly maxBytes?: number;
  /** How long the process stays without work; 30,000 when absent. */
  readonly idleMs?: number;
}

const program = fileURLToPath(new URL('./picture-worker.js', import.meta.url));

/** Encodes in a process of its own, which starts with the first picture and ends when it is idle:
 *  what a decoder does with a hostile picture costs neither memory nor time of the host. Of a
 *  picture only what its pixels need is decoded; the process ends itself when it takes too much
 *  memory, and is ended at the deadline. One picture at a time. */
export function createPictureEncoder(
  options: PictureEncoderOptions = {},
): PictureEncoder & { close(): Promise<void> } {
  const { deadlineMs = 20_000, maxBytes = 640 * 1024 ** 2, idleMs = 30_000 } = options;
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  function start(): ChildProcess {
    const started = fork(program, [String(maxBytes)], {
      // Secrets and options of the host are not for it.
      ...{ env: { MALLOC_ARENA_MAX: '2' }, execArgv: ['--max-old-space-size=64'] },
      ...{ serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    });
    started.on('error', () => end(started)).once('exit', () => end(started));
    // The host does not wait for it to end.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function end(ended: ChildProcess): void {
    if (child === ended) child = null;
    ended.kill('SIGKILL');
  }

  function startAnew(): ChildProcess {
    if (child !== null) end(child);
    child = start();
    return child;
  }

  function encodeIn(worker: ChildProcess, bytes: Uint8Array): Promise<EncodedPicture | null | 'ended'> {
    return new Promise((resolve) => {
      const settle = (encoded: EncodedPicture | null | 'ended') => {
        clearTimeout(deadline);
        worker.off('message', read).off('exit', fail);
        worker.channel?.unref();
        resolve(encoded);
      };
      const fail = () => settle('ended');
      const read = (message: 'ready' | EncodedPicture | null) => {
        if (message !== 'ready') settle(message);
      };
      const deadline = setTimeout(() => {
        end(worker);
        settle(null);
      }, deadlineMs);
      worker.on('message', read).once('exit', fail);
      worker.channel?.ref();
      worker.send(bytes, (error) => error && fail());
    });
  }

  async function encode(bytes: Uint8Array): Promise<EncodedPicture | null> {
    if (isClosed) return null;
    clearTimeout(idle);
    const isReused = child !== null;
    child ??= start();
    let encoded = await encodeIn(child, bytes);
    // It may have ended before, or because of the pictures before.
    if (encoded === 'ended' && isReused && !isClosed) encoded = await encodeIn(startAnew(), bytes);
    idle = setTimeout(() => child !== null && end(child), idleMs).unref();
    return encoded === 'ended' ? null : encoded;
  }

  return {
    encode(bytes) {
      const work = last.then(() => encode(bytes));
      last = work.catch(() => undefined);
      return work;
    },
    async close() {
      isClosed = true;
      if (child !== null) end(child);
      await last;
      clearTimeout(idle);
    },
  };
}
