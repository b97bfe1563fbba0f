import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Actor, TenantScope } from '#domain/admin';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { ApiKeyListRequest, ApiKeyRecord, Page, Period, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { listEveryItem } from '#services/host/every-item';
import type { Audit } from './audit.ts';
import type { Tenants } from './tenants.ts';

export type NewApiKey = Pick<ApiKeyRecord, 'tenantId' | 'name' | 'scopes' | 'perSecond' | 'perDay' | 'expiresAt'>;

/** The part of a key that may be shown. */
export type ApiKeyView = Omit<ApiKeyRecord, 'keyHash'>;

const KEY_BYTES = 24;
const DAY_MS = 86_400_000;
const OVERLAP_MS = 7 * DAY_MS;
/** Number of days before the end of a key from which on there is a warning. */
export const KEY_WARNING_DAYS = 14;
const MAX_KEYS = 5_000;

interface ApiKeysDeps extends Pick<Store, 'apiKeys'> {
  readonly tenants: Tenants;
  readonly audit: Audit;
  readonly clock: Clock;
}

export function createApiKeys(deps: ApiKeysDeps) {
  const { apiKeys } = deps;
  return {
    ...bindState(deps, { createApiKey, replaceApiKey, revokeApiKey }),
    async findApiKey(id: string): Promise<ApiKeyView | null> {
      const record = await apiKeys.findApiKey(id);
      return record === null ? null : toApiKeyView(record);
    },
    async listApiKeys(request: ApiKeyListRequest): Promise<Page<ApiKeyView>> {
      const { items, total } = await apiKeys.listApiKeys(request);
      return { items: items.map(toApiKeyView), total };
    },
    listEndingApiKeys: async (scope: TenantScope, period: Period): Promise<readonly ApiKeyView[]> =>
      (await apiKeys.listEndingApiKeys(scope, period)).map(toApiKeyView),
  };
}

/** Creates a key and returns it, as the store has only its hash. Errors: TENANT_UNKNOWN. */
async function createApiKey({ apiKeys, tenants, audit, clock }: ApiKeysDeps, actor: Actor, values: NewApiKey) {
  const { id: tenantId } = await tenants.getTenant(values.tenantId);
  const id = randomUUID();
  const key = `sk_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const details = { id, scopes: values.scopes.join(', ') };
  // Recorded first, so that a failure leaves no key that nobody was shown.
  await audit.record(actor, { action: 'api-key.created', tenantId, target: values.name, details });
  const times = { createdAt: clock.now(), revokedAt: null, replacedAt: null, lastUsedAt: null };
  await apiKeys.addApiKey({ ...values, id, keyHash: hashApiKey(key), ...times });
  return { id, key };
}

/** Creates a successor with the same scopes and quotas, for as long a time. The key itself works
 *  for seven more days at most. Errors: API_KEY_NOT_FOUND, also if it is revoked. */
async function replaceApiKey(deps: ApiKeysDeps, actor: Actor, id: string) {
  const { tenantId, name, scopes, perSecond, perDay, createdAt, expiresAt } = await getActiveApiKey(deps, id);
  const now = deps.clock.now().getTime();
  const end = expiresAt && new Date(now + expiresAt.getTime() - createdAt.getTime());
  const successor = await createApiKey(deps, actor, { tenantId, name, scopes, perSecond, perDay, expiresAt: end });
  await deps.apiKeys.expireApiKey(id, new Date(now + OVERLAP_MS));
  await deps.apiKeys.noteApiKeyReplaced(id, new Date(now));
  const details = { id, successor: successor.id };
  await deps.audit.record(actor, { action: 'api-key.replaced', tenantId, target: name, details });
  return { ...successor, expiresAt: end };
}

/** Revokes an active key. Errors: API_KEY_NOT_FOUND. */
async function revokeApiKey(deps: ApiKeysDeps, actor: Actor, id: string): Promise<void> {
  const { tenantId, name: target } = await getActiveApiKey(deps, id);
  // Another call may have revoked the key since.
  if (!(await deps.apiKeys.revokeApiKey(id, deps.clock.now()))) await getActiveApiKey(deps, id);
  await deps.audit.record(actor, { action: 'api-key.revoked', tenantId, target, details: { id } });
}

/** Errors: API_KEY_NOT_FOUND. */
async function getActiveApiKey({ apiKeys }: ApiKeysDeps, id: string): Promise<ApiKeyRecord> {
  const record = await apiKeys.findApiKey(id);
  if (record !== null && record.revokedAt === null) return record;
  const message = `There is no active key with the id ${id}. "skilldock keys list" and the admin page show them all.`;
  throw new AppError('API_KEY_NOT_FOUND', message);
}

/** Tells whether a key works now. */
const isApiKeyActive = ({ revokedAt, expiresAt }: ApiKeyView, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** Tells whether a key works now, and ends within `KEY_WARNING_DAYS`. */
export const isApiKeyEnding = (key: ApiKeyView, now: Date): key is ApiKeyView & { readonly expiresAt: Date } =>
  isApiKeyActive(key, now) &&
  key.expiresAt !== null &&
  key.expiresAt.getTime() - now.getTime() <= KEY_WARNING_DAYS * DAY_MS;

/** Returns the number of working keys and their tenants, which are incomplete if there are more
 *  than 5,000 keys, and the keys that end soon without a successor, the first to end first. */
export async function summariseApiKeys(apiKeys: KeyLister, scope: TenantScope, now: Date) {
  const request = { scope, search: '', sort: 'createdAt', descending: true } as const;
  const keys = await listEveryItem((page) => apiKeys.listApiKeys({ ...request, ...page }), MAX_KEYS);
  const active = keys.filter((key) => isApiKeyActive(key, now));
  return {
    active: active.length,
    tenants: new Set(active.map(({ tenantId }) => tenantId)),
    expiring: await listEndingKeys(apiKeys, scope, now),
    isComplete: keys.length < MAX_KEYS,
  };
}

interface KeyLister {
  listApiKeys(request: ApiKeyListRequest): Promise<Page<ApiKeyView>>;
  listEndingApiKeys(scope: TenantScope, period: Period): Promise<readonly ApiKeyView[]>;
}

async function listEndingKeys(apiKeys: Pick<KeyLister, 'listEndingApiKeys'>, scope: TenantScope, now: Date) {
  const until = new Date(now.getTime() + KEY_WARNING_DAYS * DAY_MS + 1);
  const keys = await apiKeys.listEndingApiKeys(scope, { from: now, until });
  return keys.flatMap((key) => (isApiKeyEnding(key, now) ? key : []));
}

/** Describes keys that end soon, the first to end first: `name (tenant), until 2027-01-31`. */
export async function describeEndingApiKeys(
  apiKeys: Pick<KeyLister, 'listEndingApiKeys'>,
  now: Date,
): Promise<readonly string[]> {
  return (await listEndingKeys(apiKeys, null, now)).map(
    ({ name, tenantId, expiresAt }) => `${name} (${tenantId}), until ${expiresAt.toISOString().slice(0, 10)}`,
  );
}

const toApiKeyView = ({ keyHash: _, ...shown }: ApiKeyRecord): ApiKeyView => shown;

/** Returns a SHA-256, hexadecimal. Keys are random and long, so a slow hash would add nothing. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');
