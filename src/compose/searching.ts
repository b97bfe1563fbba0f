import { LRUCache } from 'lru-cache';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createObjectLayers } from '#services/catalogue/objects/object-layers';
import type { Usage } from '#services/host/usage';
import { createAnswerCache } from '#services/searching/answer-cache';
import { createBrowsing } from '#services/searching/browsing';
import { createDiscovery } from '#services/searching/discovery';
import { createSearchSessions, createSlowProviders } from '#services/searching/discovery/search-sessions';
import { createTenantAnswers } from '#services/searching/tenant-answers';
import { createTenantLearning } from '#services/searching/tenant-learning';
import type { TenantUpstreams } from '#services/searching/upstreams';

/** Size limit of the cached answers in bytes; as text they may take as much again. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TENANTS = 1_000;

export function createSearchingServices(deps: {
  readonly store: Pick<Store, 'answers' | 'objectLayers' | 'placements'>;
  /** Whether the hosts of the store share the answers of upstreams. */
  readonly shareAnswers: boolean;
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}) {
  const { store, shareAnswers, upstreams, usage, clock, onProblem } = deps;
  const layers = createObjectLayers({ objectLayers: store.objectLayers, clock });
  const shared = shareAnswers ? { shared: store.answers } : {};
  const slowProviders = createSlowProviders(clock);
  const cache = createAnswerCache({ clock, maxBytes: MAX_BYTES, onProblem, ...shared });

  /** The three uses share no search sessions: some must not continue with stale answers. */
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
  const findForApi = createFinder({ allowStale: false });
  return {
    layers,
    discoveryOf: cacheByTenant((tenantId) => findForPeople(tenantId).discovery),
    /** Browsing without words, for the same people. */
    browsingOf: cacheByTenant((tenantId) => {
      const { answers } = findForPeople(tenantId);
      return createBrowsing({ answers, placements: store.placements, layers, clock }, tenantId);
    }),
    /** Searching for an administrator who tries something out: nothing is counted. */
    trialOf: cacheByTenant((tenantId) => findForTrials(tenantId).discovery),
    /** The operations of the HTTP API. It cannot mark an answer as stale, so none is. */
    learningOf: cacheByTenant((tenantId) => {
      const { answers, discovery } = findForApi(tenantId);
      return createTenantLearning({ answers, discovery, usage }, tenantId);
    }),
  };
}

/** Caches what is made for a tenant and holds no state of a request. */
function cacheByTenant<T extends object>(make: (tenantId: string) => T): (tenantId: string) => T {
  const cache = new LRUCache<string, T>({ max: MAX_TENANTS, memoMethod: make });
  return (tenantId) => cache.memo(tenantId);
}
