import type { Clock } from '../ports/clock.ts';
import type { LearningService } from '../ports/learning-service.ts';
import type { Store } from '../ports/store.ts';
import type { Upstreams } from '../ports/upstream.ts';
import { type AdminLinks, createAdminLinks } from '../services/admin-links.ts';
import { type AdminSessions, createAdminSessions } from '../services/admin-sessions.ts';
import { type Admins, createAdmins } from '../services/admins.ts';
import { type ApiAccess, createApiAccess } from '../services/api-access.ts';
import { type ApiKeys, createApiKeys } from '../services/api-keys.ts';
import { type Audit, createAudit } from '../services/audit.ts';
import { createFeedbackService, type FeedbackService } from '../services/feedback.ts';
import { createKeyring, type Keyring } from '../services/keyring.ts';
import { createPasswords } from '../services/passwords.ts';
import { createSecrets, type Secrets } from '../services/secrets.ts';
import { createTenantLearning } from '../services/tenant-learning.ts';
import { createTenants, type Tenants } from '../services/tenants.ts';
import { createTenantUpstreams, type TenantUpstreams } from '../services/upstreams.ts';
import { createUsage, type Usage } from '../services/usage.ts';
import type { SecretKeys } from './secret-keys.ts';

export interface RecordServicesDeps {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
}

/** Services that keep records; all that commands need. */
export interface RecordServices {
  readonly keyring: Keyring;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly admins: Admins;
  readonly adminLinks: AdminLinks;
  readonly adminSessions: AdminSessions;
}

export function createRecordServices({ store, secretKeys, clock }: RecordServicesDeps): RecordServices {
  const keyring = createKeyring(secretKeys.read(), () => secretKeys.read());
  const secrets = createSecrets({ secrets: store.secrets, keyring, clock });
  const audit = createAudit({ audit: store.audit, clock });
  const tenants = createTenants({ tenants: store.tenants, secrets, audit, clock });
  const { admins, adminLinks, adminSessions, rateCounters } = store;
  const forAdmins = {
    admins,
    adminLinks,
    adminSessions,
    rateCounters,
    tenants: store.tenants,
    passwords: createPasswords(),
    audit,
    clock,
  };
  return {
    keyring,
    secrets,
    audit,
    tenants,
    apiKeys: createApiKeys({ apiKeys: store.apiKeys, tenants, audit, clock }),
    admins: createAdmins(forAdmins),
    adminLinks: createAdminLinks(forAdmins),
    adminSessions: createAdminSessions(forAdmins),
  };
}

export interface ServicesDeps extends RecordServicesDeps {
  /** Our own engine. */
  readonly local: LearningService;
  /** Provider id of an object of our own engine, by its address; null when it has no such object. */
  readonly providerOf: (url: string) => string | null;
  readonly upstreams: Upstreams;
  readonly demoKey: string;
  /** Told of what went wrong in passing; no request fails with it. */
  onProblem(error: unknown): void;
}

/** Every service of a host. */
export interface Services extends RecordServices {
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly apiAccess: ApiAccess;
  readonly feedback: FeedbackService;
  /** The operations as a tenant's people get them, with searches counted. */
  learningOf(tenantId: string): LearningService;
}

export function createServices(deps: ServicesDeps): Services {
  const { store, local, providerOf, clock, demoKey, onProblem } = deps;
  const records = createRecordServices(deps);
  const { secrets, audit } = records;
  const upstreams = createTenantUpstreams({ ...deps, tenants: store.tenants, secrets });
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  return {
    ...records,
    upstreams,
    usage,
    apiAccess: createApiAccess({
      apiKeys: store.apiKeys,
      tenants: store.tenants,
      rateCounters: store.rateCounters,
      demoKey,
      clock,
      onProblem,
    }),
    feedback: createFeedbackService({
      feedback: store.feedback,
      upstreams,
      local,
      providerOf,
      usage,
      audit,
      clock,
    }),
    learningOf: (tenantId) => createTenantLearning({ upstreams, usage }, tenantId),
  };
}
