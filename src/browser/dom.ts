/** Elements and texts of a page. */

/** Errors: one that names what the page lacks. */
export function getElement<T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}

/** Calls `listen` when an element that matches `selector` is clicked, also one that is added
 *  later. */
export function onClick(
  root: Document | HTMLElement,
  selector: string,
  listen: (element: HTMLElement) => void,
  options: AddEventListenerOptions = {},
): void {
  const listenToClick = ({ target }: Event) => {
    const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
    if (element !== null) listen(element);
  };
  root.addEventListener('click', listenToClick, options);
}

export function createParagraph(className: string, textContent: string): HTMLParagraphElement {
  return Object.assign(document.createElement('p'), { className, textContent });
}

export function parseHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, 'text/html').body;
}

/** A signal for each of several calls, of which a newer one ends the older.
 *  @example const next = createNewest(); await fetch(address, { signal: next() }) */
export function createNewest(): () => AbortSignal {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
}

/** Texts of the page that the scripts say, by their names. */
export type Words = Readonly<Record<string, string>>;

/** The texts that an element of the page carries. */
export const readWords = ({ dataset }: HTMLElement): Words => JSON.parse(dataset.words ?? '{}') as Words;

/** Fills in values for `{names}`. */
export function fillWords(words: string | undefined, values: Readonly<Record<string, string | number>>): string {
  return (words ?? '').replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
