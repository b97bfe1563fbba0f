import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { AppError, type ErrorCode } from '#errors';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { createPlatformKeys, type PlatformKeysDeps } from './platform-keys.ts';

const MAX_LENGTH = 65_536;
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 3_600;

/** Verifies a token of a platform: the id_token of a launch, or a notice.
 *  1. It is a JWS in compact form, no larger than a launch can be, signed with RS256 by a named key
 *     of the platform.
 *  2. Its issuer is the platform, and its audience is this tool.
 *  3. It is valid now, with a minute for clocks that differ, and at most an hour old.
 *  https://www.imsglobal.org/spec/security/v1p0/#authentication-response-validation */
export function createTokenVerification(deps: PlatformKeysDeps): LtiPlatforms['verifyToken'] {
  const keys = createPlatformKeys(deps);
  return async (registration, token) => {
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
      requireTokenForm(token);
      const { payload } = await keys
        .verifyWith(jwksUri, (getKey) => jwtVerify(token, getKey, options))
        .catch((error: unknown) => ({ payload: ignoreEmptyNbf(error, options.currentDate) }));
      requireTokenParty(payload, clientId);
      return payload;
    } catch (error) {
      throw error instanceof errors.JOSEError ? toTokenRefusal(error, registration) : error;
    }
  };
}

/** Refuses tokens that jose would accept or report with another error. */
function requireTokenForm(token: string): void {
  if (token.length > MAX_LENGTH) throw new errors.JWSInvalid('It is too large.');
  decodeJwt(token);
  const { alg, kid } = readTokenHeader(token);
  if (typeof alg !== 'string') throw new errors.JOSEAlgNotAllowed('It names no algorithm.');
  if (typeof kid !== 'string' || kid === '')
    throw new AppError(
      'LTI_KEY_UNKNOWN',
      'The launch does not say which key it is signed with (kid). The platform has to name it.',
    );
}

function readTokenHeader(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new errors.JWSInvalid('Its header cannot be read.', { cause });
  }
}

/** Reads the payload of a token whose `nbf` is null, which counts as absent. jose refuses it after
 *  signature, issuer and audience are checked, and before `exp` and `iat`, which are checked here.
 *  Errors: the given error, if it is about anything else; jose's errors for `exp` and `iat`. */
function ignoreEmptyNbf(error: unknown, currentDate: Date): JWTPayload {
  const isEmpty =
    error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf' && error.payload.nbf === null;
  if (!isEmpty) throw error;
  const { payload } = error;
  const now = Math.floor(currentDate.getTime() / 1_000);
  const { exp, iat } = payload;
  const { JWTClaimValidationFailed, JWTExpired } = errors;
  if (typeof exp !== 'number') throw new JWTClaimValidationFailed('exp must be a number', payload, 'exp', 'invalid');
  if (exp <= now - LEEWAY_SECONDS) throw new JWTExpired('exp is over', payload, 'exp', 'check_failed');
  if (typeof iat !== 'number') throw new JWTClaimValidationFailed('iat must be a number', payload, 'iat', 'invalid');
  const ageSeconds = now - iat;
  if (ageSeconds - LEEWAY_SECONDS > MAX_AGE_SECONDS) throw new JWTExpired('iat is old', payload, 'iat', 'check_failed');
  if (ageSeconds < -LEEWAY_SECONDS) throw new JWTClaimValidationFailed('iat is later', payload, 'iat', 'check_failed');
  return payload;
}

function requireTokenParty({ aud, azp: party }: JWTPayload, clientId: string): void {
  const azp = party || undefined;
  const hasSeveralAudiences = Array.isArray(aud) && aud.length > 1;
  if (azp !== clientId && (azp !== undefined || hasSeveralAudiences))
    throw new AppError('LTI_AZP_WRONG', 'The launch is meant for several tools and not made out to this one (azp).', {
      data: { facts: { clientId } },
    });
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** The field of the registration that helps to correct the platform. */
  readonly fact?: 'issuer' | 'clientId';
}

const malformed: Refusal = {
  code: 'LTI_TOKEN_MALFORMED',
  message:
    'What the platform sent is not an id_token: it is cut off, too large, or of another form. Open the activity again.',
};
const early: Refusal = {
  code: 'LTI_TOKEN_EARLY',
  message: 'The launch is dated in the future: the clocks of the platform and of this host differ.',
};

/** Refusals by the error code of jose and, if necessary, the claim and the reason. */
const refusals: Readonly<Record<string, Refusal>> = {
  ERR_JWS_INVALID: malformed,
  ERR_JWT_INVALID: malformed,
  ERR_JOSE_NOT_SUPPORTED: malformed,
  ERR_JOSE_ALG_NOT_ALLOWED: {
    code: 'LTI_ALG_REFUSED',
    message:
      'The launch is not signed with RS256, the only way of signing that is accepted. The platform has to be set to it.',
  },
  ERR_JWKS_NO_MATCHING_KEY: {
    code: 'LTI_KEY_UNKNOWN',
    message:
      "The launch is signed with a key that the platform does not publish. Check the address of the platform's keys.",
  },
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: {
    code: 'LTI_SIGNATURE_INVALID',
    message:
      'The signature of the launch is not one of the platform: it was changed on its way, or made by somebody else.',
  },
  'ERR_JWT_EXPIRED exp': { code: 'LTI_TOKEN_EXPIRED', message: 'The launch has expired. Open the activity again.' },
  'ERR_JWT_EXPIRED iat': {
    code: 'LTI_TOKEN_OLD',
    message: 'The launch was made more than an hour ago. Open the activity again.',
  },
  'ERR_JWT_CLAIM_VALIDATION_FAILED iat check_failed': early,
  'ERR_JWT_CLAIM_VALIDATION_FAILED nbf check_failed': early,
  'ERR_JWT_CLAIM_VALIDATION_FAILED iss': {
    code: 'LTI_ISSUER_WRONG',
    message: 'The launch comes from another platform than the one its login was begun for.',
    fact: 'issuer',
  },
  'ERR_JWT_CLAIM_VALIDATION_FAILED aud': {
    code: 'LTI_AUDIENCE_WRONG',
    message: 'The launch is meant for another tool than this one (aud).',
    fact: 'clientId',
  },
};

/** Makes the error for an error of jose: LTI_CLAIMS_INVALID for a missing or malformed time. */
function toTokenRefusal(error: errors.JOSEError, registration: LtiRegistrationRecord): AppError {
  const isAboutClaim = error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
  const { claim, reason } = isAboutClaim ? error : { claim: '', reason: '' };
  const refusal =
    refusals[`${error.code} ${claim} ${reason}`] ??
    refusals[`${error.code} ${claim}`] ??
    refusals[error.code] ??
    (isAboutClaim ? undefined : malformed);
  if (refusal === undefined)
    return new AppError('LTI_CLAIMS_INVALID', 'The launch does not say from when to when it holds.', {
      cause: error,
      problems: [{ path: claim, problem: 'must be a time in seconds' }],
    });
  const { code, message, fact } = refusal;
  const facts = fact === undefined ? {} : { [fact]: registration[fact] };
  return new AppError(code, message, { cause: error, data: { facts } });
}
