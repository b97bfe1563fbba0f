import type { Config } from '#config';
import type { Upstream } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { ImportedCatalog } from '#ports/imports';
import type { Store } from '#ports/store/store';
import { createImportedCatalog } from '#services/catalogue/imported-catalog';
import { createImports, type Imports } from '#services/catalogue/imports/imports';
import { createDeadLinks, type DeadLinks } from '#services/catalogue/link-checks/dead-links';
import { createLinkChecks, type LinkChecks } from '#services/catalogue/link-checks/link-checks';
import { createKeyring, type Keyring } from '#services/host/keyring';
import { createSecrets, type Secrets } from '#services/host/secrets';
import { createFeedbackRecords, type FeedbackRecords } from '#services/people/feedback/feedback-records';
import { type AdminLinks, createAdminLinks } from '#services/tenants/admins/admin-links';
import { type AdminSessions, createAdminSessions } from '#services/tenants/admins/admin-sessions';
import { type Admins, createAdmins } from '#services/tenants/admins/admins';
import { createPasswords, type Passwords } from '#services/tenants/admins/passwords';
import { type ApiKeys, createApiKeys } from '#services/tenants/api-keys';
import { type Audit, createAudit } from '#services/tenants/audit';
import { createTenants, type Tenants } from '#services/tenants/tenants';
import type { UpstreamChange } from '#services/tenants/upstream-changes';
import { openScratchStore } from './open-store.ts';
import type { SecretKeys } from './secret-keys.ts';

export interface RecordServicesDeps {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  /** Those of `createPasswords` when absent. */
  readonly passwords?: Passwords;
  /** Receives failures that no request and no command fails with. */
  onProblem?(error: unknown): void;
}

/** Services of stored records; all that commands need. */
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
  const { store, secretKeys, clock, passwords = createPasswords(), onProblem = () => undefined } = deps;
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
    passwords,
    audit,
    keyring,
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
      imports: store.imports,
      audit,
      clock,
      onProblem,
      openScratch: openScratchStore,
    }),
    importedCatalog: createImportedCatalog(store),
    linkChecks: createLinkChecks({ ...store, clock }),
    deadLinks: createDeadLinks({ ...store, audit, clock }),
  };
}

/** The initial upstream of the default tenant from the settings; undefined for the built-in
 *  engine. */
export function toInitialUpstream({
  upstream: configured,
}: Config): Omit<UpstreamChange, 'version'> | undefined {
  if (configured === undefined) return undefined;
  const { url, marketplaceUrl, apiKey = null, marketplaceKey = null } = configured;
  const entered = { url, isEnteredByOwner: true };
  const upstream: Upstream =
    marketplaceUrl === undefined
      ? { kind: 'direct', ...entered }
      : { kind: 'gateway', ...entered, marketplaceUrl };
  return { upstream, apiKey, marketplaceKey };
}
