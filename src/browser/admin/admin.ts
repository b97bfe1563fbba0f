import { offerCopying } from '../copy-buttons.ts';
import { createParagraph, endBusyOnReturn } from '../dom.ts';
import { improveUpstreamForm, keepFormPreview } from './live-forms.ts';

/** Folds the menu on narrow screens, copies one-time secrets, and marks submitted forms as busy. */

const EVERY_MS = 1_000;
const menu = document.querySelector<HTMLDetailsElement>('.menu details');
const narrow = matchMedia('(max-width: 50rem)');
if (menu !== null) {
  // Wide windows have no button to unfold the menu.
  const foldAdminWords = () => {
    menu.open = !narrow.matches;
  };
  foldAdminWords();
  narrow.addEventListener('change', foldAdminWords);
}

offerCopying();

document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return;
  // After a download the page stays as it is.
  if (target instanceof HTMLFormElement && !('download' in target.dataset)) {
    target.setAttribute('aria-busy', 'true');
  }
});
endBusyOnReturn();

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-auto]'))
  form.addEventListener('change', () => form.requestSubmit());
for (const part of document.querySelectorAll<HTMLElement>('[data-without-script]')) part.hidden = true;
const localTime = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'long' });
for (const time of document.querySelectorAll<HTMLTimeElement>('time[title]'))
  time.title = [localTime.format(new Date(time.dateTime)), time.title].filter(Boolean).join(' · ');
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) keepFormPreview(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-test]')) improveUpstreamForm(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) improveUploadForm(form);
for (const part of document.querySelectorAll<HTMLElement>('[data-filter]')) watchFilterField(part);
for (const line of document.querySelectorAll<HTMLElement>('[data-ticked]')) countTickedFields(line);
for (const picker of document.querySelectorAll<HTMLInputElement>('[data-picker-for]')) joinAdminColourField(picker);

/** Updates the progress of an import, and reloads the page when it has ended. */

interface ImportView {
  readonly isRunning: boolean;
  readonly percent: number | null;
  readonly text: string;
}

const watched = document.querySelector<HTMLElement>('[data-import]');
if (watched !== null) void watchAdminPanel(watched);

async function watchAdminPanel(panel: HTMLElement): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    const view = await fetchAdminView(panel.dataset.import ?? '');
    if (view === null) continue;
    // After a sign-out, too: the page leads to the sign-in and back.
    if (view === 'signed-out' || !view.isRunning) return location.reload();
    const bar = panel.querySelector('progress');
    if (bar !== null && view.percent !== null) bar.value = view.percent;
    const line = panel.querySelector('[data-import-text]');
    if (line !== null && line.textContent !== view.text) line.textContent = view.text;
  }
}

/** Null if the host is unreachable, 'signed-out' if it redirects to the sign-in. */
async function fetchAdminView(address: string): Promise<ImportView | 'signed-out' | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    if (response.redirected) return 'signed-out';
    return response.ok ? ((await response.json()) as ImportView) : null;
  } catch {
    return null;
  }
}

function watchFilterField(part: HTMLElement): void {
  const input = part.querySelector('input');
  const status = part.querySelector('[role="status"]');
  const boxes = document.querySelector(`#${part.dataset.filter}`);
  if (input === null || boxes === null) return;
  part.hidden = false;
  input.addEventListener('input', () => {
    const words = foldAdminOptions(input.value);
    const labels = [...boxes.querySelectorAll('label')];
    for (const label of labels) label.hidden = !foldAdminOptions(label.textContent ?? '').includes(words);
    const visibleCount = labels.filter((label) => !label.hidden).length;
    if (status !== null)
      status.textContent = fillAdminNumbers(part.dataset.count, { shown: visibleCount, total: labels.length });
  });
  // Enter must not submit the form here.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

function countTickedFields(line: HTMLElement): void {
  const boxes = document.querySelector(`#${line.dataset.ticked}`);
  boxes?.addEventListener('change', () => {
    const ticked = boxes.querySelectorAll(':checked').length;
    line.textContent = ticked === 0 ? (line.dataset.none ?? '') : fillAdminNumbers(line.dataset.some, { ticked });
  });
}

function foldAdminOptions(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
}

function fillAdminNumbers(text = '', values: Readonly<Record<string, number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[name] ?? 0).toLocaleString(document.documentElement.lang),
  );
}

function joinAdminColourField(picker: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`#${picker.dataset.pickerFor}`);
  if (field === null) return;
  picker.hidden = false;
  picker.addEventListener('input', () => {
    field.value = picker.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  field.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value.trim())) picker.value = field.value.trim().toLowerCase();
  });
}

/** Requests pending connection checks, then the list of what needs attention. */

interface HealthView {
  readonly mark: string;
  readonly label: string;
  readonly explained: string;
  readonly checked: string;
}

const waiting = [...document.querySelectorAll<HTMLElement>('[data-health]')];
if (waiting.length > 0) void checkAllLinks();

async function checkAllLinks(): Promise<void> {
  await Promise.all(waiting.map(checkWaitingUpstream));
  const status = document.querySelector<HTMLElement>('[data-health-done]');
  if (status !== null) status.textContent = status.dataset.healthDone ?? '';
  await renewAdminAttention();
}

/** On failure, the link for a manual check stays. */
async function checkWaitingUpstream(place: HTMLElement): Promise<void> {
  try {
    const response = await fetch(place.dataset.health ?? '', { headers: { accept: 'application/json' } });
    if (response.ok) showAdminHealth(place, (await response.json()) as HealthView);
  } catch {
    // The browser is offline; the link is still there.
  }
}

function showAdminHealth(place: HTMLElement, { mark, label, explained, checked }: HealthView): void {
  const state = Object.assign(document.createElement('span'), { className: `state ${mark}`, textContent: label });
  const paragraphs = [createParagraph('', explained), createParagraph('quiet', checked)];
  place.replaceChildren(state, ...paragraphs.filter(({ textContent }) => textContent !== ''));
}

/** Keeps the list while somebody reads it with the keyboard. */
async function renewAdminAttention(): Promise<void> {
  const old = document.querySelector('#attention');
  const response = await fetch(location.href).catch(() => null);
  if (old === null || !response?.ok || old.contains(document.activeElement)) return;
  const renewed = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = renewed.querySelector('#attention');
  if (next !== null) old.replaceWith(next);
}

/** Sends a form with a file and shows its progress; problems are shown on the same page. */
function improveUploadForm(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') !== 'true') sendAdminForm(form, event.submitter);
  });
}

function sendAdminForm(form: HTMLFormElement, button: HTMLElement | null): void {
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.responseType = 'document';
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    const percent = total === 0 ? 100 : Math.floor((100 * loaded) / total);
    showProgress(form, percent, ({ text = '' }) => text.replace('%percent%', String(percent)));
  });
  request.addEventListener('load', () => {
    if (request.responseURL !== form.action) return location.assign(request.responseURL);
    const answer = request.responseXML?.querySelector('main');
    if (answer) showAdminAnswer(answer);
    else location.reload();
  });
  // Not resent automatically: it may be large.
  request.addEventListener('error', () => {
    form.removeAttribute('aria-busy');
    showProgress(form, null, ({ broken = '' }) => broken);
  });
  form.setAttribute('aria-busy', 'true');
  request.send(new FormData(form, button));
}

/** @param percent null hides the bar */
function showProgress(form: HTMLFormElement, percent: number | null, choose: (texts: DOMStringMap) => string): void {
  const place = form.querySelector<HTMLElement>('[data-upload-progress]');
  const bar = place?.querySelector('progress');
  const line = place?.querySelector('span');
  if (!place || !bar || !line) return;
  place.hidden = false;
  bar.hidden = percent === null;
  bar.value = percent ?? 0;
  line.textContent = choose(place.dataset);
}

function showAdminAnswer(answer: HTMLElement): void {
  const chosen = document.querySelector<HTMLInputElement>('input[type="file"]');
  const fileField = answer.querySelector<HTMLInputElement>('input[type="file"]');
  if (chosen !== null && fileField !== null) {
    chosen.removeAttribute('aria-invalid');
    fileField.replaceWith(chosen);
  }
  document.querySelector('main')?.replaceWith(answer);
  const form = document.querySelector<HTMLFormElement>('form[data-upload]');
  if (form !== null) improveUploadForm(form);
  document.querySelector<HTMLElement>('.problems')?.scrollIntoView();
  answer.focus();
}
