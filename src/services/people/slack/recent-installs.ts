import { LRUCache } from 'lru-cache';
import { limitEntriesAndAge } from '#domain/limit-entries';
import { hasErrorCode } from '#errors';
import type { SlackInstallationRecord, SlackInstallationRepository, TenantRepository } from '#ports/store/store';
import type { Secrets } from '#services/host/secrets';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { nameInstallationTokenSecret } from './installation-records.ts';

/** The workspace and organisation that a request of Slack comes from. */
export interface SlackSource {
  readonly teamId: string | null;
  readonly enterpriseId: string | null;
  /** Whether the app is installed for the whole organisation. */
  readonly isEnterpriseInstall: boolean;
}

export interface InstalledSlack {
  readonly installation: SlackInstallationRecord;
  readonly botToken: string;
}

/** Changes made on this host show at once, those made on another host within this time. */
const RECENT_MS = 1_000;
/** Shorter for a missing installation: people try the app right after installing it. */
const MISSING_MS = 200;
const MAX_ENTRIES = 10_000;
export type RecentInstalls = ReturnType<typeof createRecentInstalls>;

/** Caches the installations and tokens that each request from Slack needs. */
export function createRecentInstalls(deps: {
  readonly installations: SlackInstallationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly apiOrigin: string;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}) {
  const { installations, tenants, secrets, apiOrigin, now } = deps;
  const recent = new LRUCache<string, Promise<InstalledSlack | null>>(limitEntriesAndAge(MAX_ENTRIES, RECENT_MS, now));

  async function readInstall(id: string): Promise<InstalledSlack | null> {
    const installation = await installations.findInstallation(id);
    if (installation === null) return null;
    const { tenantId } = installation;
    if (!(await isServedInstall(tenants, tenantId))) return null;
    const botToken = await secrets.findSecret(tenantId, nameInstallationTokenSecret(installation), apiOrigin);
    return botToken === null ? null : { installation, botToken };
  }

  async function readFirstInstall(ids: readonly string[]): Promise<InstalledSlack | null> {
    for (const id of ids) {
      const installed = await readInstall(id);
      if (installed !== null) return installed;
    }
    return null;
  }

  /** Simultaneous callers share one read. */
  function readThrough(key: string, ids: readonly string[]): Promise<InstalledSlack | null> {
    const reading = readFirstInstall(ids);
    recent.set(key, reading);
    const isLatest = () => recent.peek(key) === reading;
    reading.then(
      (installed) => {
        if (installed === null && isLatest()) recent.set(key, reading, { ttl: MISSING_MS });
      },
      () => {
        if (isLatest()) recent.delete(key);
      },
    );
    return reading;
  }

  return {
    /** Returns the installation in the workspace, else that in its organisation; null if there is
     *  none. Errors: SECRET_UNREADABLE, TENANT_DISABLED. */
    async find(source: SlackSource): Promise<InstalledSlack | null> {
      const ids = listInstallIds(source);
      const key = ids.join(' ');
      return recent.get(key) ?? readThrough(key, ids);
    },
    clearCache: () => recent.clear(),
  };
}

/** Returns the IDs under which the app may be installed, the workspace before its organisation. */
function listInstallIds({ teamId, enterpriseId, isEnterpriseInstall }: SlackSource): string[] {
  const ids = isEnterpriseInstall ? [enterpriseId] : [teamId, enterpriseId];
  return ids.filter((id) => id !== null);
}

/** Returns false if the tenant was deleted or is being deleted. Errors: TENANT_DISABLED. */
async function isServedInstall(tenants: TenantRepository, tenantId: string): Promise<boolean> {
  try {
    await getActiveTenant(tenants, tenantId);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'TENANT_UNKNOWN')) return false;
    throw error;
  }
}
