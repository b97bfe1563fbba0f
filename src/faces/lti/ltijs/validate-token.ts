import { type KeyObject, verify } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';
import type { LtiRegistrations } from '../../../services/lti-registrations/lti-registrations.ts';
import { type LaunchClaims, readClaims } from '../protocol/claims.ts';
import type { UnverifiedToken } from '../protocol/id-token.ts';
import { Auth, type LtijsAuth } from './load.ts';
import { createPlatform, NO_KEY } from './registered-platform.ts';
import { createStorePlugin } from './store-plugin.ts';

export interface TokenValidationDeps {
  readonly registrations: Pick<LtiRegistrations, 'signingKeyOf'>;
}

export interface TokenSource {
  readonly registration: LtiRegistrationRecord;
  /** The one that the token says it is signed with. */
  readonly publicKey: KeyObject;
}

/** Validates id_tokens by ltijs; their times and their nonce were checked before.
 *  Errors: LTI_SIGNATURE_INVALID, those of `readClaims`; LTI_CLAIMS_INVALID for what ltijs refuses beyond. */
export function createTokenValidation({ registrations }: TokenValidationDeps) {
  return async (token: UnverifiedToken, source: TokenSource): Promise<LaunchClaims> => {
    const { registration, publicKey } = source;
    const { issuer, clientId } = registration;
    const database = createStorePlugin(registration, { registrations });
    const platform = createPlatform(registration, database, publicKey);
    const findPlatform = async (iss: string, aud: string) => iss === issuer && aud === clientId && platform;
    try {
      const auth = createAuth(token);
      return await auth.validateToken(token.text, false, { iss: issuer }, findPlatform, NO_KEY, database);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', {
        cause,
      });
    }
  };
}

/** ltijs knows no leeway for clocks that differ, and tells by its messages only what is wrong. So its step of verifying is
 *  ours, and its own checks of claims come after it. */
function createAuth({ text, claims }: UnverifiedToken): LtijsAuth<LaunchClaims> {
  const auth = Object.create(Auth) as LtijsAuth<LaunchClaims>;
  return Object.assign(auth, {
    async verifyToken(...[, publicKey, parameters, platform, database]: VerifyParameters) {
      requireSignature(text, publicKey);
      const launchClaims = readClaims(claims);
      await auth.oidcValidation(claims, platform, parameters, database);
      await auth.claimValidation(claims);
      return launchClaims;
    },
  });
}

type VerifyParameters = Parameters<LtijsAuth<LaunchClaims>['verifyToken']>;

function requireSignature(token: string, publicKey: KeyObject): void {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  if (!verify('RSA-SHA256', Buffer.from(token.slice(0, end)), publicKey, signature))
    throw new AppError(
      'LTI_SIGNATURE_INVALID',
      'The signature of the launch is not one of the platform: it was changed on its way, or made by somebody else.',
    );
}
