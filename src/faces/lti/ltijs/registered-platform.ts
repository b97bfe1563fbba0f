import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';
import { type LtijsDatabase, type LtijsPlatform, Platform } from './load.ts';

/** ltijs seals what it keeps under this; our store does so itself. */
export const NO_KEY = '';

/** A registration as ltijs knows it. */
export function createPlatform(registration: LtiRegistrationRecord, database: LtijsDatabase): LtijsPlatform {
  const { name, issuer, clientId, authorizationEndpoint, tokenEndpoint, tokenAudience, keyId } = registration;
  return new Platform(
    name,
    issuer,
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    tokenAudience,
    keyId,
    NO_KEY,
    null,
    database,
  );
}
