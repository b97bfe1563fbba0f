import { randomUUID } from 'node:crypto';
import { initialDefaults, type SearchDefaults } from '#domain/tenant';
import type { SearchForm } from '../search-view/search-form.ts';
import {
  dropSearchChoices,
  EVERY_TOPIC,
  readSearchForm,
  readTypedSearch,
  writeSearchForm,
} from '../search-view/search-form.ts';
import { readStrictQuery } from '../strict-paths.ts';
import type { HomeFaceDeps } from './deps.ts';

export const ITEMS_PER_PAGE = 10;
export const LISTS_MS = 1_500;

/** The widest search that still ranks well: any word. */
export const homeDefaults: SearchDefaults = { ...initialDefaults, model: 'extended', itemsPerPage: ITEMS_PER_PAGE };

/** @param address path and query of a request: `/?q=python&type=mooc&page=2` */
export const readSearchAddress = (address: string): SearchForm =>
  readSearchForm(readStrictQuery({ originalUrl: address }));

/** As `readSearchAddress`, with the providers of the host by their names. */
export const readTypedSearchAddress = (address: string, { discovery, clock }: HomeFaceDeps): Promise<SearchForm> =>
  readTypedSearch(readStrictQuery({ originalUrl: address }), {
    clock,
    lists: () => discovery.lists({ timeoutMs: LISTS_MS }),
  });

/** With some choices changed, on the first page by default, without defaults.
 *  @example writeAddress(readSearchAddress('/?q=python'), { page: 2 }) // '/?q=python&page=2' */
export function writeAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm({ ...form, topic: [] }, changes);
  return query.size === 0 ? '/' : `/?${query}`;
}

/** Without some of the filters. @param fields names of form fields, separated by blanks */
export const writeWiderSearchAddress = (form: SearchForm, fields: string): string =>
  writeAddress(dropSearchChoices(form, fields));

/** Nothing chosen is the overview. @param query as `topic=0613&lang=fr&page=2` */
export const readBrowseAddress = (query: URLSearchParams): SearchForm => ({
  ...readSearchForm(query),
  q: '',
  without: [],
  model: '',
});

/** Stands in an address for the value that varies; nobody can ask for it. */
const PLACE = randomUUID();

/** Writes addresses that differ in one value, such as the thousands of topics of a page.
 *  @param write encodes the value as a form does */
export function searchAddressWriter(write: (value: string) => string): (value: string) => string {
  let parts: readonly string[] | undefined;
  return (value) => {
    if (value === '') return write(value);
    parts ??= write(PLACE).split(PLACE);
    const [before = '', after = ''] = parts;
    return before + new URLSearchParams([['', value]]).toString().slice(1) + after;
  };
}

/** On the first page by default, without defaults.
 *  @example writeBrowseAddress(emptyForm, { topic: ['0613'] }) // '/browse?topic=0613' */
export function writeBrowseAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm(form, changes);
  query.delete('q');
  if (query.size === (query.has('page') ? 1 : 0)) query.append('topic', EVERY_TOPIC);
  return `/browse?${query}`;
}
