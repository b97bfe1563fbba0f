import { isInAdminScope, type TenantScope } from '#domain/admin';
import type { Page, TenantRecord } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { Tenants } from '#services/tenants/tenants';
import { createTenantAccessError } from '../access.ts';
import { createListModel, type ListChoice, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, get, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

type TenantListPart = 'keys' | 'registrations' | 'workspaces' | 'assistants';

interface TenantList<T extends { readonly tenantId: string }, S extends string> {
  readonly part: TenantListPart;
  readonly sorts: readonly [S, ...S[]];
  readonly descending?: boolean;
  find(wanted: ListChoice<S> & { readonly scope: TenantScope }, context: SignedInContext): Promise<Page<T>>;
  /** @param list what the view of every such list takes, beside its rows */
  show(
    rows: readonly (T & { readonly tenantName: string })[],
    list: ListParts,
    context: SignedInContext,
  ): Reply | Promise<Reply>;
}

interface ListParts {
  readonly list: object;
  /** Id of the tenant that the list is narrowed to; empty for all that one sees. */
  readonly chosen: string;
  readonly choices: readonly TenantChoice[];
  readonly scope: TenantScope;
  /** Below `/admin`: where a new one is made. */
  readonly newPath: string;
}

/** Routes of the list, for all tenants and for one, and of the tenant for a new item. */
export function tenantListRoutes<T extends { readonly tenantId: string }, S extends string>({
  part,
  ...listed
}: TenantList<T, S>): AdminRoute[] {
  const showPart = (context: SignedInContext) => makeTenantList(context, { part, ...listed });
  return [
    get(`/${part}`, 'viewer', showPart),
    get(`/tenants/:tenantId/${part}`, 'viewer', showPart),
    get(`/${part}/new`, 'manager', (context) => chooseTenant(context, part)),
  ];
}

async function makeTenantList<T extends { readonly tenantId: string }, S extends string>(
  context: SignedInContext,
  { part, sorts, descending, find, show }: TenantList<T, S>,
): Promise<Reply> {
  const { params, query: sent, signedIn, tenants } = context;
  const { tenants: visible } = signedIn.admin;
  const query = new URLSearchParams(sent);
  const chosen = params.tenantId ?? query.get('tenant') ?? '';
  if (chosen !== '') query.set('tenant', chosen);
  const choice = readListChoice(query, sorts, descending);
  const scope = narrowToChosenTenant(visible, chosen);
  if (chosen !== '') await tenants.getTenant(chosen);
  const [result, choices] = await Promise.all([
    find({ ...choice, scope }, context),
    readTenantChoices(tenants, visible),
  ]);
  const names = await findTenantNames(tenants, result.items);
  const rows = result.items.map((item) => ({ ...item, tenantName: names.get(item.tenantId) ?? item.tenantId }));
  const list = createListModel({ path: `/${part}`, query, choice }, result);
  const newPath = getNewPath(part, chosen, choices);
  return show(rows, { list, chosen, choices, scope, newPath }, context);
}

/** The tenant of a person with only one needs no choice. */
async function chooseTenant({ query, signedIn, tenants }: SignedInContext, part: TenantListPart): Promise<Reply> {
  const { tenants: visible } = signedIn.admin;
  const chosen = query.get('tenant');
  if (chosen) {
    if (!isInAdminScope(visible, chosen)) throw createTenantAccessError(chosen);
    const { id } = await tenants.getTenant(chosen);
    return makeRedirect(getNewPath(part, id, []));
  }
  const choices = await readTenantChoices(tenants, visible);
  return choices.length === 1
    ? makeRedirect(getNewPath(part, '', choices))
    : makePage('tenant-choice', { part, choices });
}

/** In the only tenant or the chosen one; without either, the page that asks for the tenant. */
function getNewPath(part: TenantListPart, chosen: string, choices: readonly TenantChoice[]): string {
  const [only, ...more] = choices;
  const id = only !== undefined && more.length === 0 ? only.id : chosen;
  return id === '' ? `/${part}/new` : `/tenants/${id}/${part}/new`;
}

/** More choices would be unusable; the page of each tenant leads to everything as well. */
const MAX_CHOICES = 500;

export type TenantChoice = { readonly id: string; readonly name: string };

/** The tenants of a scope by name. @param isOffered of those that are not being deleted */
export async function readTenantChoices(
  tenants: Tenants,
  scope: TenantScope,
  isOffered: (tenant: TenantRecord) => boolean = () => true,
): Promise<TenantChoice[]> {
  const choices: TenantChoice[] = [];
  const byName = { scope, search: '', sort: 'name', descending: false } as const;
  const all = readEveryItem((part) => tenants.listTenants({ ...byName, ...part }), MAX_CHOICES);
  for await (const tenant of all)
    if (tenant.status !== 'deleting' && isOffered(tenant)) choices.push({ id: tenant.id, name: tenant.name });
  return choices;
}

/** The scope of `?tenant=`, or the whole one. Errors: TENANT_UNKNOWN. */
export function narrowToChosenTenant(scope: TenantScope, chosen: string | null): TenantScope {
  if (!chosen) return scope;
  if (!isInAdminScope(scope, chosen)) throw createTenantAccessError(chosen);
  return [chosen];
}

export const withChosenTenant = (choices: readonly TenantChoice[], id: string): readonly TenantChoice[] =>
  id === '' || choices.some((choice) => choice.id === id) ? choices : [...choices, { id, name: id }];

/** The names of the tenants in order, and the ids of missing ones; null for every tenant. */
export async function describeTenants(
  tenants: Pick<Tenants, 'findTenant'>,
  scope: TenantScope,
): Promise<readonly string[] | null> {
  if (scope === null) return null;
  const names = await Promise.all(scope.map(async (id) => (await tenants.findTenant(id))?.name ?? id));
  return names.sort((a, b) => a.localeCompare(b));
}

/** Names of the tenants of some records by id; the id itself if one is gone. */
export async function findTenantNames(
  tenants: Pick<Tenants, 'findTenant'>,
  records: readonly { readonly tenantId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(records.map(({ tenantId }) => tenantId))];
  const result = await Promise.all(ids.map((id) => tenants.findTenant(id)));
  return new Map(ids.map((id, index) => [id, result[index]?.name ?? id]));
}
