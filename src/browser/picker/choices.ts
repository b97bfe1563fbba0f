/** What else is chosen besides the filters: in hidden fields, and in the address of the page, so that it is there again after a reload. */

import { getElement } from './words.ts';

/** The search that is shown, beside what the address has for the host. */
export function keepChoicesInAddress(query: URLSearchParams): void {
  const launch = new URLSearchParams(location.search).get('launch');
  const kept = new URLSearchParams([...(launch === null ? [] : [['launch', launch]]), ...query]);
  history.replaceState(history.state, '', `?${kept}`);
}

export interface WordChoices {
  /** Take a term to the words. That takes a search for all of the words: one for the most important ones finds more with every word. */
  narrow(term: string): void;
  /** What the words wish for no longer counts. */
  dropWish(kind: string): void;
  /** Takes both back where the words have changed. */
  endWhereOver(): void;
}

export function createWordChoices(form: HTMLFormElement, field: HTMLInputElement): WordChoices {
  const hidden = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`, form);
  const [model, without] = [hidden('model'), hidden('without')];
  let words = field.value.trim();
  return {
    narrow(term) {
      field.value = words = `${field.value.trim()} ${term}`.trim();
      model.value = 'strict';
    },
    dropWish(kind) {
      without.value = `${without.value} ${kind}`.trim();
    },
    endWhereOver() {
      const isSame = field.value.trim() === words;
      words = field.value.trim();
      if (!isSame) for (const choice of [model, without]) choice.value = '';
    },
  };
}
