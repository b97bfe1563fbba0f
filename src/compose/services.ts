import type { Config } from '../config.ts';
import type { SlackApp } from '../domain/slack.ts';
import type { Upstream } from '../domain/tenant.ts';
import type { Clock } from '../ports/clock.ts';
import type { ImportedCatalog } from '../ports/imports.ts';
import type { LearningService } from '../ports/learning-service.ts';
import type { ObjectCatalog } from '../ports/object-catalog.ts';
import type { Store } from '../ports/store/store.ts';
import type { Upstreams } from '../ports/upstream.ts';
import { type AdminLinks, createAdminLinks } from '../services/admins/admin-links.ts';
import { type AdminSessions, createAdminSessions } from '../services/admins/admin-sessions.ts';
import { type Admins, createAdmins } from '../services/admins/admins.ts';
import { createPasswords } from '../services/admins/passwords.ts';
import { type ApiAccess, createApiAccess } from '../services/api-access/api-access.ts';
import { type ApiKeys, createApiKeys } from '../services/api-keys.ts';
import { type Audit, createAudit } from '../services/audit.ts';
import { createFeedbackRecords, type FeedbackRecords } from '../services/feedback/feedback-records.ts';
import { createImportedCatalog } from '../services/imported-catalog.ts';
import { createImports, type Imports } from '../services/imports/imports.ts';
import { createInsight, type Insight } from '../services/insight/insight.ts';
import { createKeyring, type Keyring } from '../services/keyring.ts';
import { createDeadLinks, type DeadLinks } from '../services/link-checks/dead-links.ts';
import { createLinkChecks, type LinkChecks } from '../services/link-checks/link-checks.ts';
import { createObjects, type Objects } from '../services/objects/objects.ts';
import { createSecrets, type Secrets } from '../services/secrets.ts';
import { createShelf, type Shelf } from '../services/shelf.ts';
import type { UpstreamChange } from '../services/tenants/tenant-upstream-changes.ts';
import { createTenants, type Tenants } from '../services/tenants/tenants.ts';
import { createTenantUpstreams, type TenantUpstreams } from '../services/upstreams/upstreams.ts';
import { createUsage, type Usage } from '../services/usage.ts';
import { createFeedbackParts, type FeedbackParts, type FeedbackTiming } from './feedback.ts';
import { createLearningParts, type LearningParts } from './learning.ts';
import { createLtiParts, type LtiParts } from './lti.ts';
import { openScratchStore } from './open-store.ts';
import type { SecretKeys } from './secret-keys.ts';
import { createSlackParts, type SlackParts } from './slack.ts';

export interface RecordServicesDeps {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  /** Told of what went wrong in passing; no request and no command fails with it. */
  onProblem?(error: unknown): void;
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
  readonly feedbackRecords: FeedbackRecords;
  readonly imports: Imports;
  readonly importedCatalog: ImportedCatalog;
  readonly linkChecks: LinkChecks;
  readonly deadLinks: DeadLinks;
}

export function createRecordServices(deps: RecordServicesDeps): RecordServices {
  const { store, secretKeys, clock, onProblem = () => undefined } = deps;
  const keyring = createKeyring(() => secretKeys.read());
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
    feedbackRecords: createFeedbackRecords({ feedback: store.feedback, audit, clock }),
    imports: createImports({
      ...{ imports: store.imports, audit, clock, onProblem },
      openScratch: openScratchStore,
    }),
    importedCatalog: createImportedCatalog(store),
    linkChecks: createLinkChecks({ ...store, clock }),
    deadLinks: createDeadLinks({ ...store, audit, clock }),
  };
}

export interface ServicesDeps extends RecordServicesDeps {
  /** Our own engine. */
  readonly local: LearningService;
  /** What it searches, for those who look after it. */
  readonly catalog: ObjectCatalog;
  /** Provider id of an object of our own engine, by its address; null when it has no such object. */
  readonly providerOf: (url: string) => string | null;
  readonly upstreams: Upstreams;
  /** Whether the hosts of the store share what upstreams answered. */
  readonly shareAnswers: boolean;
  readonly demoKey: string;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly feedbackTiming?: FeedbackTiming;
  /** That of the environment. */
  readonly slackApp?: SlackApp | undefined;
  /** Of Slack's API; `https://slack.com` when absent. */
  readonly slackApiOrigin?: string;
  /** Told of what went wrong in passing; no request fails with it. */
  onProblem(error: unknown): void;
}

/** Every service of a host. */
export interface Services extends RecordServices, FeedbackParts, LearningParts, LtiParts, SlackParts {
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly insight: Insight;
  readonly apiAccess: ApiAccess;
  readonly shelf: Shelf;
  readonly objects: Objects;
}

export function createServices(deps: ServicesDeps): Services {
  const { store, clock, demoKey, onProblem } = deps;
  const records = createRecordServices(deps);
  const { keyring, secrets, audit } = records;
  const upstreams = createTenantUpstreams({ ...deps, tenants: store.tenants, secrets });
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  const { insight: insightRecords, people } = store;
  const insight = createInsight({ insight: insightRecords, people, keyring, clock, onProblem });
  const learning = createLearningParts({ ...deps, upstreams, usage });
  const { layers } = learning;
  return {
    ...records,
    upstreams,
    usage,
    insight,
    apiAccess: createApiAccess({
      apiKeys: store.apiKeys,
      tenants: store.tenants,
      rateCounters: store.rateCounters,
      demoKey,
      clock,
      onProblem,
    }),
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
    ...createLtiParts({ store, keyring, secrets, usage, insight, audit, clock, onProblem }),
    ...createSlackParts({
      ...{ store, secrets, audit, clock, onProblem },
      environmentApp: deps.slackApp,
      apiOrigin: deps.slackApiOrigin ?? 'https://slack.com',
    }),
  };
}

/** What the default tenant begins with, as the settings say it; undefined for our own engine. */
export function toInitialUpstream({ upstream: wanted }: Config): Omit<UpstreamChange, 'version'> | undefined {
  if (wanted === undefined) return undefined;
  const { url, marketplaceUrl, apiKey = null, marketplaceKey = null } = wanted;
  const entered = { url, isEnteredByOwner: true };
  const upstream: Upstream =
    marketplaceUrl === undefined
      ? { kind: 'direct', ...entered }
      : { kind: 'gateway', ...entered, marketplaceUrl };
  return { upstream, apiKey, marketplaceKey };
}
