/** The chosen objects in order, with their settings: a form, which the host checks again. */

import { fillWords, getElement, onClick, readWords, type Words } from '../dom.ts';
import { announceStatus } from '../lti/session.ts';
import { toSentStorageKey, toTrayStorageKey } from '../sent-tray.ts';
import { keepSelectionForCourse, readSelectionForCourse } from './saved-selection.ts';
import { type Choosing, createTrayChoosing, createTrayPanel, type TrayPanel } from './tray-choosing.ts';
import type { ChosenCard, TrayItem } from './tray-items.ts';
import { listenToTrayAdding, markPlacedCards, markTrayItemCards, toChosenTrayItems } from './tray-items.ts';
import type { TrayList } from './tray-list.ts';
import { createTrayList, reorderTrayByButtons, reorderTrayByDragging, reorderTrayByKeys } from './tray-list.ts';

export type Tray = Pick<Choosing, 'add' | 'listHandles'>;

/** Starts the tray. @param form that of `views/lti/partials/tray.eta` */
export function startTray(form: HTMLFormElement): Tray {
  const { tray, max, maxTitle, completion = '', target = '', initial = '[]', points } = form.dataset;
  const words = readWords(form);
  const panel = createTrayPanel(form, words);
  const element = getElement('[data-tray-items]', form);
  const show = () => {
    panel.showItems(list.items);
    showSettingsOfAll(form, list.items);
    showTrayLoss(form, list.items);
    markPlaced();
    mark();
  };
  const list = createTrayList(element, {
    key: toTrayStorageKey(tray),
    initial,
    template: getElement<HTMLTemplateElement>('[data-tray-template]', form),
    defaults: { maxTitleLength: Number(maxTitle), completion, target },
    words,
    pointsOfNew: () => readPointsOfAll(form) ?? (points || readLastTrayPoints(form)),
    onChange: show,
  });
  const markPlaced = markPlacedCards(form, words);
  const mark = markTrayItemCards((address) => list.find(address) !== undefined);
  const choosing = createTrayChoosing({ list, panel, words, max: Number(max) });
  show();
  offerSent(form, { list, max: Number(max) });
  addPreparedToTray(form, { list, choosing, panel, words });
  listenToTrayAdding((card) => {
    const chosen = list.find(card.address);
    if (chosen === undefined) return choosing.add([card]);
    choosing.remove(chosen);
    return null;
  });
  listenToTrayRows(element, { list, choosing });
  watchSettingsOfAll(form, list);
  watchRowMoves(element, list, words);
  // Enter would submit in the middle of typing.
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.target as Element).matches('input, textarea')) event.preventDefault();
  });
  sendTray(form, { list, panel, words });
  return choosing;
}

/** Offers the last selection again while none of it was opened: it may not have arrived. */
function offerSent(form: HTMLFormElement, { list, max }: { readonly list: TrayList; readonly max: number }): void {
  const notice = getElement('[data-tray-sent]', form);
  const key = toSentStorageKey(form.dataset.tray);
  const sent = readSelectionForCourse<TrayItem[]>(key) ?? [];
  const opened: readonly string[] = JSON.parse(form.dataset.placed ?? '[]');
  notice.hidden = sent.length === 0 || list.items.length > 0 || sent.some(({ address }) => opened.includes(address));
  getElement('[data-select-again]', notice).addEventListener('click', () => {
    notice.hidden = true;
    keepSelectionForCourse(key, []);
    list.restore(sent, max);
    document.querySelector<HTMLElement>('#tray-toggle')?.focus();
  });
  onClick(document, '[data-add]', () => {
    notice.hidden = true;
  });
}

/** Adds an assistant's selection once: removed objects stay removed. */
function addPreparedToTray(
  { dataset }: HTMLFormElement,
  { list, choosing, panel, words }: Sending & { readonly choosing: Choosing },
): void {
  const { prepared = 'null', tray } = dataset;
  const selection: { readonly id: string; readonly cards: readonly ChosenCard[] } | null = JSON.parse(prepared);
  const key = `${toTrayStorageKey(tray)}-prepared`;
  if (selection === null || readSelectionForCourse<string>(key) === selection.id) return;
  keepSelectionForCourse(key, selection.id);
  choosing.add(selection.cards.filter(({ address }) => list.find(address) === undefined));
  panel.notify(words.prepared ?? '');
}

function listenToTrayRows(element: HTMLElement, { list, choosing }: { list: TrayList; choosing: Choosing }): void {
  element.addEventListener('input', ({ target }) => {
    const row = (target as Element).closest('li');
    if (row !== null) list.read(row);
  });
  onClick(element, '[data-remove]', (button) => {
    const row = button.closest('li');
    const item = list.find(row?.dataset.address);
    if (row === null || item === undefined) return;
    const next = row.nextElementSibling ?? row.previousElementSibling;
    choosing.remove(item);
    // The focus was on the removed button.
    const place = next?.querySelector('[data-remove]') ?? document.querySelector('#tray-title');
    (place as HTMLElement | null)?.focus();
  });
}

function watchRowMoves(element: HTMLElement, list: TrayList, words: Words): void {
  const moveTo = (row: HTMLElement, targetIndex: number) => {
    const focused = document.activeElement;
    const moved = list.move(row, targetIndex);
    if (moved === null) return;
    const { item, from, to } = moved;
    // The focus stays on the button, so that another press moves the row further.
    if (focused instanceof HTMLElement && row.contains(focused)) focused.focus();
    const text = to === from ? words.unmoved : words.moved;
    announceStatus(fillWords(text, { title: item.title || item.name, place: to + 1, number: list.items.length }));
  };
  reorderTrayByButtons(element, moveTo);
  reorderTrayByKeys(element, moveTo);
  reorderTrayByDragging(element, moveTo);
}

type Sending = { readonly list: TrayList; readonly panel: TrayPanel; readonly words: Words };

/** After this time, a second press is allowed: the host gives the same answer. */
const SENDING_MS = 15_000;

function sendTray(form: HTMLFormElement, { list, panel, words }: Sending): void {
  form.addEventListener('submit', (event) => {
    if (form.ariaBusy === 'true') return event.preventDefault();
    const isChoosing = event.submitter?.hasAttribute('data-tray-choose') ?? false;
    const field = form.querySelector<HTMLInputElement>('input[name=chosen]');
    if (field !== null) field.value = toChosenTrayItems(list.items);
    form.ariaBusy = 'true';
    setTimeout(() => {
      form.ariaBusy = null;
    }, SENDING_MS);
    if (!isChoosing) return;
    panel.notify(words.sending ?? '');
    rememberTrayPoints(list.items.at(-1)?.points ?? '');
  });
  // When people come back, the page shows the stored selection.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

const findAllBox = (form: HTMLElement) => form.querySelector<HTMLElement>('[data-tray-all]');
const findFieldOfAll = (form: HTMLElement, name: string) =>
  findAllBox(form)?.querySelector<HTMLInputElement>(`[data-all="${name}"]`) ?? null;

/** Sets the values of all chosen objects. The page has these fields if several can be chosen. */
function watchSettingsOfAll(form: HTMLElement, list: TrayList): void {
  findAllBox(form)?.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement;
    const points = findFieldOfAll(form, 'points');
    const name = field.dataset.all ?? '';
    if (name === 'graded') list.gradeAll(field.checked && points !== null ? points.value || points.defaultValue : null);
    else if (name !== 'points') list.setAll(name, field.value);
    else if (field.value !== '') list.gradeAll(field.value);
  });
}

/** Reads the points of all objects for added ones; null if not all are graded. */
function readPointsOfAll(form: HTMLElement): string | null {
  const graded = findFieldOfAll(form, 'graded');
  const points = findFieldOfAll(form, 'points');
  if (!graded?.checked || points === null || findAllBox(form)?.hidden) return null;
  return points.value || points.defaultValue;
}

const LAST_POINTS = 'skilldock-points';

/** Remembers the points for the next selection: teachers who grade will grade again. */
function rememberTrayPoints(points: string): void {
  try {
    localStorage.setItem(LAST_POINTS, points);
  } catch {
    // Storage is blocked in the frame of another site.
  }
}

function readLastTrayPoints(form: HTMLElement): string | null {
  const takesPoints = form.querySelector<HTMLTemplateElement>('template')?.content.querySelector('[data-field=graded]');
  try {
    return takesPoints ? localStorage.getItem(LAST_POINTS) || null : null;
  } catch {
    return null;
  }
}

/** Warns of grades that the platform would delete with the unsent selection. */
function showTrayLoss(form: HTMLElement, items: readonly TrayItem[]): void {
  const loss = form.querySelector<HTMLElement>('[data-tray-loss]');
  if (loss === null) return;
  const isLost = items.some(({ points }) => points === null);
  loss.hidden = !isLost && !(loss.dataset.trayLoss === 'unsure' && items.length > 1);
}

/** Shows common values, others as empty; the switch is indeterminate if some are graded. */
function showSettingsOfAll(form: HTMLElement, items: readonly TrayItem[]): void {
  const box = findAllBox(form);
  if (box === null) return;
  box.hidden = items.length < 2;
  const [first] = items;
  const graded = items.filter(({ points }) => points !== null).length;
  for (const field of box.querySelectorAll<HTMLInputElement>('[data-all]')) {
    const name = field.dataset.all as keyof TrayItem | 'graded';
    if (name === 'graded') {
      field.checked = graded === items.length && graded > 0;
      field.indeterminate = graded > 0 && graded < items.length;
      continue;
    }
    if (name === 'points') field.disabled = graded < items.length;
    if (document.activeElement === field) continue;
    const isSame = first !== undefined && items.every((item) => item[name] === first[name]);
    const none = name === 'points' && graded === 0 ? field.defaultValue : '';
    field.value = isSame ? String(first[name] ?? none) : none;
  }
}
