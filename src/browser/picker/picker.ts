import '../lti/address.ts';
import { createNewest, getElement, onClick, readWords } from '../dom.ts';
import { findFrame } from '../frame-height.ts';
import { createLookDialog } from '../look-dialog.ts';
import { postSessionForm, showFragment, showProblem, toMessage } from '../lti/session.ts';
import { sendInPlace } from '../object/forms-in-place.ts';
import { loadPart } from '../object/load-part.ts';
import { startPlan } from './plan.ts';
import { watchSearch } from './search.ts';
import { startShelf } from './shelf.ts';
import { watchTabsAndMenu } from './tabs.ts';
import { startTray, type Tray } from './tray.ts';
import { readCards } from './tray-items.ts';

/** A callback for every hundredth of the height. */
const THRESHOLDS = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** In place of an object: as high as a window, so that the tray is visible. */
const FRAME_HEIGHT = 640;

findFrame()?.(FRAME_HEIGHT);
keepToSeenPart();
watchTabsAndMenu(getElement('.tabs'), getElement<HTMLSelectElement>('.tabs-menu'));
watchSearch();
// `autofocus` does nothing in a frame of another site.
getElement('#q').focus({ preventScroll: true });
watchPreviews();
// Problems in the course are shown unasked.
void loadPart(getElement('#dead-links'));
const tray = startTray(getElement<HTMLFormElement>('#tray'));
startPlan(getElement('#plan'), tray);
startShelf(getElement('#shelf'));
startOwnLink(getElement('#own'), tray);
// Behind a thumbnail that cannot be loaded there is a drawing.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.closest('.thumb') !== null) target.remove();
  },
  { capture: true },
);

/** A platform may make the frame higher than its dialog, and scroll the dialog. Elements that stick
 *  to the lower edge of the window would then be hidden, so they stick to the visible edge:
 *  `--unseen-below` has the number of hidden pixels. */
function keepToSeenPart(): void {
  if (window.parent === window) return;
  const whole = document.createElement('div');
  whole.className = 'whole-window';
  document.body.append(whole);
  const tell = (entries: readonly IntersectionObserverEntry[]) => {
    const { boundingClientRect: all, intersectionRect: visible } = entries.at(-1) as IntersectionObserverEntry;
    // Fully hidden while people scroll past it.
    const below = visible.height === 0 ? 0 : Math.round(all.bottom - visible.bottom);
    document.documentElement.style.setProperty('--unseen-below', `${below}px`);
  };
  new IntersectionObserver(tell, { threshold: THRESHOLDS }).observe(whole);
}

function watchPreviews(): void {
  const post = async (path: string, handle: string, signal: AbortSignal) =>
    (await postSessionForm(path, { handle }, signal)).text();
  const look = createLookDialog(getElement<HTMLDialogElement>('#preview'), {
    ask: (handle, signal) => post('/picker/preview', handle, signal),
    askLike: (handle, signal) => post('/picker/preview/like', handle, signal),
    show: showFragment,
    fail: showProblem,
  });
  onClick(document, '[data-preview]', (button) => {
    const handle = button.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle !== undefined) void look(handle);
  });
}

/** The tab "Your link": fills in fields from the page, and adds the link to the selection. */

/** As `readAddress` of `src/faces/lti/picker/own-link.ts`. */
type AddressReading = { readonly problem: string } | Readonly<Record<FilledField, string>>;

const filledFields = ['title', 'description', 'type', 'lang', 'sealed'] as const;
type FilledField = (typeof filledFields)[number];

/** After the last key press in the address field. */
const TYPING_MS = 600;

/** @param place that of `views/lti/partials/own.eta` */
function startOwnLink(place: HTMLElement, tray: Tray): void {
  const next = createNewest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: Promise<void> = Promise.resolve();
  let readUrl = '';
  const readTyped = (form: HTMLFormElement) => {
    clearTimeout(timer);
    const url = fieldOf(form, 'url');
    if (url.value.trim() === readUrl || !url.validity.valid) return;
    readUrl = url.value.trim();
    reading = readAddress(form, next());
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
  // Waits for the page's data if they are still being read.
  place.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-own][aria-busy="true"]')) return;
    event.preventDefault();
    event.stopPropagation();
    void reading.then(() => form.requestSubmit());
  });
  sendInPlace((result) => {
    readUrl = '';
    if (result === place) tray.add(readCards(place));
  });
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const fieldOf = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as Field;

async function readAddress(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const words = readWords(form);
  const note = form.querySelector<HTMLElement>('[data-own-read]');
  const say = (text: string | undefined) => {
    if (note === null) return;
    note.textContent = text ?? '';
    note.hidden = !text;
  };
  fieldOf(form, 'sealed').value = '';
  form.ariaBusy = 'true';
  say(words.reading);
  try {
    const response = await postSessionForm('/picker/own/read', { url: fieldOf(form, 'url').value }, signal);
    const reading = (await response.json()) as AddressReading;
    if ('problem' in reading) say(`${reading.problem} ${words.notRead}`);
    else {
      fillIn(form, reading);
      say(words.wasRead);
    }
  } catch (error) {
    if (!signal.aborted) say(toMessage(error) ?? '');
  } finally {
    if (!signal.aborted) form.ariaBusy = null;
  }
}

/** Edited fields stay. */
function fillIn(form: HTMLFormElement, reading: Readonly<Record<FilledField, string>>): void {
  for (const name of filledFields) {
    const field = fieldOf(form, name);
    const isTyped = (name === 'title' || name === 'description') && field.value !== (field.dataset.filled ?? '');
    if (isTyped || !reading[name]) continue;
    field.value = reading[name];
    field.dataset.filled = reading[name];
  }
}
