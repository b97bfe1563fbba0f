import { type Actor, systemActor } from '#domain/admin';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type {
  AdminRepository,
  AssistantGrantListRequest,
  AssistantGrantRecord,
  Page,
  ShelfOwner,
  Store,
} from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Keyring } from '#services/host/keyring';
import { hashApiKey } from '../api-keys.ts';
import type { Audit } from '../audit.ts';
import { ACCESS_PREFIX, createRefusedError, hasAccess } from './access.ts';
import type { Authorizations, CodeData } from './authorizations.ts';
import { isSameResource, isVerifierOf, makeToken } from './authorizations.ts';

/** The tokens of a grant. They are returned once; the store has their hashes only. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string;
  readonly resource: string | undefined;
}

export interface Renewal extends Pick<CodeExchange, 'clientId' | 'resource'> {
  readonly refreshToken: string;
}

/** The part of a grant that may be shown. */
export type GrantView = Omit<AssistantGrantRecord, 'accessHash' | 'refreshHash' | 'familyHash'>;

export interface AssistantGrantsDeps extends Pick<Store, 'assistants' | 'nonces' | 'ltiRegistrations'> {
  readonly admins: Pick<AdminRepository, 'findAdmin'>;
  readonly authorizations: Pick<Authorizations, 'takeCode'>;
  readonly audit: Audit;
  readonly keyring: Pick<Keyring, 'mark'>;
  readonly clock: Clock;
}

export function createAssistantGrants(deps: AssistantGrantsDeps) {
  const { assistants, clock } = deps;
  return {
    ...bindState(deps, { exchangeCode, renew }),
    /** Ends the grant of a token, also of a former refresh token of the same assistant. */
    async revoke(token: string, clientId: string): Promise<void> {
      const grant =
        (await assistants.findAssistantGrantByAccess(hashApiKey(token))) ??
        (await assistants.findAssistantGrantByFamily(hashApiKey(readGrantFamily(token))));
      if (grant?.clientId === clientId) await endGrant(deps, systemActor, grant, 'the assistant gave it back');
    },
    async list(request: AssistantGrantListRequest): Promise<Page<GrantView>> {
      await assistants.removeEndedAssistantGrants(clock.now());
      const { items, total } = await assistants.listAssistantGrants(request);
      return { items: items.map(toGrantView), total };
    },
    /** Lists the grants of a teacher, newest first. */
    async listOf({ tenantId, person }: ShelfOwner): Promise<readonly GrantView[]> {
      await assistants.removeEndedAssistantGrants(clock.now());
      return (await assistants.listAssistantGrantsOf(tenantId, person)).map(toGrantView);
    },
    async find(id: string): Promise<GrantView | null> {
      const grant = await assistants.findAssistantGrant(id);
      return grant === null ? null : toGrantView(grant);
    },
    /** Ends a grant. Errors: ASSISTANT_UNKNOWN. */
    async end(actor: Actor, id: string): Promise<void> {
      const grant = await assistants.findAssistantGrant(id);
      if (grant !== null && (await endGrant(deps, actor, grant, 'disconnected here'))) return;
      throw new AppError('ASSISTANT_UNKNOWN', 'This assistant is not connected any more. Reload the page.');
    },
  };
}

const toGrantView = ({ accessHash: _, refreshHash: __, familyHash: ___, ...shown }: AssistantGrantRecord): GrantView =>
  shown;

const USED_TWICE = 'its code was used twice';

/** Exchanges a code for tokens. A code that is presented a second time also ends its grant. Errors:
 *  ASSISTANT_REFUSED. */
async function exchangeCode(deps: AssistantGrantsDeps, exchange: CodeExchange): Promise<IssuedTokens> {
  const { assistants, nonces, clock } = deps;
  const { code, clientId, redirectUri, codeVerifier, resource: requested } = exchange;
  const data = await takeGrantCode(deps, code);
  const isOwner =
    data.clientId === clientId &&
    (redirectUri === undefined || redirectUri === data.redirectUri) &&
    isVerifierOf(data.codeChallenge, codeVerifier);
  if (!isOwner) throw createGrantError('This code was not given to who shows it. Connect the assistant once more.');
  checkGrantResource(requested, data.resource);
  if (!(await hasAccess(deps, data)))
    throw createGrantError('Whoever let this assistant in has no account here any more, or not for this institution.');
  await assistants.removeEndedAssistantGrants(clock.now());
  const family = REFRESH_PREFIX + makeToken();
  const { issued, stored } = makeGrantTokens(clock, family);
  const { tenantId, adminId, registrationId, person, personName, clientName, resource } = data;
  const grant = {
    id: grantIdOf(code),
    tenantId,
    adminId,
    registrationId,
    person,
    personName,
    clientId,
    clientName,
    resource,
    ...stored,
    familyHash: hashApiKey(family),
    createdAt: clock.now(),
    lastUsedAt: null,
  };
  await assistants.addAssistantGrant(grant);
  if ((await nonces.findNonce(grantReuseNonce(code), clock.now())) === null) return issued;
  await endGrant(deps, systemActor, grant, USED_TWICE);
  throw createGrantError('This code was shown at the same moment elsewhere. Connect the assistant once more.');
}

/** How long the reuse of a code is noted, which is longer than an exchange takes. */
const REUSE_MS = 60_000;

/** Takes a code. One that is presented again may have been stolen, so its grant ends. Another host
 *  may be about to store that grant: it looks for the note after storing the grant, and this one
 *  for the grant after the note, so one of them finds the other. */
async function takeGrantCode(deps: AssistantGrantsDeps, code: string): Promise<CodeData> {
  const { assistants, nonces, authorizations, clock } = deps;
  try {
    return await authorizations.takeCode(code);
  } catch (error) {
    await nonces.addNonce(grantReuseNonce(code), '', new Date(clock.now().getTime() + REUSE_MS));
    const grant = await assistants.findAssistantGrant(grantIdOf(code));
    if (grant !== null) await endGrant(deps, systemActor, grant, USED_TWICE);
    throw error;
  }
}

/** Derives the ID of a grant from its code, so that a code that is used again leads to it. */
const grantIdOf = (code: string) => hashApiKey(code);
const grantReuseNonce = (code: string) => `assistant-code-again ${hashApiKey(code)}`;
/** How long a refresh token may be repeated, by clients whose connection broke before the answer,
 *  or whose processes renewed at once. */
const REPEAT_MS = 30_000;

/** Exchanges a refresh token for new tokens. It is valid once; sent again within half a minute, it
 *  gives the same tokens. A former one ends the grant. Errors: ASSISTANT_REFUSED. */
async function renew(deps: AssistantGrantsDeps, renewal: Renewal): Promise<IssuedTokens> {
  const { assistants, keyring, clock } = deps;
  const { refreshToken, clientId, resource } = renewal;
  const hash = hashApiKey(refreshToken);
  const family = readGrantFamily(refreshToken);
  const grant = await assistants.findAssistantGrantByFamily(hashApiKey(family));
  // The next tokens are derived from this one, so that a client that repeats it gets the same.
  const { issued, stored } = makeGrantTokens(clock, family, (use) => keyring.mark(refreshToken, `assistant ${use}`));
  const isRepeated = grant !== null && grant.refreshHash === stored.refreshHash && wasGrantRenewedNow(grant, clock);
  // Nobody can guess a family, so this is a former token of the grant.
  if (grant !== null && grant.refreshHash !== hash && !(isRepeated && grant.clientId === clientId))
    await endGrant(deps, systemActor, grant, 'a refresh token was used twice');
  const isCurrent = grant?.refreshHash === hash || isRepeated;
  if (!isCurrent || grant?.clientId !== clientId || grant.expiresAt <= clock.now())
    throw createGrantError('This refresh token is unknown, was used already, or has ended. Connect once more.');
  checkGrantResource(resource, grant.resource);
  if (isRepeated) {
    const leftMs = grant.accessExpiresAt.getTime() - clock.now().getTime();
    return { ...issued, expiresInSeconds: Math.floor(leftMs / 1_000) };
  }
  const expiresAt = new Date(Math.min(stored.expiresAt.getTime(), grant.createdAt.getTime() + MAX_GRANT_MS));
  if (await assistants.renewAssistantGrant({ ...grant, ...stored, expiresAt }, hash)) return issued;
  // Another request has renewed it, or ended it.
  return renew(deps, renewal);
}

const wasGrantRenewedNow = ({ accessExpiresAt }: AssistantGrantRecord, clock: Clock): boolean =>
  accessExpiresAt.getTime() - clock.now().getTime() > ACCESS_MS - REPEAT_MS;

async function endGrant(
  { assistants, audit }: AssistantGrantsDeps,
  actor: Actor,
  { id, tenantId, clientName: target }: AssistantGrantRecord,
  why: string,
): Promise<boolean> {
  if (!(await assistants.removeAssistantGrant(id))) return false;
  await audit.record(actor, { action: 'assistant.disconnected', tenantId, target, details: { id, why } });
  return true;
}

const REFRESH_PREFIX = 'skr_';
const ACCESS_MS = 3_600_000;
/** Lifetime of a grant after its last renewal, and in all. */
const GRANT_MS = 90 * 24 * 3_600_000;
const MAX_GRANT_MS = 365 * 24 * 3_600_000;

/** @param family is the common prefix of all refresh tokens of the grant, which reveals former ones
 *  @param make returns the end of each token, which nobody can guess; random when absent */
function makeGrantTokens(clock: Clock, family: string, make: (use: 'access' | 'refresh') => string = makeToken) {
  const after = (ms: number) => new Date(clock.now().getTime() + ms);
  const [accessToken, refreshToken] = [ACCESS_PREFIX + make('access'), `${family}.${make('refresh')}`];
  return {
    issued: { accessToken, refreshToken, expiresInSeconds: ACCESS_MS / 1_000 },
    stored: {
      accessHash: hashApiKey(accessToken),
      accessExpiresAt: after(ACCESS_MS),
      refreshHash: hashApiKey(refreshToken),
      expiresAt: after(GRANT_MS),
    },
  };
}

const readGrantFamily = (refreshToken: string) => refreshToken.split('.', 1)[0] ?? '';
const createGrantError = (message: string) => createRefusedError('invalid_grant', message);

function checkGrantResource(requested: string | undefined, resource: string): void {
  if (requested === undefined || isSameResource(requested, resource)) return;
  throw createRefusedError('invalid_target', `The tokens of this grant are for ${resource} only.`);
}
