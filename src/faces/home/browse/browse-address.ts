import { readSearchFormLeniently, type SearchForm } from '../../search-view/search-form.ts';
import { emptyForm, homeDefaults } from '../search-address.ts';

/** What an address to browse stands for: nothing chosen is the overview.
 *  @param query of a request: `topic=0613&lang=fr&page=2` */
export function readBrowseAddress(query: URLSearchParams): SearchForm {
  return { ...readSearchFormLeniently(query, homeDefaults), q: '' };
}

/** The address of a page to browse, on its first page unless one is given; what is not chosen is left out.
 *  @example writeBrowseAddress(emptyForm, { topic: ['0613'] }) // '/browse?topic=0613' */
export function writeBrowseAddress(form: SearchForm, changes: Partial<SearchForm> = {}): string {
  const { topic, provider, type, lang, level, price, page } = { ...form, page: 0, ...changes };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ topic, provider, type, lang, level, price, page: page || '' }))
    for (const each of [value].flat()) if (each !== '') query.append(name, String(each));
  return query.size === 0 ? '/browse?all=1' : `/browse?${query}`;
}

/** Whether anything is chosen, or all is wanted. */
export function isBrowseList(form: SearchForm, query: URLSearchParams): boolean {
  return query.has('all') || writeBrowseAddress(form) !== writeBrowseAddress(emptyForm) || form.page > 0;
}
