import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type {
  SlackInstallationRecord,
  SlackInstallationRepository,
  TenantRepository,
} from '#ports/store/store';
import type { Secrets } from '#services/host/secrets';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { nameInstallationTokenSecret } from './installation-records.ts';

/** Where a request of Slack comes from. */
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

/** Changes of this host hold at once, those of another host within this time. */
const RECENT_MS = 1_000;

/** Somebody who has just installed the app through another host tries it at once. */
const MISSING_MS = 200;

const MAX_ENTRIES = 10_000;

export interface RecentInstallsDeps {
  readonly installations: SlackInstallationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly apiOrigin: string;
  /** Milliseconds of a monotonic clock, as ages are measured with it. */
  now(): number;
}

export interface RecentInstalls {
  /** Errors: SECRET_UNREADABLE, TENANT_DISABLED. */
  find(source: SlackSource): Promise<InstalledSlack | null>;
  forget(): void;
}

/** Installations with their tokens and a short memory. */
export function createRecentInstalls(deps: RecentInstallsDeps): RecentInstalls {
  const { installations, tenants, secrets, apiOrigin, now } = deps;
  const recent = new LRUCache<string, Promise<InstalledSlack | null>>({
    ...limitEntries(MAX_ENTRIES),
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** A tenant that is being deleted takes its workspaces with it. Errors: TENANT_DISABLED. */
  async function isServed(tenantId: string): Promise<boolean> {
    try {
      await getActiveTenant(tenants, tenantId);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'TENANT_UNKNOWN') return false;
      throw error;
    }
  }

  async function read(id: string): Promise<InstalledSlack | null> {
    const installation = await installations.findInstallation(id);
    if (installation === null) return null;
    const { tenantId } = installation;
    if (!(await isServed(tenantId))) return null;
    const botToken = await secrets.findSecret(tenantId, nameInstallationTokenSecret(installation), apiOrigin);
    return botToken === null ? null : { installation, botToken };
  }

  async function readFirst(ids: readonly string[]): Promise<InstalledSlack | null> {
    for (const id of ids) {
      const found = await read(id);
      if (found !== null) return found;
    }
    return null;
  }

  /** Simultaneous callers share one reading. */
  function remember(key: string, ids: readonly string[]): Promise<InstalledSlack | null> {
    const reading = readFirst(ids);
    recent.set(key, reading);
    const isLatest = () => recent.peek(key) === reading;
    reading.then(
      (found) => {
        if (found === null && isLatest()) recent.set(key, reading, { ttl: MISSING_MS });
      },
      () => {
        if (isLatest()) recent.delete(key);
      },
    );
    return reading;
  }

  return {
    async find(source) {
      const ids = idsOf(source);
      const key = ids.join(' ');
      return recent.get(key) ?? remember(key, ids);
    },
    forget: () => recent.clear(),
  };
}

/** The ids it may be installed under, the best one first. */
function idsOf({ teamId, enterpriseId, isEnterpriseInstall }: SlackSource): string[] {
  const ids = isEnterpriseInstall ? [enterpriseId] : [teamId, enterpriseId];
  return ids.filter((id) => id !== null);
}
