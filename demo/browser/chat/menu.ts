/** A button that opens a menu of things to do. */

import { make, makeId } from './dom.ts';

export interface MenuItem {
  readonly text: string;
  /** Opened in a new tab. */
  readonly url?: string | undefined;
  act(): void;
}

export function createMenu(label: string, items: readonly MenuItem[]): HTMLElement {
  const id = makeId();
  const button = make(
    'button',
    { type: 'button', class: 'more', 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label },
    make('span', { 'aria-hidden': 'true' }, '⋯'),
  );
  const entries = items.map((item) => createEntry(item));
  const menu = make('div', { role: 'menu', id, class: 'menu', 'aria-label': label, hidden: true }, ...entries);
  const node = make('div', { class: 'menu-place' }, button, menu);

  function open(isOpen: boolean): void {
    menu.hidden = !isOpen;
    button.ariaExpanded = String(isOpen);
    if (isOpen) {
      placeMenu(button, menu);
      entries[0]?.focus();
    } else if (node.contains(document.activeElement)) button.focus();
  }

  function createEntry({ text, url, act }: MenuItem): HTMLElement {
    const entry = make('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, text);
    entry.addEventListener('click', () => {
      open(false);
      if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
      act();
    });
    return entry;
  }

  button.addEventListener('click', () => open(menu.hidden === true));
  menu.addEventListener('keydown', (event) => {
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) entries.at(to % entries.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') open(false);
    else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  });
  node.addEventListener('focusout', ({ relatedTarget }) => {
    if (menu.hidden === false && !node.contains(relatedTarget as Node | null)) open(false);
  });
  return node;
}

/** Above the button where there is no room below it. */
function placeMenu(button: HTMLElement, menu: HTMLElement): void {
  const { bottom, left } = button.getBoundingClientRect();
  const place = button.closest('.scrolls')?.getBoundingClientRect();
  menu.classList.toggle('above', bottom + menu.offsetHeight > (place?.bottom ?? innerHeight));
  menu.classList.toggle('to-right', left - menu.offsetWidth < (place?.left ?? 0));
}
