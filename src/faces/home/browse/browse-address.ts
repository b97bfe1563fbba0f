import { EVERY_TOPIC, readSearchFormLeniently, type SearchForm } from '../../search-view/search-form.ts';
import { homeDefaults } from '../search-address.ts';

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
  if (topic.length + provider.length + type.length === 0 && lang + level + price === '')
    query.append('topic', EVERY_TOPIC);
  return `/browse?${query}`;
}
