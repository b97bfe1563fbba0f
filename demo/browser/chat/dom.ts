/** Elements made of what others wrote: always as text, never as markup. */

type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(attribute, '');
    else if (value !== false && value !== null) element.setAttribute(attribute, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A value that must be there: otherwise the page itself is wrong. */
export function getPresent<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the page lacks ${what}`);
  return value;
}

export const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T =>
  getPresent(within.querySelector<T>(selector), selector);

let count = 0;
/** An id that no element has yet. */
export function makeId(): string {
  count += 1;
  return `chat-${count}`;
}

/** When something is drawn anew, the focus goes to what takes the place of the element that had it.
 *  To be called before `before` is removed. */
export function keepFocus(before: HTMLElement, after: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !before.contains(focused)) return;
  const action = focused.closest<HTMLElement>('[data-action]')?.dataset.action ?? focused.dataset.action;
  const place = listWith(before, action).indexOf(focused);
  requestAnimationFrame(() => {
    const same = listWith(after, action);
    const next = same[place] ?? same.at(-1) ?? after;
    next.focus({ preventScroll: true });
  });
}

const listWith = (within: HTMLElement, action: string | undefined): HTMLElement[] =>
  action === undefined ? [] : [...within.querySelectorAll<HTMLElement>(`[data-action="${CSS.escape(action)}"]`)];
