import { fillWords, getElement, onClick, type Words } from '../dom.ts';
import { announceStatus } from '../lti/session.ts';
import type { ChosenCard, TrayItem } from './tray-items.ts';
import type { TrayList } from './tray-list.ts';
import { writeTrayTotal } from './tray-total.ts';

export type TrayPanel = ReturnType<typeof createTrayPanel>;
export type Choosing = ReturnType<typeof createTrayChoosing>;

/** Adds and removes objects, with announcements and ways to undo. */
export function createTrayChoosing(deps: {
  readonly list: TrayList;
  readonly panel: TrayPanel;
  readonly words: Words;
  readonly max: number;
}) {
  const { list, panel, words, max } = deps;
  const announce = (text: string | undefined, values: Readonly<Record<string, string | number>>) =>
    announceStatus(fillWords(text, { ...values, number: list.items.length }));

  /** Replaces the only object that may be chosen by another with the same grading. */
  function swap(old: TrayItem, card: ChosenCard): void {
    const before = list.copy();
    list.take(old);
    list.put([card], old.points);
    panel.offerUndo(fillWords(words.swapped, { title: card.name, old: old.title }), () => list.reset(before));
  }

  function put(candidates: readonly ChosenCard[]): void {
    const before = list.copy();
    if (candidates.length > 0) list.put(candidates);
    panel.notify('');
    const [first] = candidates;
    if (first === undefined) announce(words.addedBefore, {});
    else if (candidates.length === 1) announce(words.added, { title: first.name });
    else {
      const text = fillWords(words.addedSome, { added: candidates.length, number: list.items.length });
      panel.offerUndo(text, () => list.reset(before));
    }
  }

  /** @returns the problem that there are more objects than may be chosen */
  function fillUp(candidates: readonly ChosenCard[]): string {
    const problem = words.full ?? '';
    list.put(candidates.slice(0, max - list.items.length));
    panel.notify(problem);
    return problem;
  }

  return {
    listHandles: () => list.items.map(({ handle }) => handle),
    /** Adds objects up to the limit. @returns why some were not added; null if all were */
    add(cards: readonly ChosenCard[]): string | null {
      const candidates = cards.filter(({ address }) => list.find(address) === undefined);
      const [chosen] = list.items;
      const [first] = candidates;
      if (max === 1 && candidates.length === 1 && chosen !== undefined && first !== undefined) swap(chosen, first);
      else if (candidates.length > max - list.items.length) return fillUp(candidates);
      else put(candidates);
      return null;
    },
    remove(item: TrayItem): void {
      const before = list.copy();
      list.take(item);
      const values = { title: item.title || item.name, number: list.items.length };
      panel.offerUndo(fillWords(words.removed, values), () => list.reset(before));
    },
  };
}

export function createTrayPanel(form: HTMLFormElement, words: Words) {
  const part = (selector: string) => getElement(selector, form);
  const panel = part('#tray-panel');
  const toggle = part('#tray-toggle');
  const notice = part('[data-tray-notice]');
  const undo = createTrayUndo(part('[data-tray-undo]'), words);
  closeTrayPopovers(form);

  const setOpen = (isOpen: boolean) => {
    panel.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  toggle.addEventListener('click', () => setOpen(panel.hidden === true));
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden || event.defaultPrevented) return;
    event.stopPropagation();
    setOpen(false);
    toggle.focus();
  });
  // Invalid fields must be visible.
  form.addEventListener(
    'invalid',
    ({ target }) => {
      setOpen(true);
      const settings = (target as Element).closest('details');
      if (settings !== null) settings.open = true;
    },
    { capture: true },
  );

  return {
    /** Announces a visible text; an empty one removes it. */
    notify(text: string): void {
      undo.end();
      notice.textContent = text;
      notice.hidden = text === '';
      if (text !== '') announceStatus(text);
    },
    /** Announces a change with a button that undoes it for a while. */
    offerUndo(text: string, takeBack: () => void): void {
      notice.hidden = true;
      undo.offer(text, takeBack);
      announceStatus(text);
    },
    showItems(items: readonly TrayItem[]): void {
      const number = items.length;
      const total = part('[data-tray-total]');
      total.textContent = writeTrayTotal(items, words);
      total.hidden = number === 0;
      part('[data-tray-count]').textContent = String(number);
      showChooseButton(form, number, words);
      part('[data-tray-empty]').hidden = number > 0;
      const hint = form.querySelector<HTMLElement>('[data-tray-hint]');
      if (hint !== null) hint.hidden = number < 2;
      form.classList.toggle('has-items', number > 0);
    },
  };
}

const UNDO_MS = 10_000;

/** Offers to undo the last change for ten seconds, or until the next one. */
function createTrayUndo(place: HTMLElement, words: Words) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takeBack = () => {};
  const end = () => {
    clearTimeout(timer);
    if (place.contains(document.activeElement)) document.querySelector<HTMLElement>('#tray-title')?.focus();
    place.hidden = true;
  };
  getElement('[data-undo-change]', place).addEventListener('click', () => {
    takeBack();
    end();
    announceStatus(words.undone ?? '');
  });
  return {
    end,
    offer(text: string, undo: () => void): void {
      clearTimeout(timer);
      takeBack = undo;
      getElement('span', place).textContent = text;
      place.hidden = false;
      timer = setTimeout(end, UNDO_MS);
    },
  };
}

/** Lets one popover be open at a time, which Escape or a click elsewhere closes. */
function closeTrayPopovers(form: HTMLFormElement): void {
  const opened = () => form.querySelectorAll<HTMLDetailsElement>('.tray-more[open]');
  form.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      for (const details of opened()) details.open = details === target;
      target.querySelector('.tray-fields')?.scrollIntoView({ block: 'nearest' });
    },
    { capture: true },
  );
  document.addEventListener('click', ({ target }) => {
    for (const details of opened())
      if (!details.contains(target as Node) && !isPointsChip(target)) details.open = false;
  });
  form.addEventListener(
    'keydown',
    (event) => {
      const [details] = opened();
      if (event.key !== 'Escape' || details === undefined) return;
      event.preventDefault();
      details.open = false;
      details.querySelector('summary')?.focus();
    },
    { capture: true },
  );
  onClick(form, '[data-points-chip]', (chip) => {
    const details = chip.closest('li')?.querySelector('details');
    if (!details) return;
    details.open = true;
    const field = (name: string) => details.querySelector<HTMLInputElement>(`[data-field="${name}"]`);
    const points = field('points');
    const graded = field('graded');
    (points?.disabled ? graded : points)?.focus();
  });
}

const isPointsChip = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-points-chip]') !== null;

/** Shows what the button returns. A page without anything to return has no button. */
function showChooseButton(form: HTMLFormElement, number: number, { add, addSome }: Words): void {
  const button = form.querySelector<HTMLButtonElement>('[data-tray-choose]');
  if (button === null) return;
  button.disabled = number === 0;
  const text = number === 0 ? add : fillWords(addSome, { number });
  if (text) button.textContent = text;
}
