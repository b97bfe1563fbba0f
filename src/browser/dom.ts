/** Gets an element. Errors: one that names the missing element. */
export function getElement<T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}

/** Listens to clicks on matching elements, also on those that are added later. */
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

/** Removes the busy marks of a page that the browser restores from its cache. */
export function endBusyOnReturn(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
  });
}

export const createParagraph = (className: string, textContent: string): HTMLParagraphElement =>
  Object.assign(document.createElement('p'), { className, textContent });

export const parseHtml = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** Makes a function that gives each of several calls a signal, and aborts that of the previous one.
 *  @example const next = createNewestSignal(); await fetch(address, { signal: next() }) */
export function createNewestSignal(): () => AbortSignal {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
}

/** Texts of the page for scripts, by name. */
export type Words = Readonly<Record<string, string>>;

export const readWords = ({ dataset }: HTMLElement): Words => JSON.parse(dataset.words ?? '{}') as Words;

/** Fills `{names}` of a text; an unknown name stays. */
export const fillWords = (words: string | undefined, values: Readonly<Record<string, string | number>>): string =>
  (words ?? '').replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
