/** Forms with an answer in place: previews while typing, the test of an upstream, uploads. */

import { createNewestSignal, createParagraph, parseHtml } from '../dom.ts';

const PREVIEW_AFTER_MS = 350;

/** Updates the preview beside a form (`data-live` is its address, `data-live-target` its place). */
export function keepFormPreview(form: HTMLFormElement): void {
  const { live: address, liveTarget } = form.dataset;
  const place = document.querySelector(`#${liveTarget}`);
  if (address === undefined || place === null) return;
  const show = createFormPreview(form, address, place);
  let timer = 0;
  const showSoon = ({ target }: Event) => {
    // Fields that only help to fill in the form have no name.
    if (!(target instanceof Element) || !target.hasAttribute('name')) return;
    clearTimeout(timer);
    timer = setTimeout(show, PREVIEW_AFTER_MS);
  };
  form.addEventListener('input', showSoon);
  form.addEventListener('submit', (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.name !== 'preview') return;
    event.preventDefault();
    clearTimeout(timer);
    void show();
  });
}

/** Makes a function that shows the preview of the form as it is, and aborts an earlier call. */
function createFormPreview(form: HTMLFormElement, address: string, place: Element): () => Promise<void> {
  const next = createNewestSignal();
  return async () => {
    const signal = next();
    place.setAttribute('aria-busy', 'true');
    const html = await fetchFormFragment(form, address, signal).catch(() => null);
    if (signal.aborted) return;
    place.removeAttribute('aria-busy');
    if (html !== null) return showFormFragment(place, html);
    place.textContent = form.dataset.liveFailed ?? '';
    announceFormResult(place, place.textContent);
  };
}

/** Shows only the fields of the chosen kind, and tests in place, so that a typed key stays. */
export function improveUpstreamForm(form: HTMLFormElement): void {
  showFormFieldsOfKind(form);
  form.addEventListener('change', () => showFormFieldsOfKind(form));
  const address = form.dataset.test;
  const place = document.querySelector<HTMLElement>('#test');
  if (address === undefined || place === null) return;
  form.addEventListener('submit', async (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.name !== 'test') return;
    event.preventDefault();
    await testUpstreamForm({ form, address, place }, event.submitter);
  });
}

function showFormFieldsOfKind(form: HTMLFormElement): void {
  const chosen = form.querySelector<HTMLInputElement>('[name="kind"]:checked')?.value ?? '';
  for (const part of form.querySelectorAll<HTMLElement>('[data-for-kind]'))
    part.hidden = !part.dataset.forKind?.split(' ').includes(chosen);
}

async function testUpstreamForm(
  { form, address, place }: { form: HTMLFormElement; address: string; place: HTMLElement },
  button: HTMLButtonElement,
): Promise<void> {
  // `disabled` would take the focus away from the button.
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  showFormLine(place, form.dataset.testing ?? '');
  const html = await fetchFormFragment(form, address, AbortSignal.timeout(60_000)).catch(() => null);
  button.removeAttribute('aria-disabled');
  if (html === null) return showFormLine(place, form.dataset.testFailed ?? '');
  showFormFragment(place, html);
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: 'nearest' });
}

function showFormLine(place: HTMLElement, text: string): void {
  place.replaceChildren(createParagraph('notice', text));
  announceFormResult(place, text);
}

/** @returns null if the host is down or the session is over */
async function fetchFormFragment(form: HTMLFormElement, address: string, signal: AbortSignal): Promise<string | null> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('fragment', '1');
  const response = await fetch(address, { method: 'POST', body, signal });
  return response.ok && !response.redirected ? response.text() : null;
}

function showFormFragment(place: Element, html: string): void {
  place.replaceChildren(...parseHtml(html).childNodes);
  announceFormResult(place, place.querySelector('[data-announce]')?.textContent?.trim() ?? '');
}

/** Announces a text in the status of a place: `#preview` has `#preview-status`. */
function announceFormResult(place: Element, text: string): void {
  const status = document.querySelector(`#${place.id}-status`);
  if (status !== null) status.textContent = text;
}

/** Sends a form with a file and shows its progress; problems are shown on the same page. */
export function improveUploadForm(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') !== 'true') sendUpload(form, event.submitter);
  });
}

function sendUpload(form: HTMLFormElement, button: HTMLElement | null): void {
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.responseType = 'document';
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    const percent = total === 0 ? 100 : Math.floor((100 * loaded) / total);
    showUploadProgress(form, percent, ({ text = '' }) => text.replace('%percent%', String(percent)));
  });
  request.addEventListener('load', () => {
    if (request.responseURL !== form.action) return location.assign(request.responseURL);
    const answer = request.responseXML?.querySelector('main');
    if (answer) showUploadAnswer(answer);
    else location.reload();
  });
  // The file may be large, so it is not sent again by itself.
  request.addEventListener('error', () => {
    form.removeAttribute('aria-busy');
    showUploadProgress(form, null, ({ broken = '' }) => broken);
  });
  form.setAttribute('aria-busy', 'true');
  request.send(new FormData(form, button));
}

/** @param percent null hides the bar */
function showUploadProgress(
  form: HTMLFormElement,
  percent: number | null,
  choose: (texts: DOMStringMap) => string,
): void {
  const place = form.querySelector<HTMLElement>('[data-upload-progress]');
  const bar = place?.querySelector('progress');
  const line = place?.querySelector('span');
  if (!place || !bar || !line) return;
  place.hidden = false;
  bar.hidden = percent === null;
  bar.value = percent ?? 0;
  line.textContent = choose(place.dataset);
}

/** Shows the page that answers an upload. The chosen file stays in its field. */
function showUploadAnswer(answer: HTMLElement): void {
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
