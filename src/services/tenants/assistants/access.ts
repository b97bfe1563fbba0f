import { LRUCache } from 'lru-cache';
import { isInAdminScope } from '#domain/admin';
import { ASSISTANT_SCOPE, toAdminPerson } from '#domain/assistants';
import { limitEntriesAndAge } from '#domain/limit-entries';
import { apiKeyQuotas } from '#domain/tenant';
import { AppError, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { AdminRepository, AssistantGrantRecord, ShelfOwner, Store, TenantRecord } from '#ports/store/store';
import { type ApiAccess, createApiRequestCounter, createApiUseNotes, type RequestCount } from '../api-access.ts';
import { hashApiKey } from '../api-keys.ts';
import { getActiveTenant } from '../tenant-records.ts';

export interface AssistantCaller {
  readonly tenant: TenantRecord;
  /** The person whose shelf is used; null for an API key, which stands for no person. */
  readonly person: ShelfOwner | null;
  readonly count: RequestCount;
}

/** Prefix of access tokens, which distinguishes them from API keys. */
export const ACCESS_PREFIX = 'skt_';

export interface AssistantAccessDeps
  extends Pick<Store, 'assistants' | 'tenants' | 'rateCounters' | 'ltiRegistrations'> {
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
/** How long assistants may act on a role from a claim after the sign-in that read it. */
const CLAIM_MS = 30 * 24 * 3_600_000;
const limits = { perSecond: apiKeyQuotas.perSecond.usual, perDay: apiKeyQuotas.perDay.usual };

export function createAssistantAccess(deps: AssistantAccessDeps) {
  const { assistants, tenants, apiAccess, resource, clock } = deps;
  const count = createApiRequestCounter(deps.rateCounters, clock);
  const recently = <V extends object>(fetchMethod: (key: string) => Promise<V | undefined>) =>
    new LRUCache<string, V>({ ...limitEntriesAndAge(MAX_TOKENS, RECENT_MS, () => clock.now().getTime()), fetchMethod });
  const grants = recently((hash) => findGrantForAccess(deps, hash));
  const recentTenants = recently((id) => getActiveTenant(tenants, id));
  const noteUse = createApiUseNotes(deps, (id, usedAt) => assistants.noteAssistantGrantUse(id, usedAt));

  async function admitToken(token: string) {
    const grant = await grants.fetch(hashApiKey(token));
    if (grant === undefined || grant.accessExpiresAt <= clock.now() || grant.resource !== resource)
      throw createAccessTokenError();
    const counted = await count(`grant ${grant.id}`, limits);
    noteUse(grant.id);
    const { tenantId, adminId, person } = grant;
    return { tenantId, person: { tenantId, person: person ?? toAdminPerson(adminId ?? '') }, count: counted };
  }

  async function admitKey(key: string) {
    try {
      const { tenantId, ...counted } = await apiAccess.authorize(key, ASSISTANT_SCOPE);
      return { tenantId, person: null, count: counted };
    } catch (error) {
      if (hasErrorCode(error, 'KEY_UNKNOWN')) throw createAccessTokenError(error.message);
      throw error;
    }
  }

  return {
    /** Counts one request of a bearer: an API key with the scope `mcp`, or the access token of a
     *  grant. Errors: TOKEN_INVALID (none, unknown, expired, for another resource, or of a person
     *  who has lost access), KEY_SCOPE, RATE_LIMITED, TENANT_DISABLED, ASSISTANTS_OFF. */
    async authorize(bearer: string | undefined): Promise<AssistantCaller> {
      if (bearer === undefined || bearer === '') throw createAccessTokenError();
      const { tenantId, ...admitted } = await (bearer.startsWith(ACCESS_PREFIX) ? admitToken : admitKey)(bearer);
      const tenant = await recentTenants.fetch(tenantId);
      if (tenant?.hasAssistants !== true) throw createAccessDisabledError();
      return { tenant, ...admitted };
    },
  };
}

/** Returns undefined without a grant, or if the person who gave it no longer has access. */
async function findGrantForAccess(
  deps: Pick<AssistantAccessDeps, 'assistants' | 'admins' | 'ltiRegistrations' | 'clock'>,
  hash: string,
): Promise<AssistantGrantRecord | undefined> {
  const grant = await deps.assistants.findAssistantGrantByAccess(hash);
  return grant !== null && (await hasAccess(deps, grant)) ? grant : undefined;
}

/** Tells whether the person who gave a grant may still use the tenant. */
export async function hasAccess(
  { admins, ltiRegistrations, clock }: Pick<AssistantAccessDeps, 'admins' | 'ltiRegistrations' | 'clock'>,
  { adminId, registrationId, tenantId }: Pick<AssistantGrantRecord, 'adminId' | 'registrationId' | 'tenantId'>,
): Promise<boolean> {
  if (registrationId !== null) {
    const registration = await ltiRegistrations.findRegistration(registrationId);
    return registration?.status === 'active' && registration.tenantId === tenantId;
  }
  const admin = adminId === null ? null : await admins.findAdmin(adminId);
  // Auditors may only read, and an assistant does more.
  if (admin === null || admin.role === 'auditor' || !isInAdminScope(admin.tenants, tenantId)) return false;
  // A role from a claim is as old as the last sign-in, when the claim was read.
  const readAt = admin.lastSignInAt ?? admin.createdAt;
  return admin.roleClaim === null || clock.now().getTime() - readAt.getTime() < CLAIM_MS;
}

function createAccessTokenError(message?: string): AppError {
  return new AppError(
    'TOKEN_INVALID',
    message ??
      'This needs an API key with the scope mcp, or a token that somebody signed in for, as Authorization: Bearer. What came is none, or has ended. Connect the assistant once more.',
  );
}

/** The errors of OAuth 2.1, RFC 7591, RFC 8707 and RFC 9207 that are used here. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** Creates the error of a refused request of an assistant, with its OAuth name in `data.error`. */
export const createRefusedError = (error: OAuthError, message: string, cause?: unknown): AppError =>
  new AppError('ASSISTANT_REFUSED', message, { data: { error }, cause });

export function createAccessDisabledError(): AppError {
  return new AppError(
    'ASSISTANTS_OFF',
    'Assistants are turned off for this institution. Its administrators can turn them on on the admin page.',
  );
}
