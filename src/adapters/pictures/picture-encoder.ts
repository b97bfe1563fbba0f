import type { ChildProcess } from 'node:child_process';
import { startLimitedProcess } from '#adapters/processes/limited-process';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import type { EncodedPicture, PictureEncoder } from '#ports/pictures';

interface PictureEncoderOptions {
  /** Limit of one picture, with the start of the process if necessary. */
  readonly deadlineMs: number;
  /** Limit of the memory of the process: a photo of 24 megapixels takes up to 350 MB. */
  readonly maxBytes: number;
  /** The process ends after this time without work. */
  readonly idleMs: number;
}

const defaults: PictureEncoderOptions = { deadlineMs: 20_000, maxBytes: 640 * 1024 ** 2, idleMs: 30_000 };
const program = new URL('./picture-worker.js', import.meta.url);
/** Memory for the JavaScript of the process; decoders use other memory. */
const HEAP_MB = 64;

interface EncoderState extends PictureEncoderOptions {
  child: ChildProcess | null;
  idle: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** Encodes one picture at a time, in a process that ends when it is idle, late, or too large. */
export function createPictureEncoder(
  options: Partial<PictureEncoderOptions> = {},
): PictureEncoder & { close(): Promise<void> } {
  const state: EncoderState = { ...defaults, ...options, child: null, idle: undefined, isClosed: false };
  const runAlone = limitConcurrency({ running: 1 });
  return {
    encode: (bytes) => runAlone(() => encodePicture(state, bytes)),
    async close() {
      state.isClosed = true;
      endEncoder(state);
      await runAlone(async () => undefined);
      clearTimeout(state.idle);
    },
  };
}

async function encodePicture(state: EncoderState, bytes: Uint8Array): Promise<EncodedPicture | null> {
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
  const child = startLimitedProcess(program, { heapMb: HEAP_MB, maxBytes: state.maxBytes });
  child.on('error', () => endEncoder(state, child)).once('exit', () => endEncoder(state, child));
  // The host does not wait for it to end.
  child.unref();
  child.channel?.unref();
  state.child = child;
  return child;
}

function endEncoder(state: EncoderState, child: ChildProcess | null = state.child): void {
  if (state.child === child) state.child = null;
  child?.kill('SIGKILL');
}

/** @returns null for a file that is not a picture, or is slow; 'ended' if the process ended */
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
