import { LRUCache } from 'lru-cache';
import { isInScope } from '#domain/admin';
import { ASSISTANT_SCOPE, toAdminPerson } from '#domain/assistants';
import { limitEntries } from '#domain/limit-entries';
import { apiKeyQuotas } from '#domain/tenant';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRepository, AssistantGrantRecord, ShelfOwner, Store, TenantRecord } from '#ports/store/store';
import type { ApiAccess } from '../api-access.ts';
import { createRequestCounter, type RequestCount } from '../api-access.ts';
import { hashKey } from '../api-keys.ts';
import { getActiveTenant } from '../tenant-records.ts';
import { refuseDisabled } from './refusal.ts';

/** The caller of a request. */
export interface AssistantCaller {
  readonly tenant: TenantRecord;
  /** The person whose shelf is used; null for an API key, which stands for no person. */
  readonly person: ShelfOwner | null;
  /** How many requests are left. */
  readonly count: RequestCount;
}

export type AssistantAccess = ReturnType<typeof createAssistantAccess>;

/** Prefix of access tokens, which tells them from API keys. */
export const ACCESS_PREFIX = 'skt_';

export interface AssistantAccessDeps extends Pick<Store, 'assistants' | 'tenants' | 'rateCounters'> {
  readonly admins: Pick<AdminRepository, 'findAdmin'>;
  readonly apiAccess: ApiAccess;
  /** The resource that tokens are valid for. */
  readonly resource: string;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** How long a token and its tenant are cached: a grant that ends stops within this time. */
const RECENT_MS = 500;
const MAX_TOKENS = 10_000;
const MINUTE_MS = 60_000;
const limits = { perSecond: apiKeyQuotas.perSecond.usual, perDay: apiKeyQuotas.perDay.usual };

export function createAssistantAccess(deps: AssistantAccessDeps) {
  const { assistants, tenants, apiAccess, resource, clock, onProblem } = deps;
  const count = createRequestCounter(deps.rateCounters, clock);
  const recently = <V extends object>(fetchMethod: (key: string) => Promise<V | undefined>) =>
    new LRUCache<string, V>({
      ...limitEntries(MAX_TOKENS),
      ttl: RECENT_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
      fetchMethod,
    });
  const grants = recently((hash) => findUsableGrant(deps, hash));
  const recentTenants = recently((id) => getActiveTenant(tenants, id));
  const noted = new LRUCache<string, number>(limitEntries(MAX_TOKENS));

  function noteUse(id: string): void {
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (noted.get(id) === minute) return;
    noted.set(id, minute);
    assistants.noteAssistantGrantUse(id, clock.now()).catch(onProblem);
  }

  async function admitToken(token: string) {
    const grant = await grants.fetch(hashKey(token));
    if (grant === undefined || grant.accessExpiresAt <= clock.now() || grant.resource !== resource)
      throw invalidToken();
    const counted = await count(`grant ${grant.id}`, limits);
    noteUse(grant.id);
    const { tenantId, adminId } = grant;
    return { tenantId, person: { tenantId, person: toAdminPerson(adminId) }, count: counted };
  }

  async function admitKey(key: string) {
    try {
      const { tenantId, ...counted } = await apiAccess.authorize(key, ASSISTANT_SCOPE);
      return { tenantId, person: null, count: counted };
    } catch (error) {
      if (error instanceof AppError && error.code === 'KEY_UNKNOWN') throw invalidToken(error.message);
      throw error;
    }
  }

  return {
    /** Counts one request of a bearer: an API key with the scope `mcp`, or the access token of a
     *  grant. Errors: TOKEN_INVALID (none, unknown, expired, for another resource, or of a person
     *  who has lost access), KEY_SCOPE, RATE_LIMITED, TENANT_DISABLED, ASSISTANTS_OFF. */
    async authorize(bearer: string | undefined): Promise<AssistantCaller> {
      if (bearer === undefined || bearer === '') throw invalidToken();
      const { tenantId, ...admitted } = await (bearer.startsWith(ACCESS_PREFIX) ? admitToken : admitKey)(bearer);
      const tenant = await recentTenants.fetch(tenantId);
      if (tenant?.hasAssistants !== true) throw refuseDisabled();
      return { tenant, ...admitted };
    },
  };
}

/** Undefined where there is none, or the person who gave it may not see the tenant any more. */
async function findUsableGrant(
  { assistants, admins }: Pick<AssistantAccessDeps, 'assistants' | 'admins'>,
  hash: string,
): Promise<AssistantGrantRecord | undefined> {
  const grant = await assistants.findAssistantGrantByAccess(hash);
  return grant !== null && (await hasAccess(admins, grant)) ? grant : undefined;
}

/** Whether the person who let an assistant in may still see the tenant. */
export async function hasAccess(
  admins: AssistantAccessDeps['admins'],
  { adminId, tenantId }: Pick<AssistantGrantRecord, 'adminId' | 'tenantId'>,
): Promise<boolean> {
  const admin = await admins.findAdmin(adminId);
  return admin !== null && isInScope(admin.tenants, tenantId);
}

function invalidToken(message?: string): AppError {
  return new AppError(
    'TOKEN_INVALID',
    message ??
      'This needs an API key with the scope mcp, or a token that somebody signed in for, as Authorization: Bearer. What came is none, or has ended. Connect the assistant once more.',
  );
}
