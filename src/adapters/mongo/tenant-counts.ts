import type { Model } from 'mongoose';
import type { TenantCount } from '../../ports/store/store.ts';
import type { Document } from './collection.ts';
import type { Condition } from './list-page.ts';

/** Does `change` to the documents of one tenant after the other; gives how many there were, in the order of their ids. */
export async function changeOfTenants(
  model: Model<Document>,
  wanted: Condition,
  change: (ofTenant: Condition) => Promise<number>,
): Promise<readonly TenantCount[]> {
  const tenants = ((await model.distinct('tenantId', wanted)) as string[]).sort();
  const counts: TenantCount[] = [];
  for (const tenantId of tenants)
    counts.push({ tenantId, count: await change({ $and: [wanted, { tenantId }] }) });
  // What somebody else changed meanwhile was theirs.
  return counts.filter(({ count }) => count > 0);
}
