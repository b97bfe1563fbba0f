import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { TenantStatus } from '#domain/tenant';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ApiKeyRecord, ApiKeyRepository, TenantRepository } from '#ports/store/store';

interface UseNotesDeps {
  readonly apiKeys: Pick<ApiKeyRepository, 'noteApiKeyUse'>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

const MINUTE_MS = 60_000;

const MAX_NOTED = 10_000;

export interface ApiKeyFinderDeps {
  readonly apiKeys: ApiKeyRepository;
  readonly tenants: TenantRepository;
  readonly clock: Clock;
}

interface Found {
  readonly record: ApiKeyRecord;
  /** Null when it is gone. */
  readonly tenantStatus: TenantStatus | null;
}

/** The store is asked for a key and its tenant once in this time, so a revoked key or disabled tenant stops within it. */
const RECENT_MS = 500;
const MAX_KEYS = 10_000;

/** Finds the key of a hash, if it may be used now.
 *  Errors: KEY_UNKNOWN (unknown, revoked or ended); TENANT_DISABLED. */
export function createApiKeyFinder({ apiKeys, tenants, clock }: ApiKeyFinderDeps) {
  const recent = new LRUCache<string, Found>({
    ...limitEntries(MAX_KEYS),
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    // Unknown hashes are not kept: strangers could fill the memory with them.
    async fetchMethod(hash) {
      const record = await apiKeys.findApiKeyByHash(hash);
      if (record === null) return undefined;
      return { record, tenantStatus: (await tenants.findTenant(record.tenantId))?.status ?? null };
    },
  });

  return async (keyHash: string): Promise<ApiKeyRecord> => {
    const found = recent.get(keyHash) ?? (await recent.fetch(keyHash));
    if (found === undefined) throw unusable('is not known here. Check that it was copied whole, or ask');
    const { record, tenantStatus } = found;
    if (record.revokedAt !== null) throw unusable('was revoked. Ask');
    if (record.expiresAt !== null && record.expiresAt <= clock.now())
      throw unusable(`ended on ${record.expiresAt.toISOString().slice(0, 10)}. Ask`);
    if (tenantStatus !== 'active') throw asleep(tenantStatus);
    return record;
  };
}

function unusable(why: string): AppError {
  return new AppError('KEY_UNKNOWN', `This key ${why} for a new one.`);
}

function asleep(status: TenantStatus | null): AppError {
  const message =
    status === 'disabled'
      ? 'This key is good, but the institution it belongs to is disabled on this host. Ask its operator.'
      : 'The institution that this key belongs to is no longer on this host. Ask its operator.';
  return new AppError('TENANT_DISABLED', message);
}

/** Notes when a key was last used, once a minute and in passing: no request waits for it or fails with it. */
export function createApiKeyUseNotes({ apiKeys, clock, onProblem }: UseNotesDeps): (keyId: string) => void {
  const noted = new LRUCache<string, number>(limitEntries(MAX_NOTED));
  return (keyId) => {
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    apiKeys.noteApiKeyUse(keyId, now).catch(onProblem);
  };
}
