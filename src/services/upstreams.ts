import { LRUCache } from 'lru-cache';
import type { Upstream } from '../domain/tenant.ts';
import type { Clock } from '../ports/clock.ts';
import type { LearningService } from '../ports/learning-service.ts';
import type { TenantRepository } from '../ports/store.ts';
import type { UpstreamCall, UpstreamConnection, Upstreams } from '../ports/upstream.ts';
import type { SecretName, Secrets } from './secrets.ts';
import {
  getActiveTenant,
  getLivingTenant,
  readSavedUpstream,
  type SavedUpstream,
  stampOf,
  toConnection,
  type UpstreamKeys,
} from './upstream-connections.ts';
import { destinationOf, upstreamKeyNames } from './upstream-keys.ts';

/** What is in the form of the admin page, saved or not. An empty key means the saved one, under the rule of `UpstreamChange`. */
export interface UpstreamDraft {
  readonly upstream: Upstream;
  readonly apiKey?: string;
  readonly marketplaceKey?: string;
}

export interface UpstreamHealth {
  readonly checkedAt: Date;
  /** One of each kind, as `Upstreams.test` makes them. */
  readonly calls: readonly UpstreamCall[];
}

/** Which service answers for a tenant, and whether it does. */
export interface TenantUpstreams {
  /** The operations as this tenant gets them. A change of the tenant is seen within a second.
   *  Errors: TENANT_UNKNOWN, TENANT_DISABLED, SECRET_UNREADABLE. */
  learningOf(tenantId: string): Promise<LearningService>;
  /** Whether our own engine answers for the tenant. Errors: TENANT_UNKNOWN, TENANT_DISABLED. */
  isLocal(tenantId: string): Promise<boolean>;
  /** Real calls with what is in the form; empty for the local engine, which needs none.
   *  Errors: TENANT_UNKNOWN, SECRET_UNREADABLE. */
  testDraft(tenantId: string, draft: UpstreamDraft): Promise<readonly UpstreamCall[]>;
  /** The saved connection, tested at most once a minute; null for the local engine.
   *  Errors: TENANT_UNKNOWN, SECRET_UNREADABLE. */
  findHealth(tenantId: string): Promise<UpstreamHealth | null>;
}

export interface TenantUpstreamsDeps {
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly upstreams: Upstreams;
  readonly local: LearningService;
  readonly clock: Clock;
}

/** What a request finds of a tenant; read again after this time. */
const RECENT_MS = 500;
const HEALTH_MS = 60_000;
const MAX_TENANTS = 1_000;

interface Connected {
  readonly stamp: string;
  readonly learning: LearningService;
}

export function createTenantUpstreams(deps: TenantUpstreamsDeps): TenantUpstreams {
  const { tenants, upstreams, local, clock } = deps;
  const remembered = { max: MAX_TENANTS, ttlResolution: 0, perf: { now: () => clock.now().getTime() } };
  // Callers that ask at once wait for one reading or one test together; what failed is asked again.
  const connected = new LRUCache<string, Connected>({
    ...remembered,
    ttl: RECENT_MS,
    fetchMethod: (id, known) => connect(id, known),
  });
  const health = new LRUCache<string, UpstreamHealth, UpstreamConnection>({
    ...remembered,
    ttl: HEALTH_MS,
    fetchMethod: async (_stamp, _known, { context }) => {
      const calls = await upstreams.test(context);
      return { checkedAt: clock.now(), calls };
    },
  });

  async function connect(id: string, known: Connected | undefined): Promise<Connected> {
    const stamp = await stampOf(deps, await getActiveTenant(tenants, id));
    if (known?.stamp === stamp) return known;
    const { upstream, keys } = await readSavedUpstream(deps, id);
    const connection = toConnection(upstream, keys);
    return { stamp, learning: connection === null ? local : upstreams.connect(connection) };
  }

  return {
    learningOf: async (tenantId) => (await connected.fetch(tenantId))!.learning,
    isLocal: async (tenantId) => (await getActiveTenant(tenants, tenantId)).upstream.kind === 'local',
    async testDraft(tenantId, draft) {
      const typed = { 'upstream-api-key': draft.apiKey, 'marketplace-key': draft.marketplaceKey };
      const names = upstreamKeyNames.filter((name) => !typed[name]);
      const keys = { ...typed, ...keysFor(draft.upstream, await readSavedUpstream(deps, tenantId, names)) };
      const connection = toConnection(draft.upstream, keys);
      return connection === null ? [] : upstreams.test(connection);
    },
    async findHealth(tenantId) {
      const stamp = await stampOf(deps, await getLivingTenant(tenants, tenantId));
      const { upstream, keys } = await readSavedUpstream(deps, tenantId);
      const connection = toConnection(upstream, keys);
      if (connection === null) return null;
      return (await health.fetch(`${tenantId} ${stamp}`, { context: connection }))!;
    },
  };
}

/** Of the saved keys, those that go where they went. */
function keysFor(upstream: Upstream, saved: SavedUpstream): UpstreamKeys {
  const stays = (name: SecretName) => destinationOf(saved.upstream, name) === destinationOf(upstream, name);
  const entries = upstreamKeyNames.flatMap((name) => {
    const key = saved.keys[name];
    return key !== undefined && stays(name) ? [[name, key]] : [];
  });
  return Object.fromEntries(entries);
}
