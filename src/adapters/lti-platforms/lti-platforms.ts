import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { SCORE_SCOPE } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms, NoticeSubscription, PlatformCheck } from '#ports/lti-platforms';
import type { Outbound } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { AccessTokens, SigningKeys } from './access-token.ts';
import { createAccessTokens, dropAccessToken, getAccessToken, withAccessToken } from './access-token.ts';
import { createAgs } from './ags.ts';
import { fetchPlatformConfiguration, registerToolDynamically } from './dynamic-registration.ts';
import { checkLtijsClaims } from './ltijs.ts';
import { createNrps, MEMBERS_SCOPE } from './nrps.ts';
import { type PlatformAccess, toDisplayLine } from './platform-call.ts';
import { fetchPlatformKeySet } from './platform-keys.ts';
import { createTokenVerification } from './verify-token.ts';

export interface LtiPlatformsDeps {
  readonly registrations: SigningKeys;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** Calls platforms: jose verifies tokens, and ltijs calls services where it does that well. */
export function createLtiPlatforms(deps: LtiPlatformsDeps): LtiPlatforms {
  const tokens = createAccessTokens(deps);
  return {
    verifyToken: createTokenVerification(deps),
    checkLaunchClaims: checkLtijsClaims,
    ...createAgs(tokens),
    ...createNrps(tokens),
    ...createNoticeSubscriptions(tokens),
    fetchConfiguration: (url, token) => fetchPlatformConfiguration(deps.outbound, url, token),
    registerTool: (platform, tool) => registerToolDynamically(deps.outbound, platform, tool),
    check: (registration) => checkPlatform(tokens, registration),
  };
}

const NOTICES_SCOPE = 'https://purl.imsglobal.org/spec/lti/scope/noticehandlers';
const DAY_MS = 86_400_000;
/** The time after a failure in which no launch tries again. */
const RETRY_MS = 600_000;
const MAX_CACHED = 5_000;

/** Subscribes to notices, and remembers it in this process only: subscribing again does no harm.
 *  Source: Platform Notification Service 1.0, https://www.imsglobal.org/spec/lti-pns/v1p0/main/ */
function createNoticeSubscriptions(tokens: AccessTokens): Pick<LtiPlatforms, 'subscribeToNotices'> {
  const recent = new LRUCache<string, true>({ ...limitEntries(MAX_CACHED), ttl: DAY_MS });
  return {
    async subscribeToNotices(registration, subscription) {
      const key = JSON.stringify([registration.id, registration.version, subscription]);
      if (subscription.types.length === 0 || recent.has(key)) return;
      recent.set(key, true, { ttl: RETRY_MS });
      await withAccessToken(tokens, { registration, part: 'notices', scope: NOTICES_SCOPE }, (access) =>
        setNoticeHandlers(access, subscription),
      );
      recent.set(key, true);
    },
  };
}

async function setNoticeHandlers({ call, token }: PlatformAccess, subscription: NoticeSubscription): Promise<void> {
  const { url, handler, types } = subscription;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const existing = readNoticeHandlers((await call(url, { headers })).text);
  for (const type of types.filter((each) => existing.get(each) !== handler))
    await call(url, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ notice_type: type, handler }),
    });
}

/** Reads handlers by notice type; none if the answer cannot be read, so that all are set. */
function readNoticeHandlers(text: string): ReadonlyMap<unknown, unknown> {
  try {
    const { notice_handlers: handlers } = JSON.parse(text);
    return new Map(handlers.map((each: Record<string, unknown>) => [each.notice_type, each.handler]));
  } catch {
    return new Map();
  }
}

type Outcome = Pick<PlatformCheck, 'outcome' | 'detail'>;
const ok: Outcome = { outcome: 'ok', detail: null };

async function checkPlatform(tokens: AccessTokens, registration: LtiRegistrationRecord): Promise<PlatformCheck[]> {
  const { jwksUri, tokenEndpoint } = registration;
  return [
    { part: 'keys', url: jwksUri, ...(await checkPlatformKeys(tokens, jwksUri)) },
    { part: 'token', url: tokenEndpoint, ...(await checkPlatformToken(tokens, registration)) },
  ];
}

async function checkPlatformKeys({ outbound }: AccessTokens, uri: string): Promise<Outcome> {
  try {
    const keys = await fetchPlatformKeySet(outbound, uri);
    if (keys.length > 0) return ok;
    const detail = 'There is no RSA key of 2,048 bits or more for signatures with RS256.';
    return { outcome: 'wrong', detail };
  } catch (error) {
    return toPlatformOutcome(error);
  }
}

/** Checks whether the platform gives a token for one scope: it may refuse disabled ones. */
async function checkPlatformToken(tokens: AccessTokens, registration: LtiRegistrationRecord): Promise<Outcome> {
  let outcome = ok;
  for (const scope of [SCORE_SCOPE, MEMBERS_SCOPE]) {
    dropAccessToken(tokens, registration, scope);
    outcome = await getAccessToken(tokens, registration, scope).then(() => ok, toPlatformOutcome);
    if (outcome.outcome !== 'refused') break;
  }
  return outcome;
}

function toPlatformOutcome(error: unknown): Outcome {
  if (!(error instanceof AppError)) return { outcome: 'wrong', detail: toDisplayLine(String(error)) };
  const { status = null, detail = error.message } = error.data as { status?: number | null; detail?: string };
  return {
    outcome: choosePlatformOutcome(error, status),
    detail: toDisplayLine(status === null ? detail : `HTTP ${status}: ${detail}`),
  };
}

function choosePlatformOutcome({ code }: AppError, status: number | null): PlatformCheck['outcome'] {
  if (status === null) return code === 'SECRET_UNREADABLE' ? 'wrong' : 'unreachable';
  if (status === 401 || status === 403) return 'refused';
  return code === 'PLATFORM_REFUSED' || code === 'PLATFORM_THROTTLED' ? 'refused' : 'wrong';
}
