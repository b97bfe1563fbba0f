import { AppError } from '#errors';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { Outbound } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { fetchKeySet } from '../protocol/key-set.ts';
import { showPlatformText } from './platform-calls.ts';

type Outcome = Pick<PlatformCheck, 'outcome' | 'detail'>;

const ok: Outcome = { outcome: 'ok', detail: null };

export async function checkPlatformKeys(
  outbound: Outbound,
  { jwksUri }: LtiRegistrationRecord,
): Promise<PlatformCheck> {
  const result = await fetchKeySet(outbound, jwksUri).then((keys): Outcome => {
    if (keys.length > 0) return ok;
    return {
      outcome: 'wrong',
      detail: 'There is no RSA key of 2,048 bits or more for signatures with RS256.',
    };
  }, toOutcome);
  return { part: 'keys', url: jwksUri, ...result };
}

/** @param getToken asks for a token with a scope. One of the scopes is enough, as platforms refuse those that are turned off. */
export async function checkPlatformToken(
  { tokenEndpoint }: LtiRegistrationRecord,
  scopes: readonly string[],
  getToken: (scope: string) => Promise<unknown>,
): Promise<PlatformCheck> {
  let result: Outcome = ok;
  for (const scope of scopes) {
    result = await getToken(scope).then(() => ok, toOutcome);
    if (result.outcome !== 'refused') break;
  }
  return { part: 'token', url: tokenEndpoint, ...result };
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof AppError)) return { outcome: 'wrong', detail: showPlatformText(String(error)) };
  const { status = null, detail = error.message } = error.data as { status?: number | null; detail?: string };
  return {
    outcome: chooseOutcome(error, status),
    detail: showPlatformText(status === null ? detail : `HTTP ${status}: ${detail}`),
  };
}

function chooseOutcome({ code }: AppError, status: number | null): PlatformCheck['outcome'] {
  if (status === null) return code === 'SECRET_UNREADABLE' ? 'wrong' : 'unreachable';
  if (status === 401 || status === 403) return 'refused';
  return code === 'PLATFORM_REFUSED' || code === 'PLATFORM_THROTTLED' ? 'refused' : 'wrong';
}
