import type { TenantScope } from '../../../domain/admin.ts';
import type { LtiRegistrations } from '../../../services/lti-registrations/lti-registrations.ts';

/** How many platforms are connected, without the course site of this host. */
export async function countPlatforms(
  registrations: Pick<LtiRegistrations, 'listRegistrations'>,
  scope: TenantScope,
): Promise<number> {
  // A host makes its own before anybody connects another.
  const order = { search: '', sort: 'createdAt', descending: false, page: 0, pageSize: 100 } as const;
  const { items, total } = await registrations.listRegistrations({ scope, ...order });
  return total - items.filter(({ origin }) => origin === 'demo').length;
}
