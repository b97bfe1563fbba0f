import { initialDefaults, type SearchDefaults } from '#domain/tenant';
import {
  dropSearchChoices,
  readSearchForm,
  type SearchForm,
  writeSearchForm,
} from '../search-view/search-form.ts';

export const ITEMS_PER_PAGE = 10;

/** The widest search that still ranks well: any word. */
export const homeDefaults: SearchDefaults = {
  ...initialDefaults,
  model: 'extended',
  itemsPerPage: ITEMS_PER_PAGE,
};

/** The search that an address of the front page stands for.
 *  @param address path and query of a request: `/?q=python&type=mooc&page=2` */
export function readAddress(address: string): SearchForm {
  const start = address.indexOf('?');
  return readSearchForm(new URLSearchParams(start < 0 ? '' : address.slice(start)));
}

/** The address of a search with some choices changed, on its first page unless one is given; what
 *  is not chosen is left out.
 *  @example writeAddress(readAddress('/?q=python&type=mooc'), { page: 2 })
 *  // '/?q=python&type=mooc&page=2' */
export function writeAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm({ ...form, topic: [] }, changes);
  return query.size === 0 ? '/' : `/?${query}`;
}

/** The address of a search without some of its filters.
 *  @param fields names of form fields, separated by blanks */
export function writeWiderSearchAddress(form: SearchForm, fields: string): string {
  return writeAddress(dropSearchChoices(form, fields));
}
