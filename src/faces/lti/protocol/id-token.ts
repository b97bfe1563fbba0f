/** Verifies what a platform signed: the id_token of a launch, or a notice.
 *  1. It is one JWS in compact form, no larger than a launch can be, signed with RS256 by a named key of the platform.
 *  2. It comes from the platform that the login was begun for, and is made out to us.
 *  3. It is valid now, by its own times, with a minute for clocks that differ.
 *  4. A launch has the nonce of the login, and all claims of a launch.
 *  jose verifies the first three; ltijs has the last word on the claims.
 *  https://www.imsglobal.org/spec/security/v1p0/#authentication-response-validation */
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { validateLtijsClaims } from '../ltijs/ltijs.ts';
import { type LaunchClaims, readClaims } from './claims.ts';
import { createPlatformKeys, type PlatformKeysDeps } from './platform-keys.ts';
import { toTokenRefusal } from './token-refusals.ts';

export interface ExpectedToken {
  readonly registration: LtiRegistrationRecord;
  readonly nonce: string;
}

const MAX_BYTES = 65_536;
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 3_600;

/** The claims of what this platform signed for us.
 *  Errors: those of `token-refusals.ts`; LTI_AZP_WRONG, LTI_KEYS_UNAVAILABLE. */
export type VerifySigned = (text: string, registration: LtiRegistrationRecord) => Promise<JWTPayload>;

export function createSignedVerification(deps: PlatformKeysDeps): VerifySigned {
  const keys = createPlatformKeys(deps);
  return async (text, registration) => {
    const { issuer, clientId, jwksUri } = registration;
    const options = {
      algorithms: ['RS256'],
      issuer,
      audience: clientId,
      requiredClaims: ['exp'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: deps.clock.now(),
    };
    try {
      requireForm(text);
      const { payload } = await keys.verifyWith(jwksUri, (getKey) => jwtVerify(text, getKey, options));
      requireParty(payload, clientId);
      return payload;
    } catch (error) {
      throw error instanceof errors.JOSEError ? toTokenRefusal(error, registration) : error;
    }
  };
}

/** The claims of an id_token. Errors: those of `verify` and of `readClaims`; LTI_NONCE_WRONG. */
export async function readIdToken(
  verify: VerifySigned,
  text: string,
  { registration, nonce }: ExpectedToken,
): Promise<LaunchClaims> {
  const payload = await verify(text, registration);
  requireNonce(payload, nonce);
  const claims = readClaims(payload);
  await validateLtijsClaims(payload);
  return claims;
}

/** What jose would accept, or would call by another name than we do. */
function requireForm(text: string): void {
  if (text.length > MAX_BYTES) throw new errors.JWSInvalid('It is too large.');
  decodeJwt(text);
  const { alg, kid } = readHeader(text);
  if (typeof alg !== 'string') throw new errors.JOSEAlgNotAllowed('It names no algorithm.');
  if (typeof kid !== 'string' || kid === '')
    throw new AppError(
      'LTI_KEY_UNKNOWN',
      'The launch does not say which key it is signed with (kid). The platform has to name it.',
    );
}

function readHeader(text: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(text);
  } catch (cause) {
    throw new errors.JWSInvalid('Its header cannot be read.', { cause });
  }
}

function requireParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (azp !== clientId && (azp !== undefined || isForSeveral))
    throw new AppError(
      'LTI_AZP_WRONG',
      'The launch is meant for several tools and not made out to this one (azp).',
      { data: { facts: { clientId } } },
    );
}

function requireNonce(claims: JWTPayload, nonce: string): void {
  if (claims.nonce !== nonce)
    throw new AppError(
      'LTI_NONCE_WRONG',
      'The launch does not belong to the login it came with (nonce). Open the activity again.',
    );
}
