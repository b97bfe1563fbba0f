import { getEventListeners } from 'node:events';

/** Who still waits for a signal: what it is linked to stays in memory with it. */
export function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}
