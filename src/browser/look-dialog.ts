/** A look inside an object, in a dialog over the page; what is in it comes from the host. */

import { createNewest } from './dom.ts';

interface LookWays {
  /** What is shown of an object. */
  ask(handle: string, signal: AbortSignal): Promise<string>;
  /** Objects like it. */
  askLike(handle: string, signal: AbortSignal): Promise<string>;
  show(place: Element, html: string): void;
  /** Where it cannot be had. */
  fail(place: Element, error: unknown): void;
}

/** @returns opens the dialog for an object */
export function createLookDialog(dialog: HTMLDialogElement, ways: LookWays): (handle: string) => Promise<void> {
  const content = dialog.querySelector('#preview-content') ?? dialog;
  const next = createNewest();
  // Outside of its content, which covers all of the dialog itself.
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
    const html = await ways.askLike(handle, signal).catch(() => null);
    if (signal.aborted) return;
    // An addition only: what cannot be had leaves no trace.
    if (html === null) place.remove();
    else ways.show(place, html);
  }

  return async (handle) => {
    const signal = next();
    content.textContent = dialog.dataset.loading ?? '';
    if (!dialog.open) dialog.showModal();
    try {
      ways.show(content, await ways.ask(handle, signal));
      dialog.scrollTop = 0;
      content.querySelector<HTMLElement>('#preview-title')?.focus();
      await showLike(handle, signal);
    } catch (error) {
      if (!signal.aborted) ways.fail(content, error);
    }
  };
}
