import type { ChildProcess } from 'node:child_process';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import type { EncodedPicture, PictureEncoder } from '#ports/pictures';

interface PictureEncoderOptions {
  /** For one picture, with the start of the process if necessary. */
  readonly deadlineMs: number;
  /** Of the process: a photo of 24 megapixels takes up to 350 MB. */
  readonly maxBytes: number;
  /** The process ends after this time without work. */
  readonly idleMs: number;
}

const defaults: PictureEncoderOptions = { deadlineMs: 20_000, maxBytes: 640 * 1024 ** 2, idleMs: 30_000 };
const program = new URL('./picture-worker.js', import.meta.url);
/** For the JavaScript of the process; decoders use other memory. */
const HEAP_MB = 64;

interface EncoderState extends PictureEncoderOptions {
  child: ChildProcess | null;
  idle: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** One picture at a time, in a process that ends when it is idle, late, or too large. */
export function createPictureEncoder(
  options: Partial<PictureEncoderOptions> = {},
): PictureEncoder & { close(): Promise<void> } {
  const state: EncoderState = { ...defaults, ...options, child: null, idle: undefined, isClosed: false };
  const runAlone = limitConcurrency({ running: 1 });
  return {
    encode: (bytes) => runAlone(() => encodePictureInChild(state, bytes)),
    async close() {
      state.isClosed = true;
      endEncoder(state);
      await runAlone(async () => undefined);
      clearTimeout(state.idle);
    },
  };
}

async function encodePictureInChild(state: EncoderState, bytes: Uint8Array): Promise<EncodedPicture | null> {
  if (state.isClosed) return null;
  clearTimeout(state.idle);
  const isReused = state.child !== null;
  let encoded = await encodeIn(state, state.child ?? startEncoder(state), bytes);
  // The process may have ended before, or because of the pictures before.
  if (encoded === 'ended' && isReused && !state.isClosed) {
    endEncoder(state);
    encoded = await encodeIn(state, startEncoder(state), bytes);
  }
  state.idle = setTimeout(() => endEncoder(state), state.idleMs).unref();
  return encoded === 'ended' ? null : encoded;
}

function startEncoder(state: EncoderState): ChildProcess {
  const started = startLimitedProcess(program, { heapMb: HEAP_MB, maxBytes: state.maxBytes });
  started.on('error', () => endEncoder(state, started)).once('exit', () => endEncoder(state, started));
  // The host does not wait for it to end.
  started.unref();
  started.channel?.unref();
  state.child = started;
  return started;
}

function endEncoder(state: EncoderState, ended: ChildProcess | null = state.child): void {
  if (state.child === ended) state.child = null;
  ended?.kill('SIGKILL');
}

/** @returns null for no picture, or a slow one; 'ended' where the process ended */
function encodeIn(
  state: EncoderState,
  child: ChildProcess,
  bytes: Uint8Array,
): Promise<EncodedPicture | null | 'ended'> {
  return new Promise((resolve) => {
    const settle = (encoded: EncodedPicture | null | 'ended') => {
      clearTimeout(deadline);
      child.off('message', receive).off('exit', fail);
      child.channel?.unref();
      resolve(encoded);
    };
    const fail = () => settle('ended');
    const receive = (message: 'ready' | EncodedPicture | null) => {
      if (message !== 'ready') settle(message);
    };
    const deadline = setTimeout(() => {
      endEncoder(state, child);
      settle(null);
    }, state.deadlineMs);
    child.on('message', receive).once('exit', fail);
    child.channel?.ref();
    child.send(bytes, (error) => error && fail());
  });
}
