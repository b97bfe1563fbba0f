import type { SlackApp } from '#domain/slack';
import type { LearningService } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { Outbound } from '#ports/outbound';
import type { Upstreams } from '#ports/upstream';
import { createObjects, type Objects } from '#services/catalogue/objects/objects';
import type { KeyPair } from '#services/courses/lti-registrations/registration-records';
import { createInsight, type Insight } from '#services/host/insight';
import { createUsage, type Usage } from '#services/host/usage';
import { createShelf, type Shelf } from '#services/people/shelf';
import { createTenantUpstreams, type TenantUpstreams } from '#services/searching/upstreams';
import { type ApiAccess, createApiAccess } from '#services/tenants/api-access';
import { type AssistantParts, createAssistantParts } from './assistants.ts';
import { createLtiParts, type LtiParts } from './courses.ts';
import { createLearningParts, type LearningParts } from './learning.ts';
import {
  createFeedbackParts,
  createSlackParts,
  type FeedbackParts,
  type FeedbackTiming,
  type SlackParts,
} from './people.ts';
import { createRecordServices, type RecordServices, type RecordServicesDeps } from './record-services.ts';

export interface ServicesDeps extends RecordServicesDeps {
  /** Our own engine. */
  readonly local: LearningService;
  /** What it searches, for those who look after it. */
  readonly catalog: ObjectCatalog;
  /** Provider id of an object of our own engine, by its address; null when it has no such object. */
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly upstreams: Upstreams;
  /** For addresses that somebody else chose. */
  readonly outbound: Outbound;
  /** Whether the hosts of the store share what upstreams answered. */
  readonly shareAnswers: boolean;
  readonly demoKey: string;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly feedbackTiming?: FeedbackTiming;
  /** Of an LTI registration. */
  makeKeyPair(): Promise<KeyPair>;
  /** That of the environment. */
  readonly slackApp?: SlackApp | undefined;
  /** Of Slack's API; `https://slack.com` when absent. */
  readonly slackApiOrigin?: string;
  /** Told of what went wrong in passing; no request fails with it. */
  onProblem(error: unknown): void;
}

/** Every service of a host. */
export interface Services
  extends RecordServices,
    FeedbackParts,
    LearningParts,
    LtiParts,
    SlackParts,
    AssistantParts {
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly insight: Insight;
  readonly apiAccess: ApiAccess;
  readonly shelf: Shelf;
  readonly objects: Objects;
}

export function createServices(deps: ServicesDeps): Services {
  const { store, clock, demoKey, makeKeyPair, onProblem } = deps;
  const records = createRecordServices(deps);
  const { keyring, secrets, audit } = records;
  const upstreams = createTenantUpstreams({ ...deps, tenants: store.tenants, secrets });
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  const { insight: insightRecords, people } = store;
  const insight = createInsight({ insight: insightRecords, people, keyring, clock, onProblem });
  const learning = createLearningParts({ ...deps, upstreams, usage });
  const { layers } = learning;
  const apiAccess = createApiAccess({ ...store, demoKey, clock, onProblem });
  const slack = createSlackParts({
    ...{ store, secrets, audit, clock, onProblem },
    environmentApp: deps.slackApp,
    apiOrigin: deps.slackApiOrigin ?? 'https://slack.com',
  });
  return {
    ...records,
    upstreams,
    usage,
    insight,
    apiAccess,
    ...createFeedbackParts({
      ...deps,
      upstreams,
      usage,
      audit,
      timing: deps.feedbackTiming,
    }),
    shelf: createShelf({ shelf: store.shelf, people: store.people, tenants: store.tenants, clock }),
    objects: createObjects({
      ...{ objectLayers: store.objectLayers, layers, catalog: deps.catalog, store, audit, clock },
    }),
    ...learning,
    ...createLtiParts({ store, keyring, secrets, usage, insight, audit, clock, makeKeyPair, onProblem }),
    ...slack,
    ...createAssistantParts({ ...deps, ...slack, ...learning, upstreams, apiAccess, audit }),
  };
}
