import { errors } from 'jose';
import { AppError, type ErrorCode } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** The part of the registration that helps to put it right. */
  readonly fact?: 'issuer' | 'clientId';
}

const malformed: Refusal = {
  code: 'LTI_TOKEN_MALFORMED',
  message:
    'What the platform sent is no id_token: it is cut off, too large, or of another form. Open the activity again.',
};
const early: Refusal = {
  code: 'LTI_TOKEN_EARLY',
  message: 'The launch is dated in the future: the clocks of the platform and of this host differ.',
};

/** Our refusals for those of jose: by its code and, where that is not enough, by the claim and what
 *  is wrong with it. */
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
  'ERR_JWT_EXPIRED exp': {
    code: 'LTI_TOKEN_EXPIRED',
    message: 'The launch has expired. Open the activity again.',
  },
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

/** Our error for one of jose, which becomes its cause. A time that is missing or not a number is
 *  LTI_CLAIMS_INVALID. */
export function toTokenRefusal(error: errors.JOSEError, registration: LtiRegistrationRecord): AppError {
  const isOfClaim = error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
  const { claim, reason } = isOfClaim ? error : { claim: '', reason: '' };
  const refusal =
    refusals[`${error.code} ${claim} ${reason}`] ??
    refusals[`${error.code} ${claim}`] ??
    refusals[error.code] ??
    (isOfClaim ? undefined : malformed);
  if (refusal === undefined)
    return new AppError('LTI_CLAIMS_INVALID', 'The launch does not say from when to when it holds.', {
      cause: error,
      problems: [{ path: claim, problem: 'must be a time in seconds' }],
    });
  const { code, message, fact } = refusal;
  const facts = fact === undefined ? {} : { [fact]: registration[fact] };
  return new AppError(code, message, { cause: error, data: { facts } });
}
