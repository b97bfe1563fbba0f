import type { Response } from 'express';

/** Aborted when whoever asked goes away before the answer is sent, so that nothing is looked for in vain. */
export function createAbortSignal(response: Response): AbortSignal {
  const abort = new AbortController();
  // Of whoever left while the key was looked up or the body read, nothing is heard any more.
  if (response.closed || response.destroyed) abort.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
  return abort.signal;
}

/** Whether this is how work ends that was given up because who asked has gone: nobody is left to be told, and nothing has
 *  failed. */
export function isGivenUp(thrown: unknown, response: Response): boolean {
  return response.destroyed && thrown instanceof DOMException && thrown.name === 'AbortError';
}
