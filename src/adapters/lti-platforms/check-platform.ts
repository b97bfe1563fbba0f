import { SCORE_SCOPE } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { type AccessTokens, dropAccessToken, getAccessToken } from './access-token.ts';
import { MEMBERS_SCOPE } from './nrps.ts';
import { toDisplayLine } from './platform-call.ts';
import { fetchKeySet } from './platform-keys.ts';

type Outcome = Pick<PlatformCheck, 'outcome' | 'detail'>;

const ok: Outcome = { outcome: 'ok', detail: null };

/** Checks a platform by fetching its keys and a new token. */
export async function checkPlatform(
  tokens: AccessTokens,
  registration: LtiRegistrationRecord,
): Promise<PlatformCheck[]> {
  const { jwksUri, tokenEndpoint } = registration;
  return [
    { part: 'keys', url: jwksUri, ...(await checkKeys(tokens, jwksUri)) },
    { part: 'token', url: tokenEndpoint, ...(await checkToken(tokens, registration)) },
  ];
}

async function checkKeys({ outbound }: AccessTokens, uri: string): Promise<Outcome> {
  try {
    const keys = await fetchKeySet(outbound, uri);
    if (keys.length > 0) return ok;
    const detail = 'There is no RSA key of 2,048 bits or more for signatures with RS256.';
    return { outcome: 'wrong', detail };
  } catch (error) {
    return toOutcome(error);
  }
}

/** One scope is enough, as platforms refuse disabled scopes. */
async function checkToken(tokens: AccessTokens, registration: LtiRegistrationRecord): Promise<Outcome> {
  let outcome = ok;
  for (const scope of [SCORE_SCOPE, MEMBERS_SCOPE]) {
    dropAccessToken(tokens, registration, scope);
    outcome = await getAccessToken(tokens, registration, scope).then(() => ok, toOutcome);
    if (outcome.outcome !== 'refused') break;
  }
  return outcome;
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof AppError)) return { outcome: 'wrong', detail: toDisplayLine(String(error)) };
  const { status = null, detail = error.message } = error.data as { status?: number | null; detail?: string };
  return {
    outcome: chooseOutcome(error, status),
    detail: toDisplayLine(status === null ? detail : `HTTP ${status}: ${detail}`),
  };
}

function chooseOutcome({ code }: AppError, status: number | null): PlatformCheck['outcome'] {
  if (status === null) return code === 'SECRET_UNREADABLE' ? 'wrong' : 'unreachable';
  if (status === 401 || status === 403) return 'refused';
  return code === 'PLATFORM_REFUSED' || code === 'PLATFORM_THROTTLED' ? 'refused' : 'wrong';
}
