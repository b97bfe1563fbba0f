import type { KeyPair } from '../../src/services/courses/lti-registrations/registration-records.ts';
import { makeSigningKeyPair } from '../../src/services/courses/lti-registrations/signing-keys.ts';

const made: Promise<KeyPair>[] = [];

/** Real pairs, each of them once, but the same ones for every lender of this process: making one takes a tenth of a second. */
export function createKeyPairLender(): () => Promise<KeyPair> {
  let lent = 0;
  return () => {
    const number = lent++;
    made[number] ??= makeSigningKeyPair();
    return made[number];
  };
}
