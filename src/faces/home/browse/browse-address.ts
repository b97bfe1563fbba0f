import {
  EVERY_TOPIC,
  readSearchForm,
  type SearchForm,
  writeSearchForm,
} from '#faces/search-view/search-form';

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
