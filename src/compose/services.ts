import { LRUCache } from 'lru-cache';
import { ASSISTANT_PATH } from '#domain/assistants';
import type { SlackApp } from '#domain/slack';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { Outbound } from '#ports/outbound';
import type { Store } from '#ports/store/store';
import type { Upstreams } from '#ports/upstream';
import { createObjectLayers } from '#services/catalogue/objects/object-layers';
import { createObjects } from '#services/catalogue/objects/objects';
import type { KeyPair } from '#services/courses/lti-registrations/registration-records';
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
import { createFeedbackLimit, createFeedbackServices, createPeopleServices, type FeedbackTiming } from './people.ts';
import { createRecordServices, type RecordServicesDeps } from './record-services.ts';

export interface ServicesDeps extends RecordServicesDeps {
  readonly local: LearningService;
  readonly catalog: ObjectCatalog;
  /** Provider ID of an object of the built-in engine, by its address; null for other objects. */
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly upstreams: Upstreams;
  readonly outbound: Outbound;
  readonly shareAnswers: boolean;
  readonly demoKey: string;
  readonly publicUrl: string;
  readonly feedbackTiming?: FeedbackTiming;
  makeKeyPair(): Promise<KeyPair>;
  /** The Slack app that is set in the environment. */
  readonly slackApp?: SlackApp | undefined;
  /** Origin of Slack's API; `https://slack.com` by default. */
  readonly slackApiOrigin?: string;
  onProblem(error: unknown): void;
}

export type Services = ReturnType<typeof createServices>;

/** Requests of strangers to the endpoints of assistants, by address: perhaps of a whole school. */
const ASSISTANT_ATTEMPTS = { name: 'assistant-attempts', points: 600, windowSeconds: 60 } as const;

export function createServices(deps: ServicesDeps) {
  const { store, local, catalog, providerOf, outbound, publicUrl, clock, makeKeyPair, onProblem } = deps;
  const {
    admins,
    apiKeys,
    ltiRegistrations,
    nonces,
    objectLayers,
    people: peopleRecords,
    rateCounters,
    tenants,
  } = store;
  const records = createRecordServices(deps);
  const { keyring, secrets, audit } = records;
  const upstreams = createTenantUpstreams({ tenants, secrets, upstreams: deps.upstreams, local, clock });
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  const insight = createInsight({ insight: store.insight, people: peopleRecords, keyring, clock, onProblem });
  const { shareAnswers, demoKey, slackApp, slackApiOrigin, feedbackTiming } = deps;
  const searching = createSearchingServices({ store, shareAnswers, upstreams, usage, clock, onProblem });
  const { layers, discoveryOf, trialOf } = searching;
  const slack = { slackApp, ...(slackApiOrigin !== undefined && { slackApiOrigin }) };
  const people = createPeopleServices({ store, secrets, keyring, audit, clock, ...slack, onProblem });
  const delivering = { store, upstreams, local, providerOf, publicUrl, usage, audit, clock, feedbackTiming, onProblem };
  const teaching = { store, keyring, secrets, usage, insight, audit, clock, makeKeyPair, onProblem };
  const apiAccess = createApiAccess({ apiKeys, tenants, rateCounters, demoKey, clock, onProblem });
  const authorizing = {
    assistants: store.assistants,
    admins,
    ltiRegistrations,
    tenants,
    nonces,
    rateCounters,
    apiAccess,
  };
  const issuing = { resource: publicUrl + ASSISTANT_PATH, issuer: publicUrl };
  const planning = { plans: store.plans, tenants, people: people.people, discoveryOf, trialOf, clock, onProblem };
  return {
    ...records,
    ...searching,
    ...people,
    // With the outbox that delivers what is tried again; the records of commands have none.
    ...createFeedbackServices(delivering),
    ...createCourseServices(teaching),
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
    assistants: createAssistants({ ...authorizing, ...issuing, outbound, audit, keyring, clock, onProblem }),
    assistantFeedbackLimit: createFeedbackLimit(rateCounters, clock, 'assistant'),
    assistantAttempts: createRateLimiter(rateCounters, clock, ASSISTANT_ATTEMPTS),
  };
}

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

function cacheByTenant<T extends object>(make: (tenantId: string) => T): (tenantId: string) => T {
  const cache = new LRUCache<string, T>({ max: MAX_TENANTS, memoMethod: make });
  return (tenantId) => cache.memo(tenantId);
}
