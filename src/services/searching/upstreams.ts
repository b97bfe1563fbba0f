import { LRUCache } from 'lru-cache';
import { markEnteredUpstream, type Upstream } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { Store } from '#ports/store/store';
import type { UpstreamCall, UpstreamConnection, Upstreams } from '#ports/upstream';
import { bindState } from '#services/host/bind-state';
import type { Secrets } from '#services/host/secrets';
import { getActiveTenant, getLivingTenant } from '#services/tenants/tenant-records';
import * as upstreamKeys from '#services/tenants/upstream-keys';

export type { ShownKey } from '#services/tenants/upstream-keys';

/** The form of the admin page. An empty key stands for the saved key of this address. */
interface UpstreamDraft {
  readonly upstream: Upstream;
  readonly isByOwner?: boolean;
  readonly apiKey?: string;
  readonly marketplaceKey?: string;
}

interface UpstreamHealth {
  readonly checkedAt: Date;
  /** One call of each kind, as `Upstreams.test` makes them. */
  readonly calls: readonly UpstreamCall[];
}

/** The service that answers for a tenant: an upstream, or the built-in engine. */
export type TenantConnection = UpstreamConnected | (Connected & Record<'upstream' | 'feedbackOrigin', null>);

interface Connected {
  readonly learning: LearningService;
  /** Changes with the connection: answers that are cached for the old one are not used. */
  readonly stamp: string;
}

export interface UpstreamConnected extends Connected {
  /** Host of the upstream. */
  readonly upstream: string;
  /** Origin that feedback goes to. */
  readonly feedbackOrigin: string | null;
}

interface UpstreamsDeps extends Pick<Store, 'tenants'> {
  readonly secrets: Secrets;
  readonly upstreams: Upstreams;
  readonly local: LearningService;
  readonly clock: Clock;
}

interface UpstreamsState extends UpstreamsDeps {
  readonly connected: LRUCache<string, TenantConnection>;
  readonly health: LRUCache<string, UpstreamHealth, UpstreamConnection>;
}

/** Cache time of connections. */
const RECENT_MS = 500;
const HEALTH_MS = 60_000;
const MAX_TENANTS = 1_000;

/** Connects tenants with the services that answer for them, and tests these. */
export function createTenantUpstreams(deps: UpstreamsDeps) {
  const options = { max: MAX_TENANTS, ttlResolution: 0, perf: { now: () => deps.clock.now().getTime() } };
  // Simultaneous callers share one reading or test; a failure is not cached.
  const connected = new LRUCache<string, TenantConnection>({
    ...options,
    ttl: RECENT_MS,
    // An old connection stays in the cache, as it may turn out to be unchanged.
    noDeleteOnStaleGet: true,
    fetchMethod: (id, existing) => connectTenantUpstream(deps, id, existing),
  });
  const health = new LRUCache<string, UpstreamHealth, UpstreamConnection>({
    ...options,
    ttl: HEALTH_MS,
    async fetchMethod(_stamp, _former, { context }) {
      const calls = await deps.upstreams.test(context);
      return { checkedAt: deps.clock.now(), calls };
    },
  });
  return {
    ...bindState({ ...deps, connected, health }, { connectionOf, findLearningAt, testDraft, findHealth }),
    /** Returns the service that answers for a tenant. Errors: those of `connectionOf`. */
    learningOf: async (tenantId: string) => (await connectionOf({ connected }, tenantId)).learning,
    /** Returns the saved keys of a tenant that this upstream takes, as they may be shown. */
    findKeys: (tenantId: string, upstream: Upstream) => upstreamKeys.showKeys(deps.secrets, tenantId, upstream),
  };
}

export type TenantUpstreams = ReturnType<typeof createTenantUpstreams>;

/** Returns a connection that is up to half a second old.
 *  Errors: TENANT_UNKNOWN, TENANT_DISABLED, SECRET_UNREADABLE. */
async function connectionOf({ connected }: Pick<UpstreamsState, 'connected'>, tenantId: string) {
  return connected.get(tenantId) ?? connected.forceFetch(tenantId);
}

async function connectTenantUpstream(
  { tenants, secrets, upstreams, local }: UpstreamsDeps,
  id: string,
  existing: TenantConnection | undefined,
): Promise<TenantConnection> {
  const tenant = await getActiveTenant(tenants, id);
  const stamp = await upstreamKeys.makeUpstreamStamp(secrets, tenant);
  if (existing?.stamp === stamp) return existing;
  const connection = upstreamKeys.toUpstreamConnection(tenant.upstream, await upstreamKeys.readKeys(secrets, tenant));
  const upstream = upstreamKeys.findUpstreamHost(tenant.upstream);
  if (connection === null || upstream === null) return { stamp, learning: local, upstream: null, feedbackOrigin: null };
  const learning = upstreams.connect(connection);
  return { stamp, learning, upstream, feedbackOrigin: upstreamKeys.findUpstreamOrigin(tenant.upstream) };
}

/** Returns null unless the tenant's feedback goes there. Errors: those of `connectionOf`. */
async function findLearningAt({ connected }: UpstreamsState, tenantId: string, origin: string | null) {
  // What is cached may be older than the origin in question.
  for (const forceRefresh of [false, true]) {
    const { learning, feedbackOrigin } = await connected.forceFetch(tenantId, { forceRefresh });
    if (feedbackOrigin === origin) return learning;
  }
  return null;
}

/** Calls the upstream of a form, if it is not the engine. Errors: those of `findHealth`. */
async function testDraft(
  { tenants, secrets, upstreams }: UpstreamsDeps,
  tenantId: string,
  { upstream: typedUpstream, isByOwner = false, ...typedKeys }: UpstreamDraft,
): Promise<readonly UpstreamCall[]> {
  const { id, upstream: before } = await getLivingTenant(tenants, tenantId);
  const upstream = markEnteredUpstream(typedUpstream, { before, isByOwner });
  const typed = { 'upstream-api-key': typedKeys.apiKey, 'marketplace-key': typedKeys.marketplaceKey };
  const names = upstreamKeys.upstreamKeyNames.filter((name) => !typed[name]);
  const keys = { ...typed, ...(await upstreamKeys.readKeys(secrets, { id, upstream }, names)) };
  const connection = upstreamKeys.toUpstreamConnection(upstream, keys);
  return connection === null ? [] : upstreams.test(connection);
}

/** Tests once a minute; null for the built-in engine. Errors: TENANT_UNKNOWN, SECRET_UNREADABLE. */
async function findHealth({ tenants, secrets, health }: UpstreamsState, tenantId: string) {
  const tenant = await getLivingTenant(tenants, tenantId);
  const stamp = await upstreamKeys.makeUpstreamStamp(secrets, tenant);
  const connection = upstreamKeys.toUpstreamConnection(tenant.upstream, await upstreamKeys.readKeys(secrets, tenant));
  return connection === null ? null : health.forceFetch(`${tenantId} ${stamp}`, { context: connection });
}
