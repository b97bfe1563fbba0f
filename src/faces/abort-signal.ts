import type { ServerResponse } from 'node:http';

/** Creates a signal that aborts when the client leaves before the answer is sent. */
export function createAbortSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  // Where the client left while its key was looked up, no further event comes.
  if (response.closed || response.destroyed) abort.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
  return abort.signal;
}
