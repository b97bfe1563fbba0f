/** The chosen items and their rows on the page, in the same order. */

import { onClick, type Words } from '../dom.ts';
import { keepForCourse } from './saved-selection.ts';
import { type ChosenCard, type ItemDefaults, loadItems, newItem, type TrayItem } from './tray-items.ts';
import { createRow, gradeTrayRow, labelTrayRow, readTrayRow } from './tray-row.ts';

/** Moves an item by its buttons, by Alt and the arrow keys, or by dragging its handle. */
type MoveTo = (row: HTMLElement, place: number) => void;

export type TrayList = ReturnType<typeof createTrayList>;

interface TrayListOptions {
  readonly key: string;
  readonly initial: string;
  readonly template: HTMLTemplateElement;
  readonly defaults: ItemDefaults;
  readonly words: Words;
  /** For added items, as typed; null without grading. */
  pointsOfNew(): string | null;
  onChange(): void;
}

export function createTrayList(element: HTMLElement, options: TrayListOptions) {
  const { key, initial, template, defaults, words, pointsOfNew, onChange } = options;
  const items = loadItems(key, initial, defaults);
  const find = (address: string | undefined) => items.find((item) => item.address === address);
  const changed = () => {
    keepForCourse(key, items);
    labelRows(element, items, words);
    onChange();
  };
  const append = (added: readonly TrayItem[]) =>
    element.append(...added.map((item) => createRow(template, item, words)));
  append(items);
  labelRows(element, items, words);
  return {
    items,
    find,
    /** @param points of each; the default when absent */
    put(cards: readonly ChosenCard[], points: string | null = pointsOfNew()): void {
      const added = cards.map((card) => ({ ...newItem(card, defaults), points }));
      items.push(...added);
      append(added);
      changed();
    },
    restore(before: readonly TrayItem[], max: number): void {
      const added = before.filter(({ address }) => find(address) === undefined).slice(0, max - items.length);
      items.push(...added);
      append(added);
      changed();
    },
    take(item: TrayItem): void {
      const place = items.indexOf(item);
      items.splice(place, 1);
      element.children[place]?.remove();
      changed();
    },
    /** @returns its new and old index; null for a row of another list */
    move(
      row: HTMLElement,
      targetIndex: number,
    ): { readonly item: TrayItem; readonly from: number; readonly to: number } | null {
      const from = [...element.children].indexOf(row);
      const to = Math.min(Math.max(targetIndex, 0), items.length - 1);
      const [item] = items.splice(from, 1);
      if (item === undefined) return null;
      items.splice(to, 0, item);
      if (to !== from) element.children[to]?.[to > from ? 'after' : 'before'](row);
      changed();
      return { item, from, to };
    },
    read(row: HTMLElement): void {
      const item = find(row.dataset.address);
      if (item === undefined) return;
      readTrayRow(row, item, words);
      changed();
    },
    /** Gives all items these points, as typed; null without grading. */
    gradeAll(points: string | null): void {
      for (const [place, item] of items.entries()) {
        item.points = points;
        gradeTrayRow(element.children[place] as HTMLElement, item, words);
      }
      changed();
    },
    setAll(name: string, value: string): void {
      for (const [place, item] of items.entries()) {
        const row = element.children[place] as HTMLElement;
        const field = row.querySelector<HTMLInputElement>(`[data-field="${name}"]`);
        if (field === null) continue;
        field.value = value;
        readTrayRow(row, item, words);
      }
      changed();
    },
    /** For `reset`. */
    copy: (): TrayItem[] => items.map((item) => ({ ...item })),
    reset(before: readonly TrayItem[]): void {
      items.splice(0, items.length, ...before);
      element.replaceChildren();
      append(items);
      changed();
    },
  };
}

function labelRows(element: HTMLElement, items: readonly TrayItem[], words: Words): void {
  for (const [place, item] of items.entries()) {
    const row = element.children[place] as HTMLElement | undefined;
    const isFirst = place === 0;
    const isLast = place === items.length - 1;
    if (row !== undefined) labelTrayRow(row, item, { words, isFirst, isLast });
  }
}

export function reorderTrayByButtons(list: HTMLElement, moveTo: MoveTo): void {
  onClick(list, '[data-move]', (button) => moveBy(button, Number(button.dataset.move), moveTo));
}

export function reorderTrayByKeys(list: HTMLElement, moveTo: MoveTo): void {
  list.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    // Alt and an arrow key open a list of options, and a calendar.
    const opens = (event.target as Element).matches('select, [type=datetime-local]');
    if (step === undefined || !event.altKey || opens) return;
    event.preventDefault();
    moveBy(event.target as Element, step, moveTo);
  });
}

function moveBy(within: Element, step: number, moveTo: MoveTo): void {
  const row = within.closest('li');
  if (row !== null) moveTo(row, placeOf(row) + step);
}

/** The row follows the pointer and stays where it is dropped. */
export function reorderTrayByDragging(list: HTMLElement, moveTo: MoveTo): void {
  let dragged: HTMLElement | null = null;
  list.addEventListener('dragstart', ({ target, dataTransfer }) => {
    dragged = target instanceof Element && target.matches('.tray-grip') ? target.closest('li') : null;
    if (dragged === null || dataTransfer === null) return;
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setDragImage(dragged, 0, 0);
    dragged.classList.add('is-dragged');
  });
  list.addEventListener('dragover', (event) => {
    const over = event.target instanceof Element ? event.target.closest('li') : null;
    if (dragged === null || over === null) return;
    event.preventDefault();
    if (over !== dragged) moveTo(dragged, placeOf(over));
  });
  list.addEventListener('drop', (event) => event.preventDefault());
  list.addEventListener('dragend', () => {
    dragged?.classList.remove('is-dragged');
    dragged = null;
  });
}

const placeOf = (row: Element) => [...(row.parentElement?.children ?? [])].indexOf(row);
