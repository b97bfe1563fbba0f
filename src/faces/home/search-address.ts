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
/** How long pages wait for the lists of choices. */
export const LISTS_MS = 1_500;

/** Defaults of the front page; `extended` is the widest search that still ranks well. */
export const homeDefaults: SearchDefaults = { ...initialDefaults, model: 'extended', itemsPerPage: ITEMS_PER_PAGE };

/** @param address path and query of a request: `/?q=python&type=mooc&page=2` */
export const readSearchAddress = (address: string): SearchForm =>
  readSearchForm(readStrictQuery({ originalUrl: address }));

/** Like `readSearchAddress`, but also reads names of providers among the words. */
export const readTypedSearchAddress = (address: string, { discovery, clock }: HomeFaceDeps): Promise<SearchForm> =>
  readTypedSearch(readStrictQuery({ originalUrl: address }), {
    clock,
    lists: () => discovery.lists({ timeoutMs: LISTS_MS }),
  });

/** Writes the address of a search with some choices changed, on the first page by default.
 *  @example writeAddress(readSearchAddress('/?q=python'), { page: 2 }) // '/?q=python&page=2' */
export function writeAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm({ ...form, topic: [] }, changes);
  return query.size === 0 ? '/' : `/?${query}`;
}

/** Writes the address without some filters. @param fields names of fields, separated by blanks */
export const writeWiderSearchAddress = (form: SearchForm, fields: string): string =>
  writeAddress(dropSearchChoices(form, fields));

/** @param query of a request: `topic=0613&lang=fr&page=2`; an empty one is the overview */
export const readBrowseAddress = (query: URLSearchParams): SearchForm => ({
  ...readSearchForm(query),
  q: '',
  without: [],
  model: '',
});

/** Stands in an address for the value that varies. It is random, so that no reader can send it. */
const PLACEHOLDER = randomUUID();

/** Speeds up a function that writes addresses that differ in one value, as for the thousands of
 *  topics of a page: it is called once.
 *  @param write encodes the value as a form does */
export function createAddressWriter(write: (value: string) => string): (value: string) => string {
  let parts: readonly string[] | undefined;
  return (value) => {
    if (value === '') return write(value);
    parts ??= write(PLACEHOLDER).split(PLACEHOLDER);
    const [before = '', after = ''] = parts;
    return before + new URLSearchParams([['', value]]).toString().slice(1) + after;
  };
}

/** Writes the address of a browsed page with some choices changed, on the first page by default.
 *  @example writeBrowseAddress(emptyForm, { topic: ['0613'] }) // '/browse?topic=0613' */
export function writeBrowseAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const query = writeSearchForm(form, changes);
  query.delete('q');
  if (query.size === (query.has('page') ? 1 : 0)) query.append('topic', EVERY_TOPIC);
  return `/browse?${query}`;
}
