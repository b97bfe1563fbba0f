/** What is chosen of the filters: in their fields, and in the address of the page, so that it is there again after a reload. */

import { getElement } from './words.ts';

export type Choice = HTMLInputElement | HTMLSelectElement;

/** Fields that have no "any", as they say how to search, not for what. */
export const MODES = ['sort', 'model', 'match'];

/** Fields whose values come from lists, which may be late. */
const LISTED = ['provider', 'type', 'bloom', 'lang'];

export const listChoices = (place: HTMLElement): Choice[] => [
  ...place.querySelectorAll<Choice>('input, select'),
];

export const isBoxChoice = (choice: Choice): choice is HTMLInputElement => choice.type === 'checkbox';

export function clearChoice(choice: Choice): void {
  if (isBoxChoice(choice)) choice.checked = false;
  else choice.value = '';
}

/** Exactly what these fields say: what they leave out was not chosen. */
export function setChoices(choices: readonly Choice[], fields: FormData | URLSearchParams): void {
  for (const choice of choices) {
    const values = fields.getAll(choice.name);
    if (isBoxChoice(choice)) choice.checked = values.includes(choice.value);
    else if (values.length > 0 || !MODES.includes(choice.name)) choice.value = String(values[0] ?? '');
  }
}

/** As the address says, where it has a search; else everything stays as the page begins. */
export function setAddressedChoices(choices: readonly Choice[]): void {
  const address = new URLSearchParams(location.search);
  if (address.has('q') || address.has('topic')) setChoices(choices, address);
}

/** Whether the address chooses of a list that is not there yet. */
export function isAwaitingChoiceLists(form: HTMLFormElement): boolean {
  const address = new URLSearchParams(location.search);
  return LISTED.some((name) => address.has(name) && form.elements.namedItem(name) === null);
}

/** The search that is shown, beside what the address has for the host. */
export function keepChoicesInAddress(query: URLSearchParams): void {
  const launch = new URLSearchParams(location.search).get('launch');
  const kept = new URLSearchParams([...(launch === null ? [] : [['launch', launch]]), ...query]);
  history.replaceState(history.state, '', `?${kept}`);
}

export interface Narrowing {
  /** Take a term to the words. */
  add(term: string): void;
  /** Ends this where the words have changed. */
  endWhereOver(): void;
}

/** Makes a search narrower by a term. That takes a search for all of the words: one for the most important ones finds more
 *  with every word. It lasts as long as the words do. */
export function createChoiceNarrowing(form: HTMLFormElement, field: HTMLInputElement): Narrowing {
  let narrowed: { readonly words: string; readonly modelBefore: string } | null = null;
  // The filters may come anew.
  const model = () => getElement<HTMLSelectElement>('[name="model"]', form);
  return {
    add(term) {
      field.value = `${field.value.trim()} ${term}`.trim();
      narrowed = { words: field.value, modelBefore: narrowed?.modelBefore ?? model().value };
      model().value = 'strict';
    },
    endWhereOver() {
      if (narrowed === null || field.value.trim().startsWith(narrowed.words)) return;
      model().value = narrowed.modelBefore;
      narrowed = null;
    },
  };
}
