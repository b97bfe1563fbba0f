import type { TenantScope } from '#domain/admin';
import { readEveryItem } from '#services/host/every-item';
import type { ApiKeyView } from '#services/tenants/api-keys';
import type { AdminFaceDeps } from '../deps.ts';
import { describeSlackAppState } from '../workspaces/describe-slack.ts';

/** What the overview says about the API keys of a scope. */
export interface KeySummary {
  /** Tenants that have a key which works now. */
  readonly tenants: ReadonlySet<string>;
  /** Keys that work now. */
  readonly active: number;
  /** Those that end within `EXPIRY_DAYS`, the soonest first. */
  readonly expiring: readonly ExpiringKey[];
  /** False where there are more keys than were read. */
  readonly isComplete: boolean;
}

type ExpiringKey = ApiKeyView & { readonly expiresAt: Date };

export const EXPIRY_DAYS = 14;
const MAX_KEYS = 5000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

export async function summariseKeys(scope: TenantScope, { apiKeys, clock }: AdminFaceDeps): Promise<KeySummary> {
  const now = clock.now();
  const soon = new Date(now.getTime() + EXPIRY_DAYS * DAY_MS);
  const request = { scope, search: '', sort: 'createdAt', descending: true } as const;
  const tenants = new Set<string>();
  const expiring: ExpiringKey[] = [];
  let [active, seen] = [0, 0];
  for await (const key of readEveryItem((page) => apiKeys.listApiKeys({ ...request, ...page }), MAX_KEYS)) {
    seen++;
    const { expiresAt } = key;
    if (key.revokedAt !== null || (expiresAt !== null && expiresAt <= now)) continue;
    active++;
    tenants.add(key.tenantId);
    if (expiresAt !== null && expiresAt <= soon) expiring.push({ ...key, expiresAt });
  }
  expiring.sort((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime());
  return { tenants, active, expiring, isComplete: seen < MAX_KEYS };
}

/** How many platforms are connected, without the course site of this host. */
export async function countPlatforms(scope: TenantScope, { ltiRegistrations }: AdminFaceDeps): Promise<number> {
  // A host makes its own before anybody connects another.
  const order = { search: '', sort: 'createdAt', descending: false, page: 0, pageSize: 100 } as const;
  const { items, total } = await ltiRegistrations.listRegistrations({ scope, ...order });
  return total - items.filter(({ origin }) => origin === 'demo').length;
}

export async function summariseSlack(scope: TenantScope, { slackInstallations, slackCredentials }: AdminFaceDeps) {
  const [settings, { total }, unreadable] = await Promise.all([
    slackCredentials.describe(),
    slackInstallations.listInstallations({ scope, search: '', page: 0, pageSize: 1 }),
    slackInstallations.listUnreadable(scope),
  ]);
  return {
    app: describeSlackAppState(settings),
    workspaces: total,
    unreadable: unreadable.map(({ name }) => name),
  };
}

export async function summariseFeedback(scope: TenantScope, { feedback, clock }: AdminFaceDeps) {
  const now = clock.now().getTime();
  const request = { scope, provider: null, search: '', sort: 'receivedAt', page: 0, pageSize: 1 } as const;
  const ever = { from: null, until: null };
  const [waiting, parked, refused] = await Promise.all([
    feedback.listFeedback({
      ...request,
      state: 'waiting',
      received: { from: null, until: new Date(now - HOUR_MS) },
      descending: false,
    }),
    feedback.listFeedback({ ...request, state: 'parked', received: ever, descending: true }),
    feedback.listFeedback({
      ...request,
      state: 'refused',
      received: { from: new Date(now - WEEK_MS), until: null },
      descending: true,
    }),
  ]);
  return {
    waiting: { count: waiting.total, oldest: waiting.items[0]?.receivedAt ?? null },
    parked: parked.total,
    refused: refused.total,
  };
}

export async function summariseHost({ admins, publicUrl }: AdminFaceDeps) {
  return {
    publicUrl,
    owners: await admins.countAdmins('owner'),
  };
}
