/** A dialog with an object, whose content comes from the host. */

import { createNewestSignal } from './dom.ts';

interface LookHost {
  ask(handle: string, signal: AbortSignal): Promise<string>;
  askLike(handle: string, signal: AbortSignal): Promise<string>;
  show(place: Element, html: string): void;
  fail(place: Element, error: unknown): void;
}

/** @returns a function that opens the dialog for an object */
export function createLookDialog(dialog: HTMLDialogElement, host: LookHost): (handle: string) => Promise<void> {
  const content = dialog.querySelector('#preview-content') ?? dialog;
  const next = createNewestSignal();
  // The content covers the dialog, so a click on the dialog itself is outside of it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  // A hidden player would go on playing.
  dialog.addEventListener('close', () => {
    next();
    content.replaceChildren();
  });

  async function showLike(handle: string, signal: AbortSignal): Promise<void> {
    const place = content.querySelector('[data-like]');
    if (place === null) return;
    const html = await host.askLike(handle, signal).catch(() => null);
    if (signal.aborted) return;
    // Similar objects are optional, so their failure is not shown.
    if (html === null) place.remove();
    else host.show(place, html);
  }

  return async (handle) => {
    const signal = next();
    content.textContent = dialog.dataset.loading ?? '';
    if (!dialog.open) dialog.showModal();
    try {
      host.show(content, await host.ask(handle, signal));
      dialog.scrollTop = 0;
      content.querySelector<HTMLElement>('#preview-title')?.focus();
      await showLike(handle, signal);
    } catch (error) {
      if (!signal.aborted) host.fail(content, error);
    }
  };
}
