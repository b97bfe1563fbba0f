/** Words that complete what is typed, as a combobox with a list:
 *  https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ The focus stays in the field; the arrow keys
 *  go through the list, Enter takes, Escape closes. */

import { announce, fetchSessionJson } from '../lti/session.ts';
import { fillWords } from './words.ts';

const MAX_OPTIONS = 8;

/** A list of words below a field, one of which may be marked while the focus stays in the field. */
type OptionList = ReturnType<typeof createOptionList>;

const COMPLETE_AFTER_MS = 120;
const MIN_LENGTH = 2;

interface Completing {
  readonly field: HTMLInputElement;
  readonly options: OptionList;
  /** Called with the words that were chosen. */
  readonly take: (words: string) => void;
}

export function completeWhileTyping(
  field: HTMLInputElement,
  list: HTMLElement,
  take: (words: string) => void,
): { close(): void } {
  const options = createOptionList(field, list);
  const stop = offerWords(field, options);
  const close = () => {
    stop();
    options.close();
  };
  const choose = (words: string) => {
    close();
    take(words);
  };
  listenToKeys({ field, options, take: choose }, close);
  field.addEventListener('blur', close);
  // Before the field loses its focus, and the list with it.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const words = options.wordsAt(target);
    if (words !== null) choose(words);
  });
  return { close };
}

/** @returns a function that stops offering words for what was typed so far */
function offerWords(field: HTMLInputElement, options: OptionList): () => void {
  let timer = 0;
  let running: AbortController | undefined;
  const stop = () => {
    clearTimeout(timer);
    running?.abort();
  };
  const offer = async (words: string) => {
    running = new AbortController();
    const { signal } = running;
    const labels = await fetchCompletions(words, signal);
    if (signal.aborted) return;
    const number = options.show(labels);
    if (number > 0) announce(fillWords(field.dataset.counted, { number }));
  };
  field.addEventListener('input', () => {
    stop();
    const words = field.value.trim();
    if (words.length < MIN_LENGTH) options.close();
    else timer = setTimeout(() => void offer(words), COMPLETE_AFTER_MS);
  });
  return stop;
}

function listenToKeys({ field, options, take }: Completing, close: () => void): void {
  field.addEventListener('keydown', (event) => {
    if (!options.isOpen() || event.isComposing) return;
    const marked = options.marked();
    if (event.key === 'ArrowDown') options.move(1);
    else if (event.key === 'ArrowUp') options.move(-1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && marked !== null) take(marked);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Empty when the host does not answer: completion is a help, never an obstacle. */
async function fetchCompletions(words: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await fetchSessionJson<string[]>('/picker/complete', { q: words }, signal);
  } catch {
    return [];
  }
}

function createOptionList(field: HTMLInputElement, list: HTMLElement) {
  let active = -1;
  const options = () => [...list.children] as HTMLElement[];

  function mark(index: number): void {
    active = index;
    for (const [i, option] of options().entries()) option.setAttribute('aria-selected', String(i === index));
    const option = options()[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', option.id);
  }

  function setOpen(isOpen: boolean): void {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  }

  return {
    isOpen: () => !list.hidden,
    /** Null where none is marked. */
    marked: () => options()[active]?.textContent ?? null,
    /** @returns how many are shown */
    show(labels: readonly string[]): number {
      list.replaceChildren(...labels.slice(0, MAX_OPTIONS).map(createOption));
      mark(-1);
      setOpen(labels.length > 0);
      return options().length;
    },
    /** Mark the next one, or with -1 the one before; behind the last one is the field itself. */
    move(step: 1 | -1): void {
      const places = options().length + 1;
      mark(((active + 1 + step + places) % places) - 1);
    },
    close(): void {
      mark(-1);
      setOpen(false);
    },
    /** The words that an element of the list stands for; null for anything else. */
    wordsAt: (target: EventTarget | null) =>
      options().find((option) => option.contains(target as Node))?.textContent ?? null,
  };
}

function createOption(label: string, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `completion-${index}`;
  option.role = 'option';
  option.textContent = label;
  return option;
}
