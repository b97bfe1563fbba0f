import { isInScope, type TenantScope } from '#domain/admin';
import type { Page } from '#ports/store/store';
import { createTenantAccessError } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { createListModel, type ListChoice, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowToChosenTenant, readTenantChoices, type TenantChoice } from './tenant-choices.ts';

type TenantListPart = 'keys' | 'registrations' | 'workspaces' | 'assistants';

/** A list of what belongs to tenants. */
export interface TenantList<T extends { readonly tenantId: string }, S extends string> {
  /** Its name in addresses, below `/` and below `/tenants/:tenantId/`. */
  readonly part: TenantListPart;
  /** As `readListChoice` takes them. */
  readonly sorts: readonly [S, ...S[]];
  readonly descending?: boolean;
  find(wanted: ListChoice<S> & { readonly scope: TenantScope }, deps: AdminDeps): Promise<Page<T>>;
  /** @param list what the view of every such list takes, beside its rows */
  show(
    rows: readonly (T & { readonly tenantName: string })[],
    list: ListParts,
    words: Pick<SignedInContext, 't' | 'locale'>,
    deps: AdminDeps,
  ): Reply | Promise<Reply>;
}

interface ListParts {
  readonly list: object;
  /** Id of the tenant that the list is narrowed to; empty for all that one sees. */
  readonly chosen: string;
  readonly choices: readonly TenantChoice[];
  /** The tenants of the list. */
  readonly scope: TenantScope;
  /** Below `/admin`: where a new one is made. */
  readonly newPath: string;
}

/** Routes of the list, for all tenants that one sees and for one of them, and of the question which
 *  tenant a new item is for. */
export function tenantListRoutes<T extends { readonly tenantId: string }, S extends string>({
  part,
  ...listed
}: TenantList<T, S>): AdminRoute[] {
  const list = (context: SignedInContext, deps: AdminDeps) => listOfTenants(context, deps, { part, ...listed });
  return [
    { method: 'get', path: `/${part}`, access: 'viewer', handle: list },
    { method: 'get', path: `/tenants/:tenantId/${part}`, access: 'viewer', handle: list },
    {
      method: 'get',
      path: `/${part}/new`,
      access: 'manager',
      handle: (context, deps) => chooseTenant(context, deps, part),
    },
  ];
}

async function listOfTenants<T extends { readonly tenantId: string }, S extends string>(
  { params, query: sent, signedIn, t, locale }: SignedInContext,
  deps: AdminDeps,
  { part, sorts, descending, find, show }: TenantList<T, S>,
): Promise<Reply> {
  const { tenants } = deps;
  const { tenants: visible } = signedIn.admin;
  const query = new URLSearchParams(sent);
  const chosen = params.tenantId ?? query.get('tenant') ?? '';
  if (chosen !== '') query.set('tenant', chosen);
  const choice = readListChoice(query, sorts, descending);
  const scope = narrowToChosenTenant(visible, chosen);
  if (chosen !== '') await tenants.getTenant(chosen);
  const [result, choices] = await Promise.all([find({ ...choice, scope }, deps), readTenantChoices(tenants, visible)]);
  const names = await findTenantNames(tenants, result.items);
  const rows = result.items.map((item) => ({
    ...item,
    tenantName: names.get(item.tenantId) ?? item.tenantId,
  }));
  const list = createListModel({ path: `/${part}`, query, choice }, result);
  const newPath = pathOfNew(part, chosen, choices);
  return show(rows, { list, chosen, choices, scope, newPath }, { t, locale }, deps);
}

/** Known for people with one tenant, else asked for. */
async function chooseTenant(
  { query, signedIn }: SignedInContext,
  { tenants }: AdminDeps,
  part: TenantListPart,
): Promise<Reply> {
  const { tenants: visible } = signedIn.admin;
  const chosen = query.get('tenant');
  if (chosen) {
    if (!isInScope(visible, chosen)) throw createTenantAccessError(chosen);
    const { id } = await tenants.getTenant(chosen);
    return makeRedirect(pathOfNew(part, id, []));
  }
  const choices = await readTenantChoices(tenants, visible);
  return choices.length === 1
    ? makeRedirect(pathOfNew(part, '', choices))
    : makePage('tenant-choice', { part, choices });
}

/** In the only tenant or the chosen one, else where it is asked for. */
function pathOfNew(part: TenantListPart, chosen: string, choices: readonly TenantChoice[]): string {
  const [only, ...more] = choices;
  const id = only !== undefined && more.length === 0 ? only.id : chosen;
  return id === '' ? `/${part}/new` : `/tenants/${id}/${part}/new`;
}
