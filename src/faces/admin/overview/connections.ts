import { setTimeout as pause } from 'node:timers/promises';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { UpstreamOutcome } from '#ports/upstream';
import type { UpstreamKeyName } from '#services/host/secrets';
import type { ShownKey, TenantUpstreams, UpstreamHealth } from '#services/searching/upstreams';

/** The upstream of a tenant and its health. */
export interface Connection {
  readonly tenant: TenantRecord;
  /** Names of the servers that are called; empty for the embedded engine. */
  readonly servers: readonly string[];
  /** The keys that this kind of upstream takes. */
  readonly keys: readonly SavedKey[];
  readonly health: Health;
}

/** The health of a tenant's upstream. */
export type Health =
  /** The embedded engine answers. */
  | { readonly state: 'own' }
  /** The tenant is disabled, so its upstream is not tested. */
  | { readonly state: 'off' }
  | { readonly state: 'checking' }
  | { readonly state: 'well'; readonly checkedAt: Date }
  | {
      readonly state: 'ill';
      readonly checkedAt: Date;
      readonly outcome: UpstreamOutcome;
      readonly operation: string;
    }
  /** The keys of this host cannot decrypt a saved key, so the upstream was not tested. */
  | { readonly state: 'unreadable' };

interface SavedKey {
  /** Key of its name in the catalogues. */
  readonly label: string;
  readonly state: 'saved' | 'missing' | 'unreadable';
  /** Null where it is not saved, or too short to show any of it. */
  readonly lastFour: string | null;
}

const keyLabels: Readonly<Record<UpstreamKeyName, string>> = {
  'upstream-api-key': 'upstream.apiKey',
  'marketplace-key': 'upstream.marketplaceKey',
};

export async function describeConnection(
  { tenant, health }: TenantHealth,
  upstreams: TenantUpstreams,
): Promise<Connection> {
  const keys = await upstreams.findKeys(tenant.id, tenant.upstream);
  return { tenant, servers: listServers(tenant), keys: keys.map(toSavedKey), health };
}

function listServers({ upstream }: TenantRecord): string[] {
  if (upstream.kind === 'local') return [];
  const urls = upstream.kind === 'direct' ? [upstream.url] : [upstream.marketplaceUrl, upstream.url];
  return [...new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url)))];
}

function toSavedKey({ name, hint, isReadable }: ShownKey): SavedKey {
  const state = hint === null ? 'missing' : isReadable ? 'saved' : 'unreadable';
  return { label: keyLabels[name], state, lastFour: hint?.lastFour ?? null };
}

interface TenantHealth {
  readonly tenant: TenantRecord;
  readonly health: Health;
}

export interface HealthChecks {
  /** Tests one upstream, however long it takes. */
  check(tenant: TenantRecord): Promise<Health>;
  /** Tests the upstreams, in the order of the tenants. A test that fails or takes longer than
   *  `waitMs` is `checking`. */
  checkAll(tenants: readonly TenantRecord[], waitMs: number): Promise<readonly TenantHealth[]>;
}

const MAX_CHECKS = 10;
const MAX_WAITING = 1000;

export function createConnectionChecks(upstreams: TenantUpstreams): HealthChecks {
  const limited = limitConcurrency({
    running: MAX_CHECKS,
    waiting: MAX_WAITING,
    tooMany: () => new AppError('RATE_LIMITED', 'Too many connections are being checked. Try again in a minute.'),
  });

  async function check({ id, status, upstream }: TenantRecord): Promise<Health> {
    if (status !== 'active') return { state: 'off' };
    if (upstream.kind === 'local') return { state: 'own' };
    try {
      const health = await limited(() => upstreams.findHealth(id));
      return health === null ? { state: 'own' } : toHealth(health);
    } catch (error) {
      if (error instanceof AppError && error.code === 'SECRET_UNREADABLE') return { state: 'unreadable' };
      throw error;
    }
  }

  return {
    check,
    async checkAll(tenants, waitMs) {
      const patience = new AbortController();
      const late = pause<Health>(waitMs, { state: 'checking' }, { signal: patience.signal });
      // After an abort, nobody waits for the test any more.
      late.catch(() => undefined);
      // The failure is ignored here and appears when the page requests this test alone.
      const checkSafely = (tenant: TenantRecord) => check(tenant).catch((): Health => ({ state: 'checking' }));
      const checks = tenants.map(async (tenant) => ({
        tenant,
        health: await Promise.race([checkSafely(tenant), late]),
      }));
      const healths = await Promise.all(checks);
      patience.abort();
      return healths;
    },
  };
}

function toHealth({ checkedAt, calls }: UpstreamHealth): Health {
  const failed = calls.find(({ outcome }) => outcome !== 'ok');
  if (failed === undefined) return { state: 'well', checkedAt };
  const { outcome, operation } = failed;
  return { state: 'ill', checkedAt, outcome, operation };
}
