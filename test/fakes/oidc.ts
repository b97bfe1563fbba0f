import { AppError } from '../../src/errors.ts';
import type { Oidc, OidcIdentity } from '../../src/ports/oidc.ts';

export interface FakeOidc extends Oidc {
  /** Who signs in at the provider next; null refuses. */
  identity: OidcIdentity | null;
  /** Why the next sign-in fails; null: it does not. */
  failure: AppError | null;
  /** What `begin` was called with, in order. */
  readonly begun: string[];
}

/** A provider that knows one person, and takes back only what it gave. */
export function createFakeOidc(): FakeOidc {
  const begun: string[] = [];
  return {
    name: 'University login',
    identity: { subject: 'https://login.example.org ada', name: 'Ada', claimed: null },
    failure: null,
    begun,
    async begin(redirectUri) {
      begun.push(redirectUri);
      const state = `state-${begun.length}`;
      return {
        url: `https://login.example.org/authorize?state=${state}`,
        state,
        kept: JSON.stringify({ state, verifier: `verifier-${begun.length}` }),
      };
    },
    async finish(callbackUrl, kept) {
      const state = new URL(callbackUrl).searchParams.get('state');
      const isOurs = (JSON.parse(kept) as { state: string }).state === state;
      if (!isOurs || this.identity === null)
        throw new AppError('OIDC_FAILED', 'The provider did not confirm this sign-in. Begin again.');
      if (this.failure !== null) throw this.failure;
      return this.identity;
    },
  };
}
