import { setTimeout as sleep } from 'node:timers/promises';
import { isSilence } from './explain.ts';

/** Longer than a node takes to start again with what it keeps. */
const PATIENCE_MS = 180_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Repeats work that may be done twice until it is answered, for three minutes. Errors: those of the work; the signal's reason. */
export async function insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isSilence(error) || Date.now() > until) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
