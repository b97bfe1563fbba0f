import './live-health.ts';
import { offerCopying } from '../copy-buttons.ts';
import { countTickedFields, joinColourField, watchFilterField } from './fields.ts';
import { improveUpstreamForm, keepFormPreview } from './live-forms.ts';
import { improveUploadForm } from './upload-form.ts';

/** Folds the menu on narrow screens, copies one-time secrets, and marks submitted forms as busy. */

const EVERY_MS = 1_000;

const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const narrow = matchMedia('(max-width: 50rem)');
if (menu !== null) {
  // Wide windows have no button to unfold the menu.
  const fold = () => {
    menu.open = !narrow.matches;
  };
  fold();
  narrow.addEventListener('change', fold);
}

offerCopying();

document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return;
  // After a download the page stays as it is.
  if (target instanceof HTMLFormElement && !('download' in target.dataset)) {
    target.setAttribute('aria-busy', 'true');
  }
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
});

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-auto]'))
  form.addEventListener('change', () => form.requestSubmit());
for (const part of document.querySelectorAll<HTMLElement>('[data-without-script]')) part.hidden = true;
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) keepFormPreview(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-test]')) improveUpstreamForm(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) improveUploadForm(form);
for (const part of document.querySelectorAll<HTMLElement>('[data-filter]')) watchFilterField(part);
for (const line of document.querySelectorAll<HTMLElement>('[data-ticked]')) countTickedFields(line);
for (const picker of document.querySelectorAll<HTMLInputElement>('[data-picker-for]')) joinColourField(picker);

/** Updates the progress of an import, and reloads the page when it has ended. */

interface ImportView {
  readonly isRunning: boolean;
  readonly percent: number | null;
  readonly text: string;
}

const watched = document.querySelector<HTMLElement>('[data-import]');
if (watched !== null) void watch(watched);

async function watch(panel: HTMLElement): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    const view = await fetchView(panel.dataset.import ?? '');
    if (view === null) continue;
    // After a sign-out, too: the page leads to the sign-in and back.
    if (view === 'signed-out' || !view.isRunning) return location.reload();
    show(panel, view);
  }
}

/** Null if the host is unreachable, 'signed-out' if it redirects to the sign-in. */
async function fetchView(address: string): Promise<ImportView | 'signed-out' | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    if (response.redirected) return 'signed-out';
    return response.ok ? ((await response.json()) as ImportView) : null;
  } catch {
    return null;
  }
}

function show(panel: HTMLElement, { percent, text }: ImportView): void {
  const bar = panel.querySelector('progress');
  if (bar !== null && percent !== null) bar.value = percent;
  const line = panel.querySelector('[data-import-text]');
  if (line !== null && line.textContent !== text) line.textContent = text;
}
