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

export const find = <T extends HTMLElement>(selector: string, within: ParentNode = document): T =>
  within.querySelector<T>(selector)!;

let count = 0;
/** An id that no element has yet. */
export function makeId(): string {
  count += 1;
  return `chat-${count}`;
}
