import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limitEntries, limitEntriesAndAge } from '#domain/limit-entries';
import { type ApiKeyScope, DEFAULT_TENANT, type TenantStatus } from '#domain/tenant';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ApiKeyRecord, RateCounterRepository, Store } from '#ports/store/store';
import type { Spend, Spending } from '#services/host/rate-limits';
import { createBlockSpender, createRateLimitError, createRateLimiter } from '#services/host/rate-limits';
import { hashApiKey } from './api-keys.ts';

export interface ApiAccessDeps extends ApiKeyFinderDeps, Pick<Store, 'rateCounters'> {
  readonly demoKey: string;
  readonly demoLimits?: Limits;
  onProblem(error: unknown): void;
}

export interface Allowance extends RequestCount {
  /** Id of the key, or `demo`. */
  readonly keyId: string;
  /** Tenant of the key; the demo key belongs to the default one. */
  readonly tenantId: string;
}

export type ApiAccess = ReturnType<typeof createApiAccess>;
export const demoLimits: Limits = { perSecond: 5, perDay: 1_000 };

interface UsableKey {
  readonly id: string;
  readonly tenantId: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly limits: Limits;
}

/** Checks API keys and counts their requests. Hosts that share a store share the counts. */
export function createApiAccess(deps: ApiAccessDeps) {
  const demoHash = Buffer.from(hashApiKey(deps.demoKey));
  const demo: UsableKey = {
    id: 'demo',
    tenantId: DEFAULT_TENANT,
    scopes: ['competency'],
    limits: deps.demoLimits ?? demoLimits,
  };
  const count = createApiRequestCounter(deps.rateCounters, deps.clock);
  const findApiKey = createApiKeyFinder(deps);
  const noteUse = createApiUseNotes(deps, (id, usedAt) => deps.apiKeys.noteApiKeyUse(id, usedAt));

  async function findKey(presented: string): Promise<UsableKey> {
    const hash = hashApiKey(presented);
    if (timingSafeEqual(Buffer.from(hash), demoHash)) return demo;
    const record = await findApiKey(hash);
    return { id: record.id, tenantId: record.tenantId, scopes: record.scopes, limits: record };
  }

  return {
    /** Counts one request of a key. Errors: KEY_MISSING, KEY_UNKNOWN, KEY_SCOPE, TENANT_DISABLED;
     *  RATE_LIMITED with `limit` and `resetSeconds` of the window in `data`. */
    async authorize(presented: string | undefined, scope: ApiKeyScope): Promise<Allowance> {
      if (presented === undefined || presented === '')
        throw new AppError(
          'KEY_MISSING',
          'This address needs a key. Send it in the header that the API reference names.',
        );
      const { id, tenantId, scopes, limits } = await findKey(presented);
      if (!scopes.includes(scope))
        throw new AppError(
          'KEY_SCOPE',
          id === 'demo'
            ? 'The demo key works on the Competency API only. Use a personal key here.'
            : `This key may be used for ${scopes.join(', ')}, not for ${scope}. Use another key or ask for this one to be widened.`,
        );
      const counted = await count(id, limits);
      if (id !== demo.id) noteUse(id);
      return { keyId: id, tenantId, ...counted };
    },
  };
}

const MINUTE_MS = 60_000;
const MAX_NOTED = 10_000;
type ApiKeyFinderDeps = Pick<Store, 'apiKeys' | 'tenants'> & { readonly clock: Clock };

interface CachedKey {
  readonly record: ApiKeyRecord;
  /** Null when the tenant is gone. */
  readonly tenantStatus: TenantStatus | null;
}

/** How long a key and its tenant are cached: a revoked key stops within this time. */
const RECENT_MS = 500;
const MAX_KEYS = 10_000;

/** Creates a function that finds a working key. Errors: KEY_UNKNOWN, TENANT_DISABLED. */
function createApiKeyFinder({ apiKeys, tenants, clock }: ApiKeyFinderDeps) {
  const recent = new LRUCache<string, CachedKey>({
    ...limitEntriesAndAge(MAX_KEYS, RECENT_MS, () => clock.now().getTime()),
    // Unknown hashes are not cached: strangers could fill the memory with them.
    async fetchMethod(hash) {
      const record = await apiKeys.findApiKeyByHash(hash);
      if (record === null) return undefined;
      return { record, tenantStatus: (await tenants.findTenant(record.tenantId))?.status ?? null };
    },
  });

  return async (keyHash: string): Promise<ApiKeyRecord> => {
    const cached = recent.get(keyHash) ?? (await recent.fetch(keyHash));
    if (cached === undefined) throw createUnusableKeyError('is not known here. Check that it was copied whole, or ask');
    const { record, tenantStatus } = cached;
    if (record.revokedAt !== null) throw createUnusableKeyError('was revoked. Ask');
    if (record.expiresAt !== null && record.expiresAt <= clock.now())
      throw createUnusableKeyError(`ended on ${record.expiresAt.toISOString().slice(0, 10)}. Ask`);
    if (tenantStatus !== 'active')
      throw new AppError(
        'TENANT_DISABLED',
        tenantStatus === 'disabled'
          ? 'This key is good, but the institution it belongs to is disabled on this host. Ask its operator.'
          : 'The institution that this key belongs to is no longer on this host. Ask its operator.',
      );
    return record;
  };
}

const createUnusableKeyError = (why: string): AppError => new AppError('KEY_UNKNOWN', `This key ${why} for a new one.`);

/** Creates a function that notes the use of a key once a minute. No request waits for the note or
 *  fails with it. @param note stores that the key with this id was used */
export function createApiUseNotes(
  { clock, onProblem }: { readonly clock: Clock; onProblem(error: unknown): void },
  note: (id: string, usedAt: Date) => Promise<unknown>,
): (id: string) => void {
  const noted = new LRUCache<string, number>(limitEntries(MAX_NOTED));
  return (id) => {
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (noted.get(id) === minute) return;
    noted.set(id, minute);
    note(id, now).catch(onProblem);
  };
}

/** Numbers of requests. */
export type Limits = { readonly perSecond: number; readonly perDay: number };

export interface RequestCount {
  /** Number of requests a day. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count starts again. */
  readonly resetSeconds: number;
}

const DAY_SECONDS = 86_400;
/** Number of different limits that are cached, each with its spender. */
const MAX_LIMITS = 1_000;

/** Counts requests by second and day. What the second refuses does not count for the day.
 *  Errors: RATE_LIMITED with `limit` and `resetSeconds` of the window in `data`. */
export function createApiRequestCounter(
  rateCounters: RateCounterRepository,
  clock: Clock,
): (keyId: string, limits: Limits) => Promise<RequestCount> {
  const spenders = new LRUCache<string, Spend>(limitEntries(MAX_LIMITS));
  const spenderOf = (name: string, points: number, windowSeconds: number): Spend => {
    const existing = spenders.get(`${name} ${points}`);
    if (existing !== undefined) return existing;
    const spender = createBlockSpender(createRateLimiter(rateCounters, clock, { name, points, windowSeconds }), clock);
    spenders.set(`${name} ${points}`, spender);
    return spender;
  };
  return async (keyId, { perSecond, perDay }) => {
    const second = await spenderOf('api-second', perSecond, 1)(keyId);
    if (!second.isAllowed) throw createApiQuotaError(second, perSecond, 'second');
    const day = await spenderOf('api-day', perDay, DAY_SECONDS)(keyId);
    if (!day.isAllowed) throw createApiQuotaError(day, perDay, 'day');
    return { limit: perDay, remaining: day.remaining, resetSeconds: Math.ceil(day.endsInMs / 1000) };
  };
}

const createApiQuotaError = ({ endsInMs }: Spending, limit: number, window: 'second' | 'day'): AppError =>
  createRateLimitError(limit, endsInMs, (s) => `This key allows ${limit} requests a ${window}. Try again in ${s} s.`);
