import { setTimeout as pause } from 'node:timers/promises';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { UpstreamOutcome } from '#ports/upstream';
import type { UpstreamKeyName } from '#services/host/secrets';
import type { ShownKey, UpstreamHealth } from '#services/searching/upstreams';
import type { AdminDeps } from '../deps.ts';

export type Connection = Awaited<ReturnType<typeof describeConnection>>;

export type Health =
  /** The embedded engine answers. */
  | { readonly state: 'own' }
  /** The tenant is disabled, so its upstream is not tested. */
  | { readonly state: 'off' }
  | { readonly state: 'checking' }
  | { readonly state: 'well'; readonly checkedAt: Date }
  | { readonly state: 'ill'; readonly checkedAt: Date; readonly outcome: UpstreamOutcome }
  /** The keys of this host cannot decrypt a saved key, so the upstream was not tested. */
  | { readonly state: 'unreadable' };

const keyLabels: Readonly<Record<UpstreamKeyName, string>> = {
  'upstream-api-key': 'upstream.apiKey',
  'marketplace-key': 'upstream.marketplaceKey',
};

export async function describeConnection({ upstreams }: AdminDeps, tenant: TenantRecord, health: Health) {
  const keys = await upstreams.findKeys(tenant.id, tenant.upstream);
  return { tenant, servers: listServers(tenant), keys: keys.map(toSavedKey), health };
}

/** Names of the servers that are called; empty for the embedded engine. */
function listServers({ upstream }: TenantRecord): string[] {
  if (upstream.kind === 'local') return [];
  const urls = upstream.kind === 'direct' ? [upstream.url] : [upstream.marketplaceUrl, upstream.url];
  return [...new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url)))];
}

/** The label is a key of the catalogues. No part is shown of a key that is too short. */
function toSavedKey({ name, hint, isReadable }: ShownKey) {
  const state = hint === null ? 'missing' : isReadable ? 'saved' : 'unreadable';
  return { label: keyLabels[name], state, lastFour: hint?.lastFour ?? null } as const;
}

const MAX_CHECKS = 10;
const MAX_WAITING = 1000;

/** Limits the tests of connections that run at once on this host. */
export function createHealthCheckLimit() {
  return limitConcurrency({
    running: MAX_CHECKS,
    waiting: MAX_WAITING,
    tooMany: () => new AppError('RATE_LIMITED', 'Too many connections are being checked. Try again in a minute.'),
  });
}

/** Tests one upstream, however long it takes. */
export async function checkConnection(
  { limitHealthChecks, upstreams }: AdminDeps,
  { id, status, upstream }: TenantRecord,
): Promise<Health> {
  if (status !== 'active') return { state: 'off' };
  if (upstream.kind === 'local') return { state: 'own' };
  try {
    const health = await limitHealthChecks(() => upstreams.findHealth(id));
    return health === null ? { state: 'own' } : toHealth(health);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return { state: 'unreadable' };
    throw error;
  }
}

/** A failed or late test is `checking`: its failure appears when the page asks for it alone. */
export async function checkConnections(deps: AdminDeps, tenants: readonly TenantRecord[], waitMs: number) {
  const patience = new AbortController();
  const late = pause<Health>(waitMs, { state: 'checking' }, { signal: patience.signal });
  // After an abort, nobody waits for the test any more.
  late.catch(() => undefined);
  const checkSafely = (tenant: TenantRecord) =>
    checkConnection(deps, tenant).catch((): Health => ({ state: 'checking' }));
  const healths = await Promise.all(tenants.map((tenant) => Promise.race([checkSafely(tenant), late])));
  patience.abort();
  return healths;
}

function toHealth({ checkedAt, calls }: UpstreamHealth): Health {
  const failed = calls.find(({ outcome }) => outcome !== 'ok');
  if (failed === undefined) return { state: 'well', checkedAt };
  return { state: 'ill', checkedAt, outcome: failed.outcome };
}
