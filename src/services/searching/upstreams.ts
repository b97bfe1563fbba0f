import { LRUCache } from 'lru-cache';
import { markEnteredUpstream, type Upstream } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { TenantRepository } from '#ports/store/store';
import type { UpstreamCall, UpstreamConnection, Upstreams } from '#ports/upstream';
import type { Secrets } from '#services/host/secrets';
import { getActiveTenant, getLivingTenant } from '#services/tenants/tenant-records';
import {
  findUpstreamHost,
  findUpstreamOrigin,
  makeUpstreamStamp,
  readKeys,
  showKeys,
  toUpstreamConnection,
  upstreamKeyNames,
} from '#services/tenants/upstream-keys';

export type { ShownKey } from '#services/tenants/upstream-keys';

/** What is in the form of the admin page, saved or not. An empty key means the saved one, if it is
 *  for this address. */
export interface UpstreamDraft {
  readonly upstream: Upstream;
  /** Whether an owner of this host typed it; false when absent. */
  readonly isByOwner?: boolean;
  readonly apiKey?: string;
  readonly marketplaceKey?: string;
}

export interface UpstreamHealth {
  readonly checkedAt: Date;
  /** One of each kind, as `Upstreams.test` makes them. */
  readonly calls: readonly UpstreamCall[];
}

/** The service that answers for a tenant. */
export interface TenantConnection {
  readonly learning: LearningService;
  /** Changes with the connection: answers kept for the old one are not used for the new one. */
  readonly stamp: string;
  /** Host of the upstream; null for our own engine. */
  readonly upstream: string | null;
  /** Origin that feedback goes to; null for our own engine. */
  readonly feedbackOrigin: string | null;
}

/** Knows which service answers for a tenant, and whether it does. */
export type TenantUpstreams = ReturnType<typeof createTenantUpstreams>;

/** What a request finds of a tenant; read again after this time. */
const RECENT_MS = 500;
const HEALTH_MS = 60_000;
const MAX_TENANTS = 1_000;

export function createTenantUpstreams(deps: {
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly upstreams: Upstreams;
  readonly local: LearningService;
  readonly clock: Clock;
}) {
  const { tenants, secrets, upstreams, local, clock } = deps;
  const remembered = { max: MAX_TENANTS, ttlResolution: 0, perf: { now: () => clock.now().getTime() } };
  // Simultaneous callers share one reading or test; a failure is not kept.
  const connected = new LRUCache<string, TenantConnection>({
    ...remembered,
    ttl: RECENT_MS,
    // What is too old is still kept: it may turn out to be unchanged.
    noDeleteOnStaleGet: true,
    fetchMethod: (id, existing) => connect(id, existing),
  });
  const health = new LRUCache<string, UpstreamHealth, UpstreamConnection>({
    ...remembered,
    ttl: HEALTH_MS,
    fetchMethod: async (_stamp, _known, { context }) => {
      const calls = await upstreams.test(context);
      return { checkedAt: clock.now(), calls };
    },
  });

  async function connect(id: string, existing: TenantConnection | undefined): Promise<TenantConnection> {
    const tenant = await getActiveTenant(tenants, id);
    const stamp = await makeUpstreamStamp(secrets, tenant);
    if (existing?.stamp === stamp) return existing;
    const connection = toUpstreamConnection(tenant.upstream, await readKeys(secrets, tenant));
    const learning = connection === null ? local : upstreams.connect(connection);
    const { upstream } = tenant;
    return {
      stamp,
      learning,
      upstream: findUpstreamHost(upstream),
      feedbackOrigin: findUpstreamOrigin(upstream),
    };
  }

  /** The same with what is known of them. Errors: as `learningOf`. */
  const connectionOf = async (tenantId: string) => connected.get(tenantId) ?? connected.forceFetch(tenantId);

  return {
    /** The operations as this tenant gets them. A change of the tenant is seen within a second.
     *  Errors: TENANT_UNKNOWN, TENANT_DISABLED, SECRET_UNREADABLE. */
    learningOf: async (tenantId: string) => (await connectionOf(tenantId)).learning,
    connectionOf,
    /** The operations of the tenant's upstream, as long as its feedback goes to this origin; null
     *  once it goes elsewhere. Errors: as `learningOf`. */
    async findLearningAt(tenantId: string, origin: string | null): Promise<LearningService | null> {
      // What is remembered may be older than the origin in question.
      for (const forceRefresh of [false, true]) {
        const { learning, feedbackOrigin } = await connected.forceFetch(tenantId, { forceRefresh });
        if (feedbackOrigin === origin) return learning;
      }
      return null;
    },
    /** The keys that this upstream takes, as they are saved for the tenant. */
    findKeys: (tenantId: string, upstream: Upstream) => showKeys(secrets, tenantId, upstream),
    /** Real calls with what is in the form; empty for the local engine, which needs none.
     *  Errors: TENANT_UNKNOWN, SECRET_UNREADABLE. */
    async testDraft(
      tenantId: string,
      { upstream: typedUpstream, isByOwner = false, ...typedKeys }: UpstreamDraft,
    ): Promise<readonly UpstreamCall[]> {
      const { id, upstream: before } = await getLivingTenant(tenants, tenantId);
      const upstream = markEnteredUpstream(typedUpstream, { before, isByOwner });
      const typed = { 'upstream-api-key': typedKeys.apiKey, 'marketplace-key': typedKeys.marketplaceKey };
      const names = upstreamKeyNames.filter((name) => !typed[name]);
      const keys = { ...typed, ...(await readKeys(secrets, { id, upstream }, names)) };
      const connection = toUpstreamConnection(upstream, keys);
      return connection === null ? [] : upstreams.test(connection);
    },
    /** The saved connection, tested at most once a minute; null for the local engine.
     *  Errors: TENANT_UNKNOWN, SECRET_UNREADABLE. */
    async findHealth(tenantId: string): Promise<UpstreamHealth | null> {
      const tenant = await getLivingTenant(tenants, tenantId);
      const stamp = await makeUpstreamStamp(secrets, tenant);
      const connection = toUpstreamConnection(tenant.upstream, await readKeys(secrets, tenant));
      if (connection === null) return null;
      return health.forceFetch(`${tenantId} ${stamp}`, { context: connection });
    },
  };
}
