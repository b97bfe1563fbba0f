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
  const counts = new Map<string, number>();
  const found = { total: 0, unsent: 0, elsewhere: 0 };
  const everything = { scope, state: null, provider: null, received: { from: null, until: null } };
  for await (const record of feedback.readFeedback({ ...everything, search: email })) {
    if (record.email.toLowerCase() !== email.toLowerCase()) continue;
    counts.set(record.tenantId, (counts.get(record.tenantId) ?? 0) + 1);
    found.total++;
    if (record.state === 'waiting' || record.state === 'parked') found.unsent++;
    if (record.state === 'delivered' && record.destination !== null) found.elsewhere++;
  }
  const names = await findTenantNames(
    tenants,
    [...counts.keys()].map((tenantId) => ({ tenantId })),
  );
  const list = [...counts].map(([id, count]) => ({ name: names.get(id)!, count }));
  return { ...found, tenants: list.sort((a, b) => a.name.localeCompare(b.name)) };
}
