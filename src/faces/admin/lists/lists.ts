import type { Page } from '../../../ports/store/store.ts';

export const PAGE_SIZE = 25;
const MAX_SEARCH = 100;
const MAX_PAGE = 10_000;
/** What the address says beside how the list is shown: its page, and what was done before. */
const passing = ['page', 'notice', 'count'];

/** What a list's address says. */
export interface ListChoice<S extends string> {
  readonly search: string;
  readonly sort: S;
  readonly descending: boolean;
  readonly page: number;
  readonly pageSize: number;
}

/** Read `q`, `sort`, `dir` and `page`; what cannot be used counts as not chosen.
 *  @param sorts the first is taken when none is chosen
 *  @param descending whether that one is the other way round */
export function readListChoice<S extends string>(
  query: URLSearchParams,
  sorts: readonly [S, ...S[]],
  descending = false,
): ListChoice<S> {
  const sort = sorts.find((name) => name === query.get('sort'));
  const page = Number(query.get('page') ?? '0');
  const dir = query.get('dir');
  return {
    search: (query.get('q') ?? '').trim().slice(0, MAX_SEARCH),
    sort: sort ?? sorts[0],
    descending: dir === null ? sort === undefined && descending : dir === 'desc',
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, MAX_PAGE) : 0,
    pageSize: PAGE_SIZE,
  };
}

/** What `partials/pager.eta`, `partials/list-search.eta` and the headings of a table show. */
export function listModel<S extends string>(
  { path, query, choice }: { path: string; query: URLSearchParams; choice: ListChoice<S> },
  { items, total }: Page<unknown>,
) {
  const address = (changes: Readonly<Record<string, string | number | null>>) => {
    const next = new URLSearchParams(query);
    for (const name of passing) next.delete(name);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === 0) next.delete(name);
      else next.set(name, String(value));
    }
    const text = next.toString();
    return `/admin${path}${text === '' ? '' : `?${text}`}`;
  };
  const { page, pageSize, sort, descending, search } = choice;
  return {
    path: `/admin${path}`,
    search,
    total,
    first: items.length === 0 ? 0 : page * pageSize + 1,
    last: page * pageSize + items.length,
    previous: page > 0 ? address({ page: page - 1 }) : null,
    next: (page + 1) * pageSize < total ? address({ page: page + 1 }) : null,
    /** The heading of a column: where it leads, and `aria-sort`. */
    column: (name: S) => {
      const isCurrent = name === sort;
      return {
        href: address({ sort: name, dir: isCurrent && !descending ? 'desc' : 'asc' }),
        sorted: isCurrent ? (descending ? 'descending' : 'ascending') : null,
      };
    },
    /** The filters of the address but for `names`, as hidden fields of a form that changes those. */
    kept: (...names: string[]) => [...query].filter(([name]) => ![...passing, ...names].includes(name)),
  };
}
