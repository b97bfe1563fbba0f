import type { Config } from '#config';
import type { Upstream } from '#domain/tenant';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createImportedCatalog } from '#services/catalogue/imported-catalog';
import { createImports } from '#services/catalogue/imports/imports';
import { createDeadLinks } from '#services/catalogue/link-checks/dead-links';
import { createLinkChecks } from '#services/catalogue/link-checks/link-checks';
import { createKeyring } from '#services/host/keyring';
import { createSecrets } from '#services/host/secrets';
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

export interface RecordServicesDeps {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  /** Those of `createPasswords` when absent. */
  readonly passwords?: Passwords;
  /** Receives failures that no request and no command fails with. */
  onProblem?(error: unknown): void;
}

export type RecordServices = ReturnType<typeof createRecordServices>;

export function createRecordServices(deps: RecordServicesDeps) {
  const { store, secretKeys, clock, passwords = createPasswords(), onProblem = () => undefined } = deps;
  const keyring = createKeyring(() => secretKeys.read());
  const secrets = createSecrets({ secrets: store.secrets, keyring, clock });
  const audit = createAudit({ audit: store.audit, clock });
  const tenants = createTenants({ tenants: store.tenants, secrets, audit, clock });
  const { admins, adminLinks, adminSessions, imports, linkChecks, linkMends, objectLayers, placements } = store;
  const { feedback, rateCounters } = store;
  const importedCatalog = createImportedCatalog({ imports, linkChecks });
  const { personal, people, shelf, ltiRegistrations, slackInstallations } = store;
  const access = {
    ...{ admins, adminLinks, adminSessions, rateCounters, tenants: store.tenants },
    ...{ passwords, audit, clock, keyring, totpSecrets: secrets },
  };
  const adminAccounts = createAdmins(access);
  const naming = { personal, people, shelf, placements, ltiRegistrations, slackInstallations };
  return {
    keyring,
    secrets,
    audit,
    tenants,
    apiKeys: createApiKeys({ apiKeys: store.apiKeys, tenants, audit, clock }),
    admins: adminAccounts,
    personData: createPersonData({ ...naming, admins: adminAccounts, audit, keyring, clock }),
    adminLinks: createAdminLinks(access),
    adminSessions: createAdminSessions(access),
    secondFactors: createSecondFactors(access),
    feedbackRecords: createFeedbackRecords({ feedback, audit, clock }),
    imports: createImports({
      ...{ imports, importedCatalog, objectLayers, tenants: store.tenants, audit, clock, onProblem },
      openScratch: openScratchStore,
    }),
    importedCatalog,
    linkChecks: createLinkChecks({ linkChecks, placements, objectLayers, tenants: store.tenants, clock }),
    deadLinks: createDeadLinks({ linkChecks, linkMends, placements, audit, clock }),
  };
}

/** From the settings, for the default tenant; undefined for the built-in engine. */
export function toInitialUpstream({ upstream: configured }: Config): Omit<UpstreamChange, 'version'> | undefined {
  if (configured === undefined) return undefined;
  const { url, marketplaceUrl, apiKey = null, marketplaceKey = null } = configured;
  const entered = { url, isEnteredByOwner: true };
  const upstream: Upstream =
    marketplaceUrl === undefined ? { kind: 'direct', ...entered } : { kind: 'gateway', ...entered, marketplaceUrl };
  return { upstream, apiKey, marketplaceKey };
}
