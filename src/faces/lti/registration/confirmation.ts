/** What an administrator sees of a registration and confirms. */
import { AppError } from '#errors';
import type { Keyring } from '#services/host/keyring';
import { createRegistrationFailure } from './call-platform.ts';
import type { PlatformConfiguration } from './platform-configuration.ts';
import { DEEP_LINKING, listToolScopes, sendsToolMessage, toolScopes } from './tool-registration.ts';

/** What is asked of a platform, as keys below `register.can` and `register.data`. */
interface Requested {
  /** What people will be able to do. */
  readonly can: readonly ('choose' | 'open' | 'score' | 'members')[];
  /** What they will not be able to do, because the platform does not offer it. */
  readonly cannot: readonly ('choose' | 'score' | 'members')[];
  /** What it will tell us about people. */
  readonly data: readonly ('person' | 'role' | 'course' | 'members')[];
}

export function describeRequestToConfirm(configuration: PlatformConfiguration): Requested {
  const granted = listToolScopes(configuration);
  const offered = {
    choose: sendsToolMessage(configuration, DEEP_LINKING),
    score: granted.includes(toolScopes.scores[0]),
    members: granted.includes(toolScopes.members[0]),
  };
  const names = ['choose', 'score', 'members'] as const;
  return {
    can: ['open', ...names.filter((name) => offered[name])],
    cannot: names.filter((name) => !offered[name]),
    data: ['person', 'role', 'course', ...(offered.members ? (['members'] as const) : [])],
  };
}

/** What was shown for confirmation. */
export interface Draft {
  readonly configuration: PlatformConfiguration;
  /** Of the platform; null where it sent none. */
  readonly registrationToken: string | null;
}

/** A draft travels through the form, sealed for its link: what is registered is what was confirmed,
 *  without a second fetch that might find something else. */
export function sealConfirmationDraft(keyring: Keyring, draft: Draft, linkToken: string): string {
  return keyring.seal(JSON.stringify(draft), toSealContext(linkToken));
}

/** Errors: REGISTRATION_FAILED. */
export function openConfirmationDraft(keyring: Keyring, sealed: string, linkToken: string): Draft {
  try {
    return JSON.parse(keyring.open(sealed, toSealContext(linkToken)));
  } catch (error) {
    if (error instanceof AppError) throw createRegistrationFailure('form', {}, error);
    throw error;
  }
}

const toSealContext = (linkToken: string) => `registration of a platform through ${linkToken}`;
