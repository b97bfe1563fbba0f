import { AppError } from '../../../errors.ts';
import type { Keyring } from '../../../services/keyring.ts';
import type { PlatformConfiguration } from './platform-configuration.ts';
import { registrationFailure } from './registration-failure.ts';

/** What was shown to be confirmed. */
export interface Draft {
  readonly configuration: PlatformConfiguration;
  /** Of the platform; null where it sent none. */
  readonly registrationToken: string | null;
}

/** A draft travels through the form, sealed for its link: what was confirmed is what is registered, without a second fetch
 *  that might find something else. */
export function sealDraft(keyring: Keyring, draft: Draft, linkToken: string): string {
  return keyring.seal(JSON.stringify(draft), contextOf(linkToken));
}

/** Errors: REGISTRATION_FAILED. */
export function openDraft(keyring: Keyring, sealed: string, linkToken: string): Draft {
  try {
    return JSON.parse(keyring.open(sealed, contextOf(linkToken)));
  } catch (error) {
    if (error instanceof AppError) throw registrationFailure('form', {}, error);
    throw error;
  }
}

const contextOf = (linkToken: string) => `registration of a platform through ${linkToken}`;
