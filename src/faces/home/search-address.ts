import { initialDefaults, type SearchDefaults } from '../../domain/tenant.ts';
import { readSearchFormLeniently, type SearchForm } from '../search-view/search-form.ts';

export const ITEMS_PER_PAGE = 10;

/** The widest search that still ranks well: any word, filters kept. */
export const homeDefaults: SearchDefaults = {
  ...initialDefaults,
  model: 'extended',
  match: 'strict',
  itemsPerPage: ITEMS_PER_PAGE,
};

/** Nothing chosen. */
export const emptyForm: SearchForm = readSearchFormLeniently(new URLSearchParams(), homeDefaults);

/** The search that an address of the front page stands for.
 *  @param address path and query of a request: `/?q=python&type=mooc&page=2` */
export function readAddress(address: string): SearchForm {
  const start = address.indexOf('?');
  return readSearchFormLeniently(new URLSearchParams(start < 0 ? '' : address.slice(start)), homeDefaults);
}

/** The address of a search with some choices changed, on its first page unless one is given; defaults are left out.
 *  @example writeAddress(readAddress('/?q=python&type=mooc'), { page: 2 }) // '/?q=python&type=mooc&page=2' */
export function writeAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const { q, provider, type, lang, price, page } = { ...form, page: 0, ...changes };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ q, provider, type, lang, price, page: page || '' }))
    for (const each of [value].flat()) if (each !== '') query.append(name, String(each));
  return query.size === 0 ? '/' : `/?${query}`;
}

/** The address of a search without some of its filters.
 *  @param fields names of form fields, separated by blanks */
export function writeWiderSearchAddress(form: SearchForm, fields: string): string {
  const names = fields.split(' ').filter((name) => name in form) as (keyof SearchForm)[];
  return writeAddress(form, Object.fromEntries(names.map((name) => [name, emptyForm[name]])));
}
