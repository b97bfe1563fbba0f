/** What an id_token must be before it is worth a signature check.
 *  1. One JWS in compact form, of a size that a launch can have, signed with RS256 by a named key.
 *  2. From the platform that the login was begun for, for us, and for nobody else beside us without our being named.
 *  3. Of now, by its own times, with a minute for clocks that differ.
 *  4. With the nonce of the login.
 *  https://www.imsglobal.org/spec/security/v1p0/#authentication-response-validation */

import { AppError } from '../../../errors.ts';
import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';

const MAX_BYTES = 65_536;
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 3_600;
const MAX_KEY_ID = 500;
const COMPACT = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;

type Fields = Readonly<Record<string, unknown>>;

export interface UnverifiedToken {
  readonly text: string;
  readonly keyId: string;
  readonly claims: Fields;
}

/** Errors: LTI_TOKEN_MALFORMED, LTI_ALG_REFUSED, LTI_KEY_UNKNOWN where no key is named. */
export function readIdToken(text: string): UnverifiedToken {
  const [, head = '', body = ''] = text.length <= MAX_BYTES ? (COMPACT.exec(text) ?? []) : [];
  const header = parseFields(head);
  const claims = parseFields(body);
  // `crit` names extensions without which the token must not be understood, and we know none.
  if (header === null || claims === null || header.crit !== undefined)
    throw new AppError(
      'LTI_TOKEN_MALFORMED',
      'What the platform sent is no id_token: it is cut off, too large, or of another form. Open the activity again.',
    );
  if (header.alg !== 'RS256')
    throw new AppError(
      'LTI_ALG_REFUSED',
      'The launch is not signed with RS256, the only way of signing that is accepted. The platform has to be set to it.',
    );
  const keyId = header.kid;
  if (typeof keyId !== 'string' || keyId === '' || keyId.length > MAX_KEY_ID)
    throw new AppError(
      'LTI_KEY_UNKNOWN',
      'The launch does not say which key it is signed with (kid). The platform has to name it.',
    );
  return { text, keyId, claims };
}

export interface ExpectedToken {
  readonly registration: LtiRegistrationRecord;
  readonly nonce: string;
  readonly now: Date;
}

/** Errors: LTI_ISSUER_WRONG, LTI_AUDIENCE_WRONG, LTI_AZP_WRONG, LTI_TOKEN_EXPIRED, LTI_TOKEN_EARLY, LTI_TOKEN_OLD,
 *  LTI_NONCE_WRONG; LTI_CLAIMS_INVALID where there are no times. */
export function checkIdToken({ claims }: UnverifiedToken, { registration, nonce, now }: ExpectedToken): void {
  checkParties(claims, registration);
  checkTimes(claims, now.getTime() / 1_000);
  if (claims.nonce !== nonce)
    throw new AppError(
      'LTI_NONCE_WRONG',
      'The launch does not belong to the login it came with (nonce). Open the activity again.',
    );
}

function checkParties({ iss, aud, azp }: Fields, { issuer, clientId }: LtiRegistrationRecord): void {
  if (iss !== issuer)
    throw new AppError(
      'LTI_ISSUER_WRONG',
      'The launch comes from another platform than the one its login was begun for.',
      { data: { facts: { issuer } } },
    );
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId))
    throw new AppError('LTI_AUDIENCE_WRONG', 'The launch is meant for another tool than this one (aud).', {
      data: { facts: { clientId } },
    });
  if (azp !== clientId && (azp !== undefined || audiences.length > 1))
    throw new AppError(
      'LTI_AZP_WRONG',
      'The launch is meant for several tools and not made out to this one (azp).',
      { data: { facts: { clientId } } },
    );
}

function checkTimes({ exp, iat, nbf }: Fields, nowSeconds: number): void {
  if (!isTime(exp) || !isTime(iat) || (nbf !== undefined && !isTime(nbf)))
    throw new AppError('LTI_CLAIMS_INVALID', 'The launch does not say from when to when it holds.', {
      problems: [{ path: 'exp, iat', problem: 'must be times in seconds' }],
    });
  if (exp + LEEWAY_SECONDS <= nowSeconds)
    throw new AppError('LTI_TOKEN_EXPIRED', 'The launch has expired. Open the activity again.');
  if (Math.max(iat, nbf ?? iat) > nowSeconds + LEEWAY_SECONDS)
    throw new AppError(
      'LTI_TOKEN_EARLY',
      'The launch is dated in the future: the clocks of the platform and of this host differ.',
    );
  if (iat + MAX_AGE_SECONDS + LEEWAY_SECONDS < nowSeconds)
    throw new AppError(
      'LTI_TOKEN_OLD',
      'The launch was made more than an hour ago. Open the activity again.',
    );
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Null for what is no object in JSON. */
function parseFields(encoded: string): Fields | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
