/** Look inside an object without leaving the results; where that fails, its page opens. */

import { createLookDialog } from '../look-dialog.ts';

export function lookInPlace(dialog: HTMLDialogElement): void {
  let asked: HTMLFormElement | undefined;
  const look = createLookDialog(dialog, {
    ask: (handle, signal) => post('/look', { handle, part: '1' }, signal),
    askLike: (handle, signal) => post('/look/like', { handle }, signal),
    show: (place, html) =>
      place.replaceChildren(...new DOMParser().parseFromString(html, 'text/html').body.childNodes),
    // Without this script.
    fail: () => asked?.submit(),
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.getAttribute('action') !== '/look') return;
    const handle = new FormData(form).get('handle');
    if (typeof handle !== 'string') return;
    event.preventDefault();
    asked = form;
    void look(handle);
  });
}

async function post(path: string, fields: Record<string, string>, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, { method: 'POST', body: new URLSearchParams(fields), signal });
  if (!response.ok) throw new Error(`${path} answered with ${response.status}`);
  return response.text();
}
