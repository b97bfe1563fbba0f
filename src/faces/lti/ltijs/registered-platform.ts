import type { KeyObject } from 'node:crypto';
import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';
import { type LtijsDatabase, type LtijsPlatform, Platform } from './load.ts';

/** ltijs seals what it keeps under this; our store does so itself. */
export const NO_KEY = '';

/** A registration as ltijs knows it.
 *  @param publicKey what its next id_token is signed with; null where none is to be validated */
export function createPlatform(
  registration: LtiRegistrationRecord,
  database: LtijsDatabase,
  publicKey: KeyObject | null = null,
): LtijsPlatform {
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
    { method: 'RSA_KEY', key: publicKey },
    database,
  );
}
