import { isInAdminScope, type TenantScope } from '#domain/admin';
import type { Page } from '#ports/store/store';

export const PAGE_SIZE = 25;
const MAX_SEARCH = 100;
const MAX_PAGE = 10_000;
/** Parameters that are no choices of a list: the page and the notice. */
const transientNames = ['page', 'notice', 'count'];

export interface ListChoice<S extends string> {
  readonly search: string;
  readonly sort: S;
  readonly descending: boolean;
  readonly page: number;
  readonly pageSize: number;
}

/** Reads `q`, `sort`, `dir` and `page`; unusable values count as not chosen.
 *  @param sorts the first one is the default @param descending whether the default is reversed */
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

/** Makes the model of a list: its numbers, and the addresses of other pages and orders. */
export function createListModel<S extends string>(
  { path, query, choice }: { path: string; query: URLSearchParams; choice: ListChoice<S> },
  { items, total }: Page<unknown>,
) {
  const addressWith = (changes: Readonly<Record<string, string | number | null>>) => {
    const next = new URLSearchParams(query);
    for (const name of transientNames) next.delete(name);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === 0) next.delete(name);
      else next.set(name, String(value));
    }
    const text = next.toString();
    return `/admin${path}${text === '' ? '' : `?${text}`}`;
  };
  const { page, pageSize, sort, descending, search } = choice;
  const direction = descending ? 'descending' : 'ascending';
  return {
    path: `/admin${path}`,
    search,
    total,
    first: items.length === 0 ? 0 : page * pageSize + 1,
    last: page * pageSize + items.length,
    previous: page > 0 ? addressWith({ page: page - 1 }) : null,
    next: (page + 1) * pageSize < total ? addressWith({ page: page + 1 }) : null,
    column: (name: S) => {
      const isCurrent = name === sort;
      return {
        href: addressWith({ sort: name, dir: isCurrent && !descending ? 'desc' : 'asc' }),
        sorted: isCurrent ? direction : null,
      };
    },
    /** Lists the address's filters but `names`, for hidden fields of a form that changes these. */
    kept: (...names: string[]) => [...query].filter(([name]) => ![...transientNames, ...names].includes(name)),
  };
}

const DAY_MS = 86_400_000;

/** Reads `from` and `until` in UTC, both inclusive; an invalid value counts as not chosen. */
function readListPeriod(query: URLSearchParams) {
  const from = readListDay(query.get('from'));
  const until = readListDay(query.get('until'));
  return {
    period: { from, until: until && new Date(until.getTime() + DAY_MS) },
    from: from?.toISOString().slice(0, 10) ?? '',
    until: until?.toISOString().slice(0, 10) ?? '',
  };
}

/** Reads the tenant, to which it narrows `tenants`, the days and, with `text`, other fields. */
export function readListFilter(query: URLSearchParams, scope: TenantScope) {
  const readText = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_SEARCH);
  const tenant = isInAdminScope(scope, readText('tenant')) ? readText('tenant') : '';
  return { text: readText, tenant, tenants: tenant === '' ? scope : [tenant], ...readListPeriod(query) };
}

/** Describes a filter for the audit trail, but no text: it may name somebody who is erased. */
export function describeListFilter<N extends string>(names: readonly N[], values: Readonly<Record<N, string>>) {
  const chosen = names.filter((name) => values[name] !== '');
  return Object.fromEntries(chosen.map((name) => [name, name === 'q' ? '…' : values[name]]));
}

function readListDay(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}
