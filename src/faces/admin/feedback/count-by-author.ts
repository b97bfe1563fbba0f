import type { TenantScope } from '../../../domain/admin.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { findTenantNames } from '../tenants/tenant-names.ts';

export interface FoundFeedback {
  readonly total: number;
  /** Of the total, what is not at its upstream yet and will not be sent any more. */
  readonly unsent: number;
  /** Of the total, what was taken by an upstream, which keeps it. */
  readonly elsewhere: number;
  /** By name. */
  readonly tenants: readonly { readonly name: string; readonly count: number }[];
}

/** What one person gave, by their e-mail address in any case. */
export async function countFeedbackOf(
  email: string,
  scope: TenantScope,
  { feedback, tenants }: Pick<AdminFaceDeps, 'feedback' | 'tenants'>,
): Promise<FoundFeedback> {
  const counts = await feedback.countFeedbackOf(scope, email);
  const names = await findTenantNames(tenants, counts);
  const sum = (name: 'count' | 'unsent' | 'elsewhere') =>
    counts.reduce((total, count) => total + count[name], 0);
  const list = counts.map(({ tenantId, count }) => ({ name: names.get(tenantId)!, count }));
  return {
    total: sum('count'),
    unsent: sum('unsent'),
    elsewhere: sum('elsewhere'),
    tenants: list.sort((a, b) => a.name.localeCompare(b.name)),
  };
}
