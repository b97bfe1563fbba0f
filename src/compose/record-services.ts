import type { Config } from '#config';
import type { RoleMapping } from '#domain/admin';
import type { SlackApp } from '#domain/slack';
import type { Upstream } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { LearningService } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { Outbound } from '#ports/outbound';
import type { Store } from '#ports/store/store';
import type { Upstreams } from '#ports/upstream';
import { createImportedCatalog } from '#services/catalogue/imported-catalog';
import { createImports } from '#services/catalogue/imports/imports';
import { createDeadLinks } from '#services/catalogue/link-checks/dead-links';
import { createLinkChecks } from '#services/catalogue/link-checks/link-checks';
import type { KeyPair } from '#services/courses/lti-registrations/registration-records';
import { createKeyring } from '#services/host/keyring';
import type { OutboxTiming } from '#services/host/outbox';
import { createSecrets } from '#services/host/secrets';
import type { FeedbackDeliveryDeps } from '#services/people/feedback/feedback-delivery';
import { createFeedbackRecords } from '#services/people/feedback/feedback-records';
import { createPersonData } from '#services/people/person-data/person-data';
import { createAdminLinks } from '#services/tenants/admins/admin-links';
import { createAdminSessions } from '#services/tenants/admins/admin-sessions';
import { createAdmins } from '#services/tenants/admins/admins';
import { createPasswords, type Passwords } from '#services/tenants/admins/passwords';
import { createSecondFactors } from '#services/tenants/admins/second-factor';
import { createApiKeys } from '#services/tenants/api-keys';
import { createAudit } from '#services/tenants/audit';
import { createTenants } from '#services/tenants/tenants';
import type { UpstreamChange } from '#services/tenants/upstream-changes';
import { openScratchStore } from './open-store.ts';
import type { SecretKeys } from './secret-keys.ts';

interface RecordServicesDeps {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  /** Absent if administrators get roles by invitation only. */
  readonly roleMapping?: RoleMapping | undefined;
  /** Those of `createPasswords` by default. */
  readonly passwords?: Passwords;
  /** Days for which scheduled backups stay, 0 for ever; null, as by default, without backups. */
  readonly backupDays?: number | null;
  /** Receives failures that fail no request and no command. */
  onProblem?(error: unknown): void;
}

export type FeedbackTiming = Pick<FeedbackDeliveryDeps, 'backoff' | 'leaseMs'> & OutboxTiming;

export interface ServicesDeps extends RecordServicesDeps {
  readonly local: LearningService;
  readonly catalog: ObjectCatalog;
  /** Provider ID of an object of the built-in engine, by its address; null for other objects. */
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly upstreams: Upstreams;
  readonly outbound: Outbound;
  /** Whether the hosts of the store share the answers of upstreams. */
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

export type RecordServices = ReturnType<typeof createRecordServices>;

export function createRecordServices(deps: RecordServicesDeps) {
  const { store, secretKeys, clock, passwords = createPasswords(), backupDays = null } = deps;
  const { onProblem = () => undefined } = deps;
  const keyring = createKeyring(() => secretKeys.read());
  const secrets = createSecrets({ secrets: store.secrets, keyring, clock });
  const audit = createAudit({ audit: store.audit, clock });
  const audited = { ...store, audit, clock };
  const tenants = createTenants({ ...audited, secrets });
  const importedCatalog = createImportedCatalog(store);
  const access = { ...audited, passwords, keyring, totpSecrets: secrets, roleMapping: deps.roleMapping };
  const admins = createAdmins(access);
  return {
    keyring,
    secrets,
    audit,
    tenants,
    apiKeys: createApiKeys({ ...audited, tenants }),
    admins,
    personData: createPersonData({ ...audited, admins, keyring, backupDays }),
    adminLinks: createAdminLinks(access),
    adminSessions: createAdminSessions(access),
    secondFactors: createSecondFactors(access),
    feedbackRecords: createFeedbackRecords(audited),
    imports: createImports({ ...audited, importedCatalog, onProblem, openScratch: openScratchStore }),
    importedCatalog,
    linkChecks: createLinkChecks(audited),
    deadLinks: createDeadLinks(audited),
  };
}

/** Reads the upstream of the default tenant from the settings; undefined for the engine. */
export function readInitialUpstream({ upstream: configured }: Config): Omit<UpstreamChange, 'version'> | undefined {
  if (configured === undefined) return undefined;
  const { url, marketplaceUrl, apiKey = null, marketplaceKey = null } = configured;
  const entered = { url, isEnteredByOwner: true };
  const upstream: Upstream =
    marketplaceUrl === undefined ? { kind: 'direct', ...entered } : { kind: 'gateway', ...entered, marketplaceUrl };
  return { upstream, apiKey, marketplaceKey };
}
