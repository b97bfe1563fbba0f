/** Making a search narrower by a term. That takes a search for all of the words: one for the most important ones finds more
 *  with every word. It lasts as long as the words do. */

export interface Narrowing {
  /** Take a term to the words. */
  add(term: string): void;
  /** Search as before again where there are other words by now. */
  endWhereOver(): void;
}

export function createNarrowing(form: HTMLFormElement, field: HTMLInputElement): Narrowing {
  let narrowed: { readonly words: string; readonly modelBefore: string } | null = null;
  // The filters may come anew.
  const model = () => form.querySelector<HTMLSelectElement>('[name="model"]')!;
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
