import { LRUCache } from 'lru-cache';
import { ASSISTANT_PATH } from '#domain/assistants';
import type { Store } from '#ports/store/store';
import { createObjectLayers } from '#services/catalogue/objects/object-layers';
import { createObjects } from '#services/catalogue/objects/objects';
import { createInsight } from '#services/host/insight';
import { createRateLimiter } from '#services/host/rate-limits';
import { createUsage, type Usage } from '#services/host/usage';
import { createPlans } from '#services/people/plans/plans';
import { createAnswerCache } from '#services/searching/answer-cache';
import { createBrowsing } from '#services/searching/browsing';
import { createDiscovery } from '#services/searching/discovery';
import { createSearchSessions, createSlowProviders } from '#services/searching/discovery/search-sessions';
import { createObjectLookup } from '#services/searching/object-lookup';
import { createTenantAnswers } from '#services/searching/tenant-answers';
import { createTenantLearning } from '#services/searching/tenant-learning';
import { createTenantUpstreams, type TenantUpstreams } from '#services/searching/upstreams';
import { createApiAccess } from '#services/tenants/api-access';
import { createAssistants } from '#services/tenants/assistants/assistants';
import { createCourseServices } from './courses.ts';
import { createFeedbackLimit, createFeedbackServices, createPeopleServices } from './people.ts';
import { createRecordServices, type ServicesDeps } from './record-services.ts';

export type Services = ReturnType<typeof createServices>;

/** Requests of strangers to the endpoints of assistants, by address: perhaps of a whole school. */
const ASSISTANT_ATTEMPTS = { name: 'assistant-attempts', points: 600, windowSeconds: 60 } as const;

export function createServices(deps: ServicesDeps) {
  const { store, catalog, outbound, publicUrl, clock, onProblem } = deps;
  const { objectLayers, rateCounters, tenants } = store;
  const records = createRecordServices(deps);
  const { audit } = records;
  const upstreams = createTenantUpstreams({ ...deps, ...records, tenants });
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  const insight = createInsight({ ...deps, ...records, insight: store.insight, people: store.people });
  const searching = createSearchingServices({ ...deps, upstreams, usage });
  const { layers, discoveryOf, trialOf } = searching;
  const people = createPeopleServices({ ...deps, ...records });
  const apiAccess = createApiAccess({ ...deps, ...store });
  const issuing = { resource: publicUrl + ASSISTANT_PATH, issuer: publicUrl };
  const planning = { plans: store.plans, tenants, people: people.people, discoveryOf, trialOf, clock, onProblem };
  return {
    ...records,
    ...searching,
    ...people,
    // These replace the feedback records of commands, which have no outbox to wake.
    ...createFeedbackServices({ ...deps, ...records, upstreams, usage }),
    ...createCourseServices({ ...deps, ...records, usage, insight }),
    plans: createPlans({ ...planning, findDead: (urls) => records.linkChecks.findDead(urls) }),
    upstreams,
    usage,
    insight,
    apiAccess,
    objects: createObjects({ store, objectLayers, layers, catalog, audit, clock }),
    cachedObjects: createObjectLookup({
      catalog,
      layers,
      discoveryOf,
      isEmbedded: async (tenantId) => (await upstreams.connectionOf(tenantId)).upstream === null,
    }),
    assistants: createAssistants({ ...records, ...store, ...issuing, apiAccess, outbound, audit, clock, onProblem }),
    assistantFeedbackLimit: createFeedbackLimit(rateCounters, clock, 'assistant'),
    assistantAttempts: createRateLimiter(rateCounters, clock, ASSISTANT_ATTEMPTS),
  };
}

/** Size limit of the cached answers in bytes; as text they may take as much again. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TENANTS = 1_000;

export function createSearchingServices(
  deps: Pick<ServicesDeps, 'shareAnswers' | 'clock' | 'onProblem'> & {
    readonly store: Pick<Store, 'answers' | 'objectLayers' | 'placements'>;
    readonly upstreams: TenantUpstreams;
    readonly usage: Usage;
  },
) {
  const { store, shareAnswers, upstreams, usage, clock, onProblem } = deps;
  const layers = createObjectLayers({ objectLayers: store.objectLayers, clock });
  const shared = shareAnswers ? { shared: store.answers } : {};
  const slowProviders = createSlowProviders(clock);
  const cache = createAnswerCache({ clock, maxBytes: MAX_BYTES, onProblem, ...shared });

  /** Each use has its own search sessions, as some must not continue with stale answers. */
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
    /** Browses without words, for the same people. */
    browsingOf: cacheByTenant((tenantId) => {
      const { answers } = findForPeople(tenantId);
      return createBrowsing({ answers, placements: store.placements, layers, clock }, tenantId);
    }),
    /** Searches for an administrator who tries something out: nothing is counted. */
    trialOf: cacheByTenant((tenantId) => findForTrials(tenantId).discovery),
    /** Answers the operations of the HTTP API, never with stale answers: it cannot mark them. */
    learningOf: cacheByTenant((tenantId) => {
      const { answers, discovery } = findForApi(tenantId);
      return createTenantLearning({ answers, discovery, usage }, tenantId);
    }),
  };
}

function cacheByTenant<T extends object>(make: (tenantId: string) => T): (tenantId: string) => T {
  const cache = new LRUCache<string, T>({ max: MAX_TENANTS, memoMethod: make });
  return (tenantId) => cache.memo(tenantId);
}
