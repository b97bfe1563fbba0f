/** Options below or above a field: one of them may be marked while the focus stays in the field. */

import { make, makeId } from './dom.ts';

export interface Listbox<T> {
  show(options: readonly T[]): void;
  isOpen(): boolean;
}

interface ListboxParts<T> {
  draw(option: T): readonly (Node | string)[];
  choose(option: T): void;
  /** Whether the first one is marked at once. */
  readonly marksFirst?: boolean;
}

export function createListbox<T>(
  field: HTMLInputElement | HTMLTextAreaElement,
  list: HTMLElement,
  { draw, choose, marksFirst = false }: ListboxParts<T>,
): Listbox<T> {
  let options: readonly T[] = [];
  let marked = -1;

  function mark(index: number): void {
    marked = index;
    for (const [i, option] of [...list.children].entries()) option.ariaSelected = String(i === index);
    const option = list.children[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', option.id);
  }

  function show(next: readonly T[]): void {
    options = next;
    list.replaceChildren(...options.map((option) => make('li', { role: 'option', id: makeId() }, ...draw(option))));
    list.hidden = options.length === 0;
    // A field of several lines cannot have it.
    if (field.role === 'combobox') field.ariaExpanded = String(!list.hidden);
    mark(marksFirst && options.length > 0 ? 0 : -1);
  }

  function take(index: number): void {
    const option = options[index];
    show([]);
    if (option !== undefined) choose(option);
  }

  field.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || list.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) mark((marked + step + options.length + (marked < 0 && step < 0 ? 1 : 0)) % options.length);
    else if (event.key === 'Escape') show([]);
    else if ((event.key === 'Enter' || (event.key === 'Tab' && marksFirst)) && marked >= 0) take(marked);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  field.addEventListener('blur', () => show([]));
  // Before the field loses the focus.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const option = (event.target as Element).closest('[role="option"]');
    if (option !== null) take([...list.children].indexOf(option));
  });
  return { show, isOpen: () => !list.hidden };
}
