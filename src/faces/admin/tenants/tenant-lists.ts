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
  /** @param list the part of the model that all such lists have */
  show(
    rows: readonly (T & { readonly tenantName: string })[],
    list: ListParts,
    context: SignedInContext,
  ): Reply | Promise<Reply>;
}

interface ListParts {
  readonly list: object;
  /** Id of the tenant that the list is narrowed to; empty for all visible tenants. */
  readonly chosen: string;
  readonly choices: readonly TenantChoice[];
  readonly scope: TenantScope;
  /** Path below `/admin` of the page for a new item. */
  readonly newPath: string;
}

/** Makes the routes of a list, for all tenants and for one, and of its "new" button. */
export function makeTenantListRoutes<T extends { readonly tenantId: string }, S extends string>(
  list: TenantList<T, S>,
): AdminRoute[] {
  const { part } = list;
  const showPart = (context: SignedInContext) => showTenantList(context, list);
  return [
    get(`/${part}`, 'viewer', showPart),
    get(`/tenants/:tenantId/${part}`, 'viewer', showPart),
    get(`/${part}/new`, 'manager', (context) => chooseTenant(context, part)),
  ];
}

async function showTenantList<T extends { readonly tenantId: string }, S extends string>(
  context: SignedInContext,
  { part, sorts, descending, find, show }: TenantList<T, S>,
): Promise<Reply> {
  const { params, signedIn, tenants } = context;
  const { tenants: visible } = signedIn.admin;
  const query = new URLSearchParams(context.query);
  const chosen = params.tenantId ?? query.get('tenant') ?? '';
  if (chosen !== '') query.set('tenant', chosen);
  const choice = readListChoice(query, sorts, descending);
  const scope = narrowToChosenTenant(visible, chosen);
  if (chosen !== '') await tenants.getTenant(chosen);
  const [result, choices] = await Promise.all([
    find({ ...choice, scope }, context),
    readTenantChoices(tenants, visible),
  ]);
  const rows = await addTenantNames(tenants, result.items);
  const list = createListModel({ path: `/${part}`, query, choice }, result);
  const newPath = makeNewPath(part, chosen, choices);
  return show(rows, { list, chosen, choices, scope, newPath }, context);
}

/** Asks for the tenant of a new item, unless it is given or the person has only one. */
async function chooseTenant({ query, signedIn, tenants }: SignedInContext, part: TenantListPart): Promise<Reply> {
  const { tenants: visible } = signedIn.admin;
  const chosen = query.get('tenant');
  if (chosen) {
    if (!isInAdminScope(visible, chosen)) throw createTenantAccessError(chosen);
    const { id } = await tenants.getTenant(chosen);
    return makeRedirect(makeNewPath(part, id, []));
  }
  const choices = await readTenantChoices(tenants, visible);
  return choices.length === 1
    ? makeRedirect(makeNewPath(part, '', choices))
    : makePage('tenant-choice', { part, choices });
}

/** Makes the path for a new item of the only or chosen tenant, else of the page that asks. */
function makeNewPath(part: TenantListPart, chosen: string, choices: readonly TenantChoice[]): string {
  const [first, second] = choices;
  const id = first !== undefined && second === undefined ? first.id : chosen;
  return id === '' ? `/${part}/new` : `/tenants/${id}/${part}/new`;
}

/** How many choices are offered: the page of each tenant leads to everything as well. */
const MAX_CHOICES = 500;

export type TenantChoice = { readonly id: string; readonly name: string };

/** Reads tenants by name, but none that is being deleted. @param isOffered filters them */
export async function readTenantChoices(
  tenants: Tenants,
  scope: TenantScope,
  isOffered: (tenant: TenantRecord) => boolean = () => true,
): Promise<TenantChoice[]> {
  const choices: TenantChoice[] = [];
  const byName = { scope, search: '', sort: 'name', descending: false } as const;
  const records = readEveryItem((page) => tenants.listTenants({ ...byName, ...page }), MAX_CHOICES);
  for await (const tenant of records)
    if (tenant.status !== 'deleting' && isOffered(tenant)) choices.push({ id: tenant.id, name: tenant.name });
  return choices;
}

/** Narrows a scope to the tenant of `?tenant=`, if one is chosen. Errors: TENANT_UNKNOWN. */
export function narrowToChosenTenant(scope: TenantScope, chosen: string | null): TenantScope {
  if (!chosen) return scope;
  if (!isInAdminScope(scope, chosen)) throw createTenantAccessError(chosen);
  return [chosen];
}

/** Adds the chosen tenant, which may be missing among many. */
export const withChosenTenant = (choices: readonly TenantChoice[], id: string): readonly TenantChoice[] =>
  id === '' || choices.some((choice) => choice.id === id) ? choices : [...choices, { id, name: id }];

/** Lists the names of a scope's tenants, or the id of a missing one; null for all tenants. */
export async function describeTenants(
  tenants: Pick<Tenants, 'findTenant'>,
  scope: TenantScope,
): Promise<readonly string[] | null> {
  if (scope === null) return null;
  const names = await Promise.all(scope.map(async (id) => (await tenants.findTenant(id))?.name ?? id));
  return names.sort((a, b) => a.localeCompare(b));
}

/** Adds the name of each record's tenant, or the id of a missing one; '' for no tenant. */
export async function addTenantNames<T extends { readonly tenantId: string | null }>(
  tenants: Pick<Tenants, 'findTenant'>,
  records: readonly T[],
): Promise<(T & { readonly tenantName: string })[]> {
  const ids = [...new Set(records.flatMap(({ tenantId }) => tenantId ?? []))];
  const names = ids.map(async (id) => [id, (await tenants.findTenant(id))?.name ?? id] as const);
  const nameById = new Map(await Promise.all(names));
  return records.map((record) => {
    const { tenantId } = record;
    return { ...record, tenantName: nameById.get(tenantId ?? '') ?? tenantId ?? '' };
  });
}
