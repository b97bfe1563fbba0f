/** Updates parts of a page without a new page: the progress of an import, tests of connections. */

import { createParagraph } from '../dom.ts';

const PROGRESS_EVERY_MS = 1_000;

interface ImportView {
  readonly isRunning: boolean;
  readonly percent: number | null;
  readonly text: string;
}

/** Updates the progress of an import, and reloads the page when it has ended. */
export async function followImport(panel: HTMLElement): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_EVERY_MS));
    const view = await fetchProgress(panel.dataset.import ?? '');
    if (view === null) continue;
    // After a sign-out, the page leads to the sign-in and back.
    if (view === 'signed-out' || !view.isRunning) return location.reload();
    const bar = panel.querySelector('progress');
    if (bar !== null && view.percent !== null) bar.value = view.percent;
    const line = panel.querySelector('[data-import-text]');
    if (line !== null && line.textContent !== view.text) line.textContent = view.text;
  }
}

/** @returns null if the host is unreachable, 'signed-out' if it redirects to the sign-in */
async function fetchProgress(address: string): Promise<ImportView | 'signed-out' | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    if (response.redirected) return 'signed-out';
    return response.ok ? ((await response.json()) as ImportView) : null;
  } catch {
    return null;
  }
}

interface HealthView {
  readonly mark: string;
  readonly label: string;
  readonly explained: string;
  readonly checked: string;
}

/** Tests the connections that are still open, then renews the list of what needs attention. */
export async function checkConnections(places: readonly HTMLElement[]): Promise<void> {
  await Promise.all(places.map(checkConnection));
  const status = document.querySelector<HTMLElement>('[data-health-done]');
  if (status !== null) status.textContent = status.dataset.healthDone ?? '';
  await renewAttention();
}

/** Shows the result of a test; on failure, the link for a test by hand stays. */
async function checkConnection(place: HTMLElement): Promise<void> {
  try {
    const response = await fetch(place.dataset.health ?? '', { headers: { accept: 'application/json' } });
    if (response.ok) showHealth(place, (await response.json()) as HealthView);
  } catch {
    // The browser is offline; the link is still there.
  }
}

function showHealth(place: HTMLElement, { mark, label, explained, checked }: HealthView): void {
  const state = Object.assign(document.createElement('span'), { className: `state ${mark}`, textContent: label });
  const paragraphs = [createParagraph('', explained), createParagraph('quiet', checked)];
  place.replaceChildren(state, ...paragraphs.filter(({ textContent }) => textContent !== ''));
}

/** Loads the list of what needs attention again, unless somebody has the focus in it. */
async function renewAttention(): Promise<void> {
  const old = document.querySelector('#attention');
  const response = await fetch(location.href).catch(() => null);
  if (old === null || !response?.ok || old.contains(document.activeElement)) return;
  const renewed = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = renewed.querySelector('#attention');
  if (next !== null) old.replaceWith(next);
}
