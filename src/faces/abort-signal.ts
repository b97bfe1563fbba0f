import type { ServerResponse } from 'node:http';

/** Aborted when the client leaves before the answer is sent. */
export function createAbortSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  // A client that left while the key was looked up or the body read sends no further event.
  if (response.closed || response.destroyed) abort.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
  return abort.signal;
}
