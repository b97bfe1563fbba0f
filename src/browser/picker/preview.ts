/** A closer look at an object, in a dialog over the page. */

import { createLookDialog } from '../look-dialog.ts';
import { postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { getElement } from './words.ts';

export function watchPreviews(): void {
  const post = async (path: string, handle: string, signal: AbortSignal) =>
    (await postSessionForm(path, { handle }, signal)).text();
  const look = createLookDialog(getElement<HTMLDialogElement>('#preview'), {
    ask: (handle, signal) => post('/picker/preview', handle, signal),
    askLike: (handle, signal) => post('/picker/preview/like', handle, signal),
    show: showFragment,
    fail: showProblem,
  });
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-preview]') : null;
    const handle = button?.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle !== undefined) void look(handle);
  });
}
