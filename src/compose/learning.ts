import { LRUCache } from 'lru-cache';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createObjectLayers, type ObjectLayers } from '#services/catalogue/objects/object-layers';
import type { Usage } from '#services/host/usage';
import { createAnswerCache } from '#services/searching/answer-cache/answer-cache';
import { type Browsing, createBrowsing } from '#services/searching/browsing';
import { createDiscovery, type Discovery } from '#services/searching/discovery/discovery';
import { createSlowProviders } from '#services/searching/discovery/provider-calls';
import { createSearchSessions } from '#services/searching/discovery/search-sessions';
import { createTenantAnswers } from '#services/searching/tenant-answers';
import { createTenantLearning, type TenantLearning } from '#services/searching/tenant-learning';
import type { TenantUpstreams } from '#services/searching/upstreams';

export interface LearningPartsDeps {
  readonly store: Pick<Store, 'answers' | 'objectLayers' | 'placements'>;
  /** Whether the hosts of the store share what upstreams answered. */
  readonly shareAnswers: boolean;
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

export interface LearningParts {
  /** Finding things for a tenant's people. Answers may be stale, and say so. */
  discoveryOf(tenantId: string): Discovery;
  /** Looking around without words, for the same people. */
  browsingOf(tenantId: string): Browsing;
  /** Discovery for an administrator who tries something out: nothing is counted. */
  trialOf(tenantId: string): Discovery;
  /** The operations as they go over the wire. It cannot say that an answer is stale, so none is. */
  learningOf(tenantId: string): TenantLearning;
  /** What is changed of the objects of each tenant. */
  readonly layers: ObjectLayers;
}

/** Bytes of upstream answers in this process; their written form may take as much again. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TENANTS = 1_000;

export function createLearningParts(deps: LearningPartsDeps): LearningParts {
  const { store, shareAnswers, upstreams, usage, clock, onProblem } = deps;
  const layers = createObjectLayers({ objectLayers: store.objectLayers, clock });
  const shared = shareAnswers ? { shared: store.answers } : {};
  const slowProviders = createSlowProviders(clock);
  const cache = createAnswerCache({ clock, maxBytes: MAX_BYTES, onProblem, ...shared });

  /** Each keeps sessions of its own: what was shown as stale is not for those who cannot be told. */
  function createFinder({ allowStale = true, isCounted = true } = {}) {
    const sessions = createSearchSessions({ clock });
    return (tenantId: string) => {
      const answers = createTenantAnswers({ upstreams, cache, layers, clock, allowStale }, tenantId);
      const discovery = createDiscovery({
        answers,
        sessions,
        slowProviders,
        async scope() {
          const { stamp } = await upstreams.connectionOf(tenantId);
          return `${tenantId} ${stamp} ${(await layers.layerOf(tenantId)).stamp}`;
        },
        count: (metric) => isCounted && usage.count(tenantId, metric),
        clock,
        onProblem,
      });
      return { answers, discovery };
    };
  }

  const findForPeople = createFinder();
  const findForTrials = createFinder({ isCounted: false });
  const findForTheWire = createFinder({ allowStale: false });
  return {
    layers,
    discoveryOf: keepByTenant((tenantId) => findForPeople(tenantId).discovery),
    browsingOf: keepByTenant((tenantId) => {
      const { answers } = findForPeople(tenantId);
      return createBrowsing({ answers, placements: store.placements, layers, clock }, tenantId);
    }),
    trialOf: keepByTenant((tenantId) => findForTrials(tenantId).discovery),
    learningOf: keepByTenant((tenantId) =>
      createTenantLearning({ ...findForTheWire(tenantId), usage }, tenantId),
    ),
  };
}

/** Made once for each tenant: they hold nothing of a request. */
function keepByTenant<T extends object>(make: (tenantId: string) => T): (tenantId: string) => T {
  const made = new LRUCache<string, T>({ max: MAX_TENANTS, memoMethod: make });
  return (tenantId) => made.memo(tenantId);
}
