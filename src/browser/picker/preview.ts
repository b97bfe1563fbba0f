/** A closer look at an object, in a dialog over the page. */

import { postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { getElement } from './words.ts';

export function watchPreviews(): void {
  const dialog = getElement<HTMLDialogElement>('#preview');
  const content = getElement('#preview-content', dialog);
  let running: AbortController | undefined;

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-preview]') : null;
    const handle = button?.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle !== undefined) void show(handle);
  });
  // Outside of its content, which covers all of the dialog itself.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  // A hidden player would go on playing.
  dialog.addEventListener('close', () => {
    running?.abort();
    content.replaceChildren();
  });

  async function show(handle: string): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    content.textContent = dialog.dataset.loading ?? '';
    dialog.showModal();
    try {
      const response = await postSessionForm('/picker/preview', { handle }, signal);
      showFragment(content, await response.text());
      content.querySelector<HTMLElement>('#preview-title')?.focus();
    } catch (error) {
      showProblem(content, error);
    }
  }
}
