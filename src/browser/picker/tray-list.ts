/** The chosen items and their rows on the page, always in the same order. */

import {
  type ChosenCard,
  type ItemDefaults,
  keepItems,
  loadItems,
  newItem,
  type TrayItem,
} from './tray-items.ts';
import { createRow, labelRow, readRow } from './tray-row.ts';
import type { Words } from './words.ts';

export interface TrayList {
  readonly items: readonly TrayItem[];
  find(address: string | undefined): TrayItem | undefined;
  put(cards: readonly ChosenCard[]): void;
  take(item: TrayItem): void;
  /** @returns where it is now, from 0, and where it was */
  move(
    row: HTMLElement,
    wanted: number,
  ): { readonly item: TrayItem; readonly from: number; readonly to: number };
  /** Takes over what is typed in a row. */
  read(row: HTMLElement): void;
}

export interface TrayListOptions {
  /** What the items are kept under. */
  readonly key: string;
  /** JSON of what is chosen from the start. */
  readonly initial: string;
  readonly template: HTMLTemplateElement;
  readonly defaults: ItemDefaults;
  readonly words: Words;
  onChange(): void;
}

export function createTrayList(element: HTMLElement, options: TrayListOptions): TrayList {
  const { key, initial, template, defaults, words, onChange } = options;
  const items = loadItems(key, initial, defaults);
  const find = (address: string | undefined) => items.find((item) => item.address === address);
  const changed = () => {
    keepItems(key, items);
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
    put(cards) {
      const added = cards.map((card) => newItem(card, defaults));
      items.push(...added);
      append(added);
      changed();
    },
    take(item) {
      const place = items.indexOf(item);
      items.splice(place, 1);
      element.children[place]?.remove();
      changed();
    },
    move(row, wanted) {
      const from = [...element.children].indexOf(row);
      const to = Math.min(Math.max(wanted, 0), items.length - 1);
      const [item] = items.splice(from, 1);
      items.splice(to, 0, item!);
      if (to !== from) element.children[to]?.[to > from ? 'after' : 'before'](row);
      changed();
      return { item: item!, from, to };
    },
    read(row) {
      const item = find(row.dataset.address);
      if (item === undefined) return;
      readRow(row, item, words);
      changed();
    },
  };
}

function labelRows(element: HTMLElement, items: readonly TrayItem[], words: Words): void {
  for (const [place, row] of [...element.children].entries()) {
    const [isFirst, isLast] = [place === 0, place === items.length - 1];
    labelRow(row as HTMLElement, items[place]!, { words, isFirst, isLast });
  }
}
