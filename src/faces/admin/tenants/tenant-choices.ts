import type { TenantScope } from '../../../domain/admin.ts';
import { covers } from '../../../domain/admin.ts';
import { everyItem } from '../../../services/every-item.ts';
import type { Tenants } from '../../../services/tenants/tenants.ts';
import { tenantUnknown } from '../access.ts';

/** More would make a list to choose from unusable; the page of each tenant leads to what is its own, too. */
const MAX_CHOICES = 500;

export interface TenantChoice {
  readonly id: string;
  readonly name: string;
}

/** The tenants of a scope by name, for a list to choose from. */
export async function readTenantChoices(tenants: Tenants, scope: TenantScope): Promise<TenantChoice[]> {
  const choices: TenantChoice[] = [];
  const wanted = { scope, search: '', sort: 'name', descending: false } as const;
  const all = everyItem((part) => tenants.listTenants({ ...wanted, ...part }), MAX_CHOICES);
  for await (const { id, name, status } of all) if (status !== 'deleting') choices.push({ id, name });
  return choices;
}

/** The scope that a list is narrowed to by `?tenant=`; the whole scope where none is chosen. Errors: TENANT_UNKNOWN. */
export function narrowScope(scope: TenantScope, chosen: string | null): TenantScope {
  if (!chosen) return scope;
  if (!covers(scope, chosen)) throw tenantUnknown(chosen);
  return [chosen];
}

/** What is chosen can be seen also where the list does not have it. */
export function withChosenTenant(choices: readonly TenantChoice[], id: string): readonly TenantChoice[] {
  return id === '' || choices.some((choice) => choice.id === id) ? choices : [...choices, { id, name: id }];
}
