import { ASSISTANT_PATH } from '#domain/assistants';
import type { Clock } from '#ports/clock';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { Outbound } from '#ports/outbound';
import type { Store } from '#ports/store/store';
import type { ObjectLayers } from '#services/catalogue/objects/object-layers';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { KeptStates } from '#services/people/kept-states';
import type { People } from '#services/people/people';
import { createSelections, type Selections } from '#services/people/selections';
import type { Discovery } from '#services/searching/discovery/discovery';
import { createKnownObjects, type KnownObjects } from '#services/searching/object-lookup';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { ApiAccess } from '#services/tenants/api-access';
import { type Assistants, createAssistants } from '#services/tenants/assistants/assistants';
import type { Audit } from '#services/tenants/audit';

export interface AssistantPartsDeps {
  readonly store: Store;
  readonly apiAccess: ApiAccess;
  readonly audit: Audit;
  readonly catalog: ObjectCatalog;
  readonly layers: ObjectLayers;
  readonly upstreams: TenantUpstreams;
  readonly people: People;
  readonly keptStates: KeptStates;
  readonly outbound: Outbound;
  discoveryOf(tenantId: string): Discovery;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

export interface AssistantParts {
  readonly assistants: Assistants;
  readonly knownObjects: KnownObjects;
  readonly selections: Selections;
  /** Of one person. */
  readonly assistantFeedbackLimit: RateLimiter;
  /** Of strangers, by address. */
  readonly assistantAttempts: RateLimiter;
}

/** More than anyone needs, and little enough for the service that gets it. */
const FEEDBACK = { name: 'assistant-feedback', points: 30, windowSeconds: 3_600 } as const;
/** A whole school may be behind one address. */
const ATTEMPTS = { name: 'assistant-attempts', points: 600, windowSeconds: 60 } as const;

/** Assistants: who lets them in, and what they need besides the services of every face. */
export function createAssistantParts(deps: AssistantPartsDeps): AssistantParts {
  const { store, upstreams, publicUrl, clock } = deps;
  const { rateCounters } = store;
  return {
    assistants: createAssistants({
      ...store,
      ...deps,
      resource: publicUrl + ASSISTANT_PATH,
      issuer: publicUrl,
    }),
    knownObjects: createKnownObjects({
      ...deps,
      isOwn: async (tenantId) => (await upstreams.connectionOf(tenantId)).upstream === null,
    }),
    selections: createSelections(deps),
    assistantFeedbackLimit: createRateLimiter(rateCounters, clock, FEEDBACK),
    assistantAttempts: createRateLimiter(rateCounters, clock, ATTEMPTS),
  };
}
