import type { QueryFilter } from '../../domain/learning-object-query.ts';
import type { FilterToDrop } from '../../services/discovery/discovery.ts';
import type { SearchForm } from './search-form.ts';

/** A choice of the form that can be taken back. */
interface Wider {
  readonly label: string;
  readonly changes: Partial<SearchForm>;
}

const choices: Readonly<Partial<Record<QueryFilter, Wider>>> = {
  provider: { label: 'all providers', changes: { provider: '' } },
  type: { label: 'all types', changes: { type: '' } },
  lang: { label: 'all languages', changes: { lang: '' } },
  free: { label: 'paid as well', changes: { free: undefined } },
};

/** What would find something, in the order given. */
export function widerBy(filters: readonly FilterToDrop[]): (Wider & { readonly howMuch: string })[] {
  return filters.flatMap(({ filter, totalItems, isTotalExact }) => {
    const choice = choices[filter];
    return choice === undefined ? [] : [{ ...choice, howMuch: howMuch(totalItems, isTotalExact) }];
  });
}

/** A number that is only about right is not worth showing. */
export function howMuch(totalItems: number, isExact: boolean): string {
  return isExact ? ` (${totalItems.toLocaleString('en')})` : '';
}
