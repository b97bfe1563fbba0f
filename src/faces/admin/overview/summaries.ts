import type { TenantScope } from '../../../domain/admin.ts';
import type { ApiKeys, ShownApiKey } from '../../../services/api-keys.ts';
import { everyItem } from '../../../services/every-item.ts';
import type { LtiRegistrations } from '../../../services/lti-registrations/lti-registrations.ts';

/** What the overview says of the API keys of a scope. */
export interface KeySummary {
  /** Tenants that have a key which works now. */
  readonly tenants: ReadonlySet<string>;
  /** Keys that work now. */
  readonly active: number;
  /** Those of them that end within `EXPIRY_DAYS`, the soonest first. */
  readonly expiring: readonly ShownApiKey[];
  /** False where there are more keys than were looked at. */
  readonly isComplete: boolean;
}

export const EXPIRY_DAYS = 14;
const MAX_KEYS = 5000;
const DAY_MS = 86_400_000;

export async function summariseKeys(apiKeys: ApiKeys, scope: TenantScope, now: Date): Promise<KeySummary> {
  const soon = new Date(now.getTime() + EXPIRY_DAYS * DAY_MS);
  const request = { scope, search: '', sort: 'createdAt', descending: true } as const;
  const tenants = new Set<string>();
  const expiring: ShownApiKey[] = [];
  let [active, seen] = [0, 0];
  for await (const key of everyItem((page) => apiKeys.listApiKeys({ ...request, ...page }), MAX_KEYS)) {
    seen++;
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) continue;
    active++;
    tenants.add(key.tenantId);
    if (key.expiresAt !== null && key.expiresAt <= soon) expiring.push(key);
  }
  expiring.sort((a, b) => a.expiresAt!.getTime() - b.expiresAt!.getTime());
  return { tenants, active, expiring, isComplete: seen < MAX_KEYS };
}

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
