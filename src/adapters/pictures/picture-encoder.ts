import type { ChildProcess } from 'node:child_process';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import type { EncodedPicture, PictureEncoder } from '#ports/pictures';

export interface PictureEncoderOptions {
  /** Of one picture, with the start of the process where there is none; 20,000 when absent. */
  readonly deadlineMs?: number;
  /** Of the process; 640 MB when absent, as a photo of 24 megapixels takes up to 350. */
  readonly maxBytes?: number;
  /** How long the process stays without work; 30,000 when absent. */
  readonly idleMs?: number;
}

const program = new URL('./picture-worker.js', import.meta.url);
/** Of its JavaScript; a decoder takes other memory. */
const HEAP_MB = 64;

interface EncoderState {
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly idleMs: number;
  child: ChildProcess | null;
  idle: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** Encodes in a process of its own, which starts with the first picture and ends when it is idle:
 *  what a decoder does with a hostile picture costs neither memory nor time of the host. Of a
 *  picture only what its pixels need is decoded; the process ends itself when it takes too much
 *  memory, and is ended at the deadline. One picture at a time. */
export function createPictureEncoder({
  deadlineMs = 20_000,
  maxBytes = 640 * 1024 ** 2,
  idleMs = 30_000,
}: PictureEncoderOptions = {}): PictureEncoder & { close(): Promise<void> } {
  const state: EncoderState = { deadlineMs, maxBytes, idleMs, child: null, idle: undefined, isClosed: false };
  let last: Promise<unknown> = Promise.resolve();
  return {
    encode(bytes) {
      const work = last.then(() => encodePicture(state, bytes));
      last = work.catch(() => undefined);
      return work;
    },
    async close() {
      state.isClosed = true;
      endChild(state);
      await last;
      clearTimeout(state.idle);
    },
  };
}

async function encodePicture(state: EncoderState, bytes: Uint8Array): Promise<EncodedPicture | null> {
  if (state.isClosed) return null;
  clearTimeout(state.idle);
  const isReused = state.child !== null;
  let encoded = await encodeIn(state, state.child ?? startChild(state), bytes);
  // The process may have ended before, or because of the pictures before.
  if (encoded === 'ended' && isReused && !state.isClosed) {
    endChild(state);
    encoded = await encodeIn(state, startChild(state), bytes);
  }
  state.idle = setTimeout(() => endChild(state), state.idleMs).unref();
  return encoded === 'ended' ? null : encoded;
}

function startChild(state: EncoderState): ChildProcess {
  const started = startLimitedProcess(program, { heapMb: HEAP_MB, maxBytes: state.maxBytes });
  started.on('error', () => endChild(state, started)).once('exit', () => endChild(state, started));
  // The host does not wait for it to end.
  started.unref();
  started.channel?.unref();
  state.child = started;
  return started;
}

function endChild(state: EncoderState, ended: ChildProcess | null = state.child): void {
  if (state.child === ended) state.child = null;
  ended?.kill('SIGKILL');
}

/** @returns null for what is no picture, or too slow; 'ended' where the process ended */
function encodeIn(
  state: EncoderState,
  child: ChildProcess,
  bytes: Uint8Array,
): Promise<EncodedPicture | null | 'ended'> {
  return new Promise((resolve) => {
    const settle = (encoded: EncodedPicture | null | 'ended') => {
      clearTimeout(deadline);
      child.off('message', read).off('exit', fail);
      child.channel?.unref();
      resolve(encoded);
    };
    const fail = () => settle('ended');
    const read = (message: 'ready' | EncodedPicture | null) => {
      if (message !== 'ready') settle(message);
    };
    const deadline = setTimeout(() => {
      endChild(state, child);
      settle(null);
    }, state.deadlineMs);
    child.on('message', read).once('exit', fail);
    child.channel?.ref();
    child.send(bytes, (error) => error && fail());
  });
}
