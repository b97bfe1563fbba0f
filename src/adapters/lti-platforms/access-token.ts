import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createSharedCalls } from '#domain/async/shared-calls';
import type { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Outbound } from '#ports/outbound';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { requestLtijsToken } from './ltijs.ts';
import { type CallPart, createPlatformCall, type PlatformAccess, toPlatformError } from './platform-call.ts';

export interface SigningKeys {
  /** Returns a key as PEM in PKCS #8. */
  signingKeyOf(registration: LtiRegistrationRecord): Promise<{ readonly privateKey: string }>;
}

/** Access tokens of platforms, cached in this process only. */
export interface AccessTokens {
  readonly registrations: SigningKeys;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly cached: LRUCache<string, { readonly token: string; readonly usableUntil: Date }>;
  readonly requests: ReturnType<typeof createSharedCalls<string>>;
}

const MAX_TOKENS = 1_000;
/** How long a token is cached at most, also if the platform does not state its lifetime. */
const MAX_SECONDS = 3_600;
/** Subtracted from the lifetime, so that a token is still valid when it arrives. */
const MARGIN_SECONDS = 60;

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.unknown().optional() });

export const createAccessTokens = (deps: Pick<AccessTokens, 'registrations' | 'outbound' | 'clock'>): AccessTokens => ({
  ...deps,
  cached: new LRUCache({ max: MAX_TOKENS }),
  requests: createSharedCalls(),
});

/** Calls a service with a token of its scope; once more with a new token where the platform refuses
 *  it, as it may have revoked a cached one. Errors: those of `LtiPlatforms`. */
export async function withAccessToken<T>(
  tokens: AccessTokens,
  { registration, part, scope }: { registration: LtiRegistrationRecord; part: CallPart; scope: string },
  callService: (access: PlatformAccess) => Promise<T>,
): Promise<T> {
  const call = createPlatformCall(tokens.outbound, part);
  const attempt = async () => {
    try {
      const token = await getAccessToken(tokens, registration, scope);
      return await callService({ registration, call, token });
    } catch (error) {
      throw toPlatformError(error, part);
    }
  };
  return attempt().catch((error: AppError) => {
    const { code, data } = error;
    if (code !== 'PLATFORM_REFUSED' || data.part !== part || data.status !== 401) throw error;
    dropAccessToken(tokens, registration, scope);
    return attempt();
  });
}

/** Returns a cached or new token. Errors: those of `LtiPlatforms`, with the part `token`. */
export async function getAccessToken(
  tokens: AccessTokens,
  registration: LtiRegistrationRecord,
  scope: string,
): Promise<string> {
  const key = toAccessTokenKey(registration, scope);
  const cached = tokens.cached.get(key);
  if (cached !== undefined && cached.usableUntil > tokens.clock.now()) return cached.token;
  return tokens.requests.wait(key, () => requestAccessToken(tokens, registration, scope));
}

export function dropAccessToken({ cached }: AccessTokens, registration: LtiRegistrationRecord, scope: string): void {
  cached.delete(toAccessTokenKey(registration, scope));
}

async function requestAccessToken(
  { registrations, outbound, clock, cached }: AccessTokens,
  registration: LtiRegistrationRecord,
  scope: string,
): Promise<string> {
  try {
    const { privateKey } = await registrations.signingKeyOf(registration);
    const call = createPlatformCall(outbound, 'token');
    const answer = await requestLtijsToken({ registration, call, privateKey, scope });
    const { data } = tokenAnswer.safeParse(answer);
    if (data === undefined) throw new Error('The platform answered without a token.');
    const usableUntil = new Date(clock.now().getTime() + toUsableTokenSeconds(data.expires_in) * 1_000);
    cached.set(toAccessTokenKey(registration, scope), { token: data.access_token, usableUntil });
    return data.access_token;
  } catch (error) {
    throw toPlatformError(error, 'token');
  }
}

/** The key has the version, as a changed registration may have another token endpoint. */
const toAccessTokenKey = ({ id, version }: LtiRegistrationRecord, scope: string) => `${id} ${version} ${scope}`;

function toUsableTokenSeconds(expiresIn: unknown): number {
  const stated = Number(expiresIn ?? MAX_SECONDS);
  const seconds = stated > 0 ? Math.min(stated, MAX_SECONDS) : 0;
  return Math.max(seconds - MARGIN_SECONDS, seconds / 2);
}
