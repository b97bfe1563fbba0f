import { isInScope, type TenantScope } from '#domain/admin';
import type { TenantRecord } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { Tenants } from '#services/tenants/tenants';
import { createTenantAccessError } from '../access.ts';

/** More would make a list to choose from unusable; the page of each tenant also leads to everything
 *  it has. */
const MAX_CHOICES = 500;

export interface TenantChoice {
  readonly id: string;
  readonly name: string;
}

/** The tenants of a scope by name, for a list to choose from.
 *  @param isOffered of those that are not being deleted */
export async function readTenantChoices(
  tenants: Tenants,
  scope: TenantScope,
  isOffered: (tenant: TenantRecord) => boolean = () => true,
): Promise<TenantChoice[]> {
  const choices: TenantChoice[] = [];
  const wanted = { scope, search: '', sort: 'name', descending: false } as const;
  const all = readEveryItem((part) => tenants.listTenants({ ...wanted, ...part }), MAX_CHOICES);
  for await (const tenant of all)
    if (tenant.status !== 'deleting' && isOffered(tenant)) choices.push({ id: tenant.id, name: tenant.name });
  return choices;
}

/** The scope that `?tenant=` narrows a list to; the whole scope where none is chosen. Errors:
 *  TENANT_UNKNOWN. */
export function narrowToChosenTenant(scope: TenantScope, chosen: string | null): TenantScope {
  if (!chosen) return scope;
  if (!isInScope(scope, chosen)) throw createTenantAccessError(chosen);
  return [chosen];
}

/** The current choice is shown even where the list does not have it. */
export function withChosenTenant(choices: readonly TenantChoice[], id: string): readonly TenantChoice[] {
  return id === '' || choices.some((choice) => choice.id === id) ? choices : [...choices, { id, name: id }];
}

/** The names of the tenants of a scope, in order, and the ids of those that are gone; null for
 *  every tenant. */
export async function describeTenants(
  tenants: Pick<Tenants, 'findTenant'>,
  scope: TenantScope,
): Promise<readonly string[] | null> {
  if (scope === null) return null;
  const names = await Promise.all(scope.map(async (id) => (await tenants.findTenant(id))?.name ?? id));
  return names.sort((a, b) => a.localeCompare(b));
}

/** Names of the tenants of some records by id; the id itself where one is gone. */
export async function findTenantNames(
  tenants: Pick<Tenants, 'findTenant'>,
  records: readonly { readonly tenantId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(records.map(({ tenantId }) => tenantId))];
  const result = await Promise.all(ids.map((id) => tenants.findTenant(id)));
  return new Map(ids.map((id, index) => [id, result[index]?.name ?? id]));
}
