/** The tab "Your link": fills in fields from the page, and adds the link to the selection. */

import { createNewestSignal, readWords } from '../dom.ts';
import { postSessionForm, toSessionMessage } from '../lti/session.ts';
import { sendInPlace } from '../object/forms-in-place.ts';
import type { Tray } from './tray.ts';
import { readTrayItemCards } from './tray-items.ts';

/** The answer of `readOwnLinkAddress` in `src/faces/lti/picker/own-link.ts`. */
type AddressReading = { readonly problem: string } | Readonly<Record<FilledField, string>>;

const filledFields = ['title', 'description', 'type', 'lang', 'sealed'] as const;
type FilledField = (typeof filledFields)[number];

/** Pause after the last key press in the address field. */
const TYPING_MS = 600;

/** Starts the tab. @param place that of `views/lti/partials/own.eta` */
export function startOwnLink(place: HTMLElement, tray: Tray): void {
  const next = createNewestSignal();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: Promise<void> = Promise.resolve();
  let readUrl = '';
  const readTyped = (form: HTMLFormElement) => {
    clearTimeout(timer);
    const url = findOwnLinkField(form, 'url');
    if (url.value.trim() === readUrl || !url.validity.valid) return;
    readUrl = url.value.trim();
    reading = readOwnLinkInput(form, next());
  };
  place.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'url' || target.form === null) return;
    const { form } = target;
    clearTimeout(timer);
    timer = setTimeout(() => readTyped(form), TYPING_MS);
  });
  place.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'url' && target.form !== null) readTyped(target.form);
  });
  // A form whose fields are still being filled in is sent after that.
  place.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-own][aria-busy="true"]')) return;
    event.preventDefault();
    event.stopPropagation();
    void reading.then(() => form.requestSubmit());
  });
  sendInPlace((result) => {
    readUrl = '';
    if (result === place) tray.add(readTrayItemCards(place));
  });
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const findOwnLinkField = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as Field;

async function readOwnLinkInput(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const words = readWords(form);
  const note = form.querySelector<HTMLElement>('[data-own-read]');
  const showNote = (text: string | undefined) => {
    if (note === null) return;
    note.textContent = text ?? '';
    note.hidden = !text;
  };
  findOwnLinkField(form, 'sealed').value = '';
  form.ariaBusy = 'true';
  showNote(words.reading);
  try {
    const response = await postSessionForm('/picker/own/read', { url: findOwnLinkField(form, 'url').value }, signal);
    const reading = (await response.json()) as AddressReading;
    if ('problem' in reading) showNote(`${reading.problem} ${words.notRead}`);
    else {
      fillInOwnLink(form, reading);
      showNote(words.wasRead);
    }
  } catch (error) {
    if (!signal.aborted) showNote(toSessionMessage(error) ?? '');
  } finally {
    if (!signal.aborted) form.ariaBusy = null;
  }
}

/** Fills in the fields that nobody has edited. */
function fillInOwnLink(form: HTMLFormElement, reading: Readonly<Record<FilledField, string>>): void {
  for (const name of filledFields) {
    const field = findOwnLinkField(form, name);
    const isTyped = (name === 'title' || name === 'description') && field.value !== (field.dataset.filled ?? '');
    if (isTyped || !reading[name]) continue;
    field.value = reading[name];
    field.dataset.filled = reading[name];
  }
}
