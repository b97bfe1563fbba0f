import { ASSISTANT_PATH } from '#domain/assistants';
import type { SlackApp } from '#domain/slack';
import type { LearningService } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { Outbound } from '#ports/outbound';
import type { Upstreams } from '#ports/upstream';
import { createObjects } from '#services/catalogue/objects/objects';
import type { KeyPair } from '#services/courses/lti-registrations/registration-records';
import { createInsight } from '#services/host/insight';
import { createRateLimiter } from '#services/host/rate-limits';
import { createUsage } from '#services/host/usage';
import { createObjectLookup } from '#services/searching/object-lookup';
import { createTenantUpstreams } from '#services/searching/upstreams';
import { createApiAccess } from '#services/tenants/api-access';
import { createAssistants } from '#services/tenants/assistants/assistants';
import { createCourseServices } from './courses.ts';
import { createFeedbackLimit, createFeedbackServices, createPeopleServices, type FeedbackTiming } from './people.ts';
import { createRecordServices, type RecordServicesDeps } from './record-services.ts';
import { createSearchingServices } from './searching.ts';

export interface ServicesDeps extends RecordServicesDeps {
  /** The built-in engine. */
  readonly local: LearningService;
  /** The catalogue of the built-in engine. */
  readonly catalog: ObjectCatalog;
  /** Provider ID of an object of the built-in engine, by its address; null for other objects. */
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly upstreams: Upstreams;
  /** For addresses that somebody else chose. */
  readonly outbound: Outbound;
  /** Whether the hosts of the store share the answers of upstreams. */
  readonly shareAnswers: boolean;
  readonly demoKey: string;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly feedbackTiming?: FeedbackTiming;
  /** For an LTI registration. */
  makeKeyPair(): Promise<KeyPair>;
  /** The Slack app that is set in the environment. */
  readonly slackApp?: SlackApp | undefined;
  /** Origin of Slack's API; `https://slack.com` by default. */
  readonly slackApiOrigin?: string;
  /** Receives failures that no request fails with. */
  onProblem(error: unknown): void;
}

/** All services of a host. */
export type Services = ReturnType<typeof createServices>;

/** Requests of strangers to the endpoints of assistants, by address: one may stand for a whole
 *  school. */
const ASSISTANT_ATTEMPTS = { name: 'assistant-attempts', points: 600, windowSeconds: 60 } as const;

export function createServices(deps: ServicesDeps) {
  const { store, clock, publicUrl, onProblem } = deps;
  const records = createRecordServices(deps);
  const base = {
    ...deps,
    ...records,
    upstreams: createTenantUpstreams({ ...deps, tenants: store.tenants, secrets: records.secrets }),
    usage: createUsage({ usage: store.usage, clock, onProblem }),
    insight: createInsight({ ...store, keyring: records.keyring, clock, onProblem }),
  };
  const { upstreams, usage, insight } = base;
  const searching = createSearchingServices(base);
  const people = createPeopleServices(base);
  const apiAccess = createApiAccess({ ...store, ...deps });
  const all = { ...base, ...searching, ...people, apiAccess };
  return {
    ...records,
    ...searching,
    ...people,
    ...createFeedbackServices(base),
    ...createCourseServices(base),
    upstreams,
    usage,
    insight,
    apiAccess,
    objects: createObjects({ ...all, objectLayers: store.objectLayers }),
    cachedObjects: createObjectLookup({
      ...all,
      isEmbedded: async (tenantId) => (await upstreams.connectionOf(tenantId)).upstream === null,
    }),
    assistants: createAssistants({
      ...all,
      ...store,
      audit: records.audit,
      resource: publicUrl + ASSISTANT_PATH,
      issuer: publicUrl,
    }),
    assistantFeedbackLimit: createFeedbackLimit(deps, 'assistant'),
    assistantAttempts: createRateLimiter(store.rateCounters, clock, ASSISTANT_ATTEMPTS),
  };
}
