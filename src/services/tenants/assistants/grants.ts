import { type Actor, systemActor } from '#domain/admin';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type {
  AdminRepository,
  AssistantGrantListRequest,
  AssistantGrantRecord,
  AssistantRepository,
  NonceRepository,
  Page,
} from '#ports/store/store';
import { hashKey } from '../api-keys.ts';
import type { Audit } from '../audit.ts';
import { ACCESS_PREFIX, hasAccess } from './access.ts';
import { type Authorizations, isSameResource, isVerifierOf, makeToken } from './authorizations.ts';
import { refuseAssistant } from './refusal.ts';

/** Tokens of a grant, shown here and never again. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Until the access token ends. */
  readonly expiresInSeconds: number;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string;
  readonly resource: string | undefined;
}

export interface Renewal {
  readonly refreshToken: string;
  readonly clientId: string;
  readonly resource: string | undefined;
}

/** What may be shown of a grant. */
export type ShownGrant = Omit<AssistantGrantRecord, 'accessHash' | 'refreshHash' | 'familyHash'>;

/** What people let assistants do. */
export interface AssistantGrants {
  /** Errors: ASSISTANT_REFUSED; a code that is shown a second time also ends what came of it. */
  exchangeCode(exchange: CodeExchange): Promise<IssuedTokens>;
  /** Each refresh token is good once; who shows any former one has a copy, and the grant ends. Errors: ASSISTANT_REFUSED. */
  renew(renewal: Renewal): Promise<IssuedTokens>;
  /** By either of its tokens, a former refresh token too; does nothing where there is none, or it is another assistant's. */
  revoke(token: string, clientId: string): Promise<void>;
  /** Those that have not ended. */
  list(request: AssistantGrantListRequest): Promise<Page<ShownGrant>>;
  find(id: string): Promise<ShownGrant | null>;
  /** Errors: ASSISTANT_UNKNOWN. */
  end(actor: Actor, id: string): Promise<void>;
}

export interface AssistantGrantsDeps {
  readonly assistants: AssistantRepository;
  readonly admins: Pick<AdminRepository, 'findAdmin'>;
  readonly nonces: NonceRepository;
  readonly authorizations: Pick<Authorizations, 'takeCode'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

const REFRESH_PREFIX = 'skr_';

const ACCESS_MS = 3_600_000;
/** From the last renewal on. */
const GRANT_MS = 90 * 24 * 3_600_000;
/** Longer than an exchange takes. */
const SHOWN_AGAIN_MS = 60_000;

export function createAssistantGrants(deps: AssistantGrantsDeps): AssistantGrants {
  const { assistants, admins, nonces, authorizations, audit, clock } = deps;
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Tokens, and what the store knows of them.
   *  @param family what all refresh tokens of a grant begin with, so that each former one still leads to it */
  function makeTokens(family: string) {
    const [accessToken, refreshToken] = [ACCESS_PREFIX + makeToken(), `${family}.${makeToken()}`];
    return {
      issued: { accessToken, refreshToken, expiresInSeconds: ACCESS_MS / 1_000 },
      kept: {
        ...{ accessHash: hashKey(accessToken), accessExpiresAt: after(ACCESS_MS) },
        ...{ refreshHash: hashKey(refreshToken), expiresAt: after(GRANT_MS) },
      },
    };
  }

  async function end(actor: Actor, { id, tenantId, clientName: target }: AssistantGrantRecord, why: string) {
    if (!(await assistants.removeAssistantGrant(id))) return false;
    await audit.record(actor, { action: 'assistant.disconnected', tenantId, target, details: { id, why } });
    return true;
  }

  /** Whoever shows a code that is gone may have a copy: what came of it ends, and what is being made of it on another host just now must
   *  not last. That host looks for the note after it has kept the grant, and this one for the grant after the note: one of them sees it. */
  async function takeCode(code: string) {
    try {
      return await authorizations.takeCode(code);
    } catch (error) {
      await nonces.addNonce(shownAgain(code), '', after(SHOWN_AGAIN_MS));
      const made = await assistants.findAssistantGrant(grantIdOf(code));
      if (made !== null) await end(systemActor, made, USED_TWICE);
      throw error;
    }
  }

  return {
    async exchangeCode({ code, clientId, redirectUri, codeVerifier, resource }) {
      const data = await takeCode(code);
      const isOwn =
        data.clientId === clientId &&
        (redirectUri === undefined || redirectUri === data.redirectUri) &&
        isVerifierOf(data.codeChallenge, codeVerifier);
      if (!isOwn)
        throw wrongGrant('This code was not given to who shows it. Connect the assistant once more.');
      refuseOtherResource(resource, data.resource);
      const { tenantId, adminId, clientName } = data;
      if (!(await hasAccess(admins, data)))
        throw wrongGrant(
          'Whoever let this assistant in has no account here any more, or not for this institution.',
        );
      await assistants.removeEndedAssistantGrants(clock.now());
      const family = REFRESH_PREFIX + makeToken();
      const { issued, kept } = makeTokens(family);
      const grant = {
        ...{ id: grantIdOf(code), tenantId, adminId, clientId, clientName, resource: data.resource, ...kept },
        ...{ familyHash: hashKey(family), createdAt: clock.now(), lastUsedAt: null },
      };
      await assistants.addAssistantGrant(grant);
      if ((await nonces.findNonce(shownAgain(code), clock.now())) === null) return issued;
      await end(systemActor, grant, USED_TWICE);
      throw wrongGrant('This code was shown at the same moment elsewhere. Connect the assistant once more.');
    },
    async renew({ refreshToken, clientId, resource }) {
      const [hash, family] = [hashKey(refreshToken), readFamily(refreshToken)];
      const record = await assistants.findAssistantGrantByFamily(hashKey(family));
      // Nobody can make a family up: this is a former token, however many renewals ago.
      if (record !== null && record.refreshHash !== hash)
        await end(systemActor, record, 'a refresh token was used twice');
      const isGood =
        record?.refreshHash === hash && record.clientId === clientId && record.expiresAt > clock.now();
      if (!isGood)
        throw wrongGrant('This refresh token is unknown, was used already, or has ended. Connect once more.');
      refuseOtherResource(resource, record.resource);
      const { issued, kept } = makeTokens(family);
      const isRenewed = await assistants.renewAssistantGrant({ ...record, ...kept }, hash);
      if (!isRenewed)
        throw wrongGrant('This refresh token was used at the same moment elsewhere. Connect once more.');
      return issued;
    },
    async revoke(token, clientId) {
      const found =
        (await assistants.findAssistantGrantByAccess(hashKey(token))) ??
        (await assistants.findAssistantGrantByFamily(hashKey(readFamily(token))));
      if (found?.clientId === clientId) await end(systemActor, found, 'the assistant gave it back');
    },
    async list(request) {
      await assistants.removeEndedAssistantGrants(clock.now());
      const { items, total } = await assistants.listAssistantGrants(request);
      return { items: items.map(toShown), total };
    },
    async find(id) {
      const record = await assistants.findAssistantGrant(id);
      return record === null ? null : toShown(record);
    },
    async end(actor, id) {
      const record = await assistants.findAssistantGrant(id);
      if (record !== null && (await end(actor, record, 'disconnected here'))) return;
      throw new AppError('ASSISTANT_UNKNOWN', 'This assistant is not connected any more. Reload the page.');
    },
  };
}

/** What a refresh token has in common with all others of its grant: what is before the point. */
const readFamily = (refreshToken: string) => refreshToken.split('.', 1)[0] ?? '';

/** A code leads to the grant that came of it for as long as that lasts. */
const grantIdOf = (code: string) => hashKey(code);
const shownAgain = (code: string) => `assistant-code-again ${hashKey(code)}`;
const USED_TWICE = 'its code was used twice';

const toShown = ({
  accessHash: _,
  refreshHash: __,
  familyHash: ___,
  ...shown
}: AssistantGrantRecord): ShownGrant => shown;

const wrongGrant = (message: string) => refuseAssistant('invalid_grant', message);

/** Errors: ASSISTANT_REFUSED. */
function refuseOtherResource(asked: string | undefined, resource: string): void {
  if (asked === undefined || isSameResource(asked, resource)) return;
  throw refuseAssistant('invalid_target', `The tokens of this grant are for ${resource} only.`);
}
