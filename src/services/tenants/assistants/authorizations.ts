import { createHash, randomBytes } from 'node:crypto';
import { findNetworkOf } from '#domain/address-kinds';
import type { Actor } from '#domain/admin';
import { ASSISTANT_SCOPE, isSameAssistantRedirect } from '#domain/assistants';
import type { Clock } from '#ports/clock';
import type { AssistantGrantRecord, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import {
  createCodeInvalidError,
  createTooManyCodesError,
  makeShortCode as makePersonCode,
  normalizeShortCode,
  CODE_MS as PERSON_CODE_MS,
} from '#services/host/short-codes';
import type { StoredValuesDeps } from '#services/host/stored-values';
import { addStoredValue, consumeStoredValue, findStoredValue } from '#services/host/stored-values';
import { hashApiKey } from '../api-keys.ts';
import type { Audit } from '../audit.ts';
import { getActiveTenant } from '../tenant-records.ts';
import { createAccessDisabledError, createRefusedError } from './access.ts';
import type { AssistantClient, AssistantClients } from './clients.ts';

/** The parameters with which an assistant opens a browser. */
export interface AuthorizationRequest {
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly responseType: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
  readonly scope: string | undefined;
  readonly state: string | undefined;
  readonly resource: string | undefined;
  readonly address: string;
}

export interface PendingAuthorization {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly state: string | null;
  readonly resource: string;
}

/** A teacher in a course, who authorizes an assistant with a code. */
export interface Teacher {
  readonly tenantId: string;
  readonly registrationId: string;
  /** Account: `lti:<registration id>:<user id>`. */
  readonly person: string;
  readonly personName: string;
}

/** The administrator or teacher who agreed. */
type Agreed = Pick<AssistantGrantRecord, 'tenantId' | 'adminId' | 'registrationId' | 'person' | 'personName'>;

export interface CodeData extends PendingAuthorization, Agreed {}

export interface AuthorizationsDeps extends Pick<Store, 'nonces' | 'tenants' | 'rateCounters'> {
  readonly clients: Pick<AssistantClients, 'get' | 'noteUse'>;
  readonly audit: Audit;
  /** Resource of the tokens, and issuer (`iss`). */
  readonly resource: string;
  readonly issuer: string;
  readonly clock: Clock;
}

const PENDING_MS = 10 * 60_000;
const CODE_MS = 60_000;
const TOKEN_BYTES = 32;
const MAX_STATE = 4_000;
/** Limit for typing codes from one network. */
const CODE_TRIES = { name: 'assistant-code', points: 10, windowSeconds: 600 } as const;
/** Shape of a SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** The part of OAuth 2.1 in a browser: a request, the answer of a person, and a code. */
export function createAuthorizations(deps: AuthorizationsDeps) {
  const state = { ...deps, codeTries: createRateLimiter(deps.rateCounters, deps.clock, CODE_TRIES) };
  return {
    ...bindState(state, { begin, approve, approveByTeacher, createTeacherCode, takeCode: takeAuthorizationCode }),
    /** Returns null if there is no such request, or it was answered or has expired. */
    find: (id: string) => findStoredValue<PendingAuthorization>(deps, pendingAuthorizationNonce(id)),
    /** Refuses a request. @returns the address with the refusal. Errors: those of `approve`. */
    async deny(id: string): Promise<string> {
      const answer = { error: 'access_denied', error_description: 'The person said no.' };
      return redirectBack(deps, await takePending(deps, id), answer);
    },
  };
}

export type Authorizations = ReturnType<typeof createAuthorizations>;

/** Stores the request for ten minutes and returns its ID. Anybody can register an address, so
 *  nobody is redirected before they have answered, not even with an error (RFC 9700, section
 *  4.11.2). Errors: ASSISTANT_REFUSED, RATE_LIMITED. */
async function begin(deps: AuthorizationsDeps, request: AuthorizationRequest): Promise<string> {
  const { resource } = deps;
  const client = await deps.clients.get(request.clientId ?? '', request.address);
  const redirectUri = findAuthorizationRedirect(client, request.redirectUri);
  const state = request.state?.slice(0, MAX_STATE) ?? null;
  checkAuthorizationRequest(request, resource);
  const id = makeToken();
  const codeChallenge = request.codeChallenge ?? '';
  const pending = { clientId: client.id, clientName: client.name, redirectUri, codeChallenge, state, resource };
  await addStoredValue(deps, pendingAuthorizationNonce(id), pending, PENDING_MS);
  return id;
}

/** Approves a request as an administrator. @returns the address with the code. Errors:
 *  ASSISTANT_REFUSED if the request was answered or has expired. */
const approve = (deps: AuthorizationsDeps, actor: Actor, id: string, by: { adminId: string; tenantId: string }) =>
  saveAuthorization(deps, actor, id, { ...by, registrationId: null, person: null, personName: null });

/** Creates a code that a teacher types on the page of the request. It is valid for ten minutes and
 *  one use. Shape: `K7QM-2XPA`. Errors: ASSISTANTS_OFF, TENANT_DISABLED. */
async function createTeacherCode(deps: AuthorizationsDeps, teacher: Teacher): Promise<string> {
  await requireAssistants(deps, teacher);
  for (;;) {
    const code = makePersonCode();
    if (await addStoredValue(deps, teacherAuthorizationNonce(code), teacher, PERSON_CODE_MS)) return code;
  }
}

/** Approves a request as the teacher who has the code. Errors: LINK_CODE_INVALID,
 *  LINK_CODE_THROTTLED, ASSISTANTS_OFF, TENANT_DISABLED; those of `approve`.
 *  @param typing `address` is that of the person who typed the code; its network has ten tries in
 *  ten minutes
 *  @returns the address with the code */
async function approveByTeacher(
  deps: AuthorizationsDeps & { readonly codeTries: RateLimiter },
  id: string,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<string> {
  const { isAllowed, endsInMs } = await deps.codeTries.consume(findNetworkOf(address));
  if (!isAllowed) throw createTooManyCodesError(Math.ceil(endsInMs / 1_000));
  const name = teacherAuthorizationNonce(code);
  const typed = await findStoredValue<Teacher>(deps, name);
  if (typed === null) throw createCodeInvalidError();
  await requireAssistants(deps, typed);
  // If the request is over, the code stays valid for the next one.
  if ((await findStoredValue(deps, pendingAuthorizationNonce(id))) === null) throw createAuthorizationOverError();
  const teacher = await consumeStoredValue<Teacher>(deps, name);
  if (teacher === null) throw createCodeInvalidError();
  const actor = { kind: 'teacher', id: teacher.person, name: teacher.personName, address } as const;
  return saveAuthorization(deps, actor, id, { ...teacher, adminId: null });
}

async function requireAssistants({ tenants }: AuthorizationsDeps, { tenantId }: Teacher): Promise<void> {
  if (!(await getActiveTenant(tenants, tenantId)).hasAssistants) throw createAccessDisabledError();
}

async function saveAuthorization(deps: AuthorizationsDeps, actor: Actor, id: string, agreed: Agreed): Promise<string> {
  const pending = await takePending(deps, id);
  const code = makeToken();
  await addStoredValue(deps, authorizationCodeNonce(code), { ...pending, ...agreed }, CODE_MS);
  await deps.clients.noteUse(pending.clientId);
  const event = { action: 'assistant.connected', tenantId: agreed.tenantId, target: pending.clientName } as const;
  await deps.audit.record(actor, event);
  return redirectBack(deps, pending, { code });
}

/** Returns the redirect address with our issuer, which distinguishes our answers (RFC 9207). */
function redirectBack({ issuer }: AuthorizationsDeps, { redirectUri, state }: PendingAuthorization, answer: object) {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }), iss: issuer }))
    url.searchParams.set(name, String(value));
  return url.href;
}

async function takeAuthorizationCode(deps: StoredValuesDeps, code: string): Promise<CodeData> {
  const data = await consumeStoredValue<CodeData>(deps, authorizationCodeNonce(code));
  if (data !== null) return data;
  throw createRefusedError(
    'invalid_grant',
    'This code is unknown, was used already, or is older than a minute. Connect once more.',
  );
}

async function takePending(deps: StoredValuesDeps, id: string): Promise<PendingAuthorization> {
  const pending = await consumeStoredValue<PendingAuthorization>(deps, pendingAuthorizationNonce(id));
  if (pending !== null) return pending;
  throw createAuthorizationOverError();
}

const createAuthorizationOverError = () =>
  createRefusedError(
    'invalid_request',
    'This was answered already, or asked too long ago. Connect the assistant once more.',
  );

export const makeToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const pendingAuthorizationNonce = (id: string) => `assistant-request ${hashApiKey(id)}`;
const teacherAuthorizationNonce = (code: string) => `assistant-teacher-code ${hashApiKey(normalizeShortCode(code))}`;
const authorizationCodeNonce = (code: string) => `assistant-code ${hashApiKey(code)}`;

/** Tells whether a verifier is that of a challenge (RFC 7636, S256). */
export const isVerifierOf = (challenge: string, verifier: string): boolean =>
  createHash('sha256').update(verifier).digest('base64url') === challenge;

function findAuthorizationRedirect({ redirectUris }: AssistantClient, requested: string | undefined): string {
  const [onlyUri] = redirectUris;
  if (requested === undefined && onlyUri !== undefined && redirectUris.length === 1) return onlyUri;
  if (requested !== undefined && redirectUris.some((uri) => isSameAssistantRedirect(uri, requested))) return requested;
  throw createRefusedError(
    'invalid_redirect_uri',
    'The assistant’s redirect address is not registered, so nobody is sent there. Connect it again.',
  );
}

function checkAuthorizationRequest(request: AuthorizationRequest, resource: string): void {
  const { responseType, codeChallenge = '', codeChallengeMethod, scope = '', resource: requested = resource } = request;
  if (responseType !== 'code') throw createRefusedError('unsupported_response_type', 'response_type must be code.');
  if (codeChallengeMethod !== 'S256' || !CHALLENGE.test(codeChallenge))
    throw createRefusedError('invalid_request', 'PKCE is needed: code_challenge, with code_challenge_method S256.');
  if (scope.split(' ').some((name) => !['', ASSISTANT_SCOPE, 'offline_access'].includes(name)))
    throw createRefusedError('invalid_scope', `The one scope is ${ASSISTANT_SCOPE}.`);
  if (!isSameResource(requested, resource))
    throw createRefusedError('invalid_target', `Tokens are for ${resource} only.`);
}

/** Compares resources. A slash at the end of the requested one is ignored. */
export const isSameResource = (requested: string, resource: string): boolean =>
  requested.replace(/\/$/, '') === resource;
