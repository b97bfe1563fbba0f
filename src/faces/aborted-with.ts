import type { Response } from 'express';

/** A signal that is aborted when the client goes away before the answer is sent, so that no work is
 *  done in vain. */
export function createAbortSignal(response: Response): AbortSignal {
  const abort = new AbortController();
  // A client that left while the key was looked up or the body read sends no further event.
  if (response.closed || response.destroyed) abort.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
  return abort.signal;
}

/** Whether work ended this way because the client has gone: nobody is left to answer, and nothing
 *  has failed. */
export function isGivenUp(thrown: unknown, response: Response): boolean {
  return response.destroyed && thrown instanceof DOMException && thrown.name === 'AbortError';
}
