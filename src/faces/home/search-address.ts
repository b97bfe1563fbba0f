import { initialDefaults, type SearchDefaults } from '#domain/tenant';
import {
  dropSearchChoices,
  EVERY_TOPIC,
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

/** What an address to browse stands for: nothing chosen is the overview.
 *  @param query of a request: `topic=0613&lang=fr&page=2` */
export function readBrowseAddress(query: URLSearchParams): SearchForm {
  return { ...readSearchForm(query), q: '', without: [], model: '' };
}

/** The address of a page to browse, on its first page unless one is given; what is not chosen is
 *  left out.
 *  @example writeBrowseAddress(emptyForm, { topic: ['0613'] }) // '/browse?topic=0613' */
export function writeBrowseAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm(form, changes);
  query.delete('q');
  if (query.size === (query.has('page') ? 1 : 0)) query.append('topic', EVERY_TOPIC);
  return `/browse?${query}`;
}
