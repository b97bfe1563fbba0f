import { LRUCache } from 'lru-cache';
import { createSharedCalls } from '#domain/async/shared-calls';
import type { Clock } from '#ports/clock';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtijsAccessToken } from './ltijs.ts';

/** Access tokens of platforms, kept in this process only: a host asks for new ones when it
 *  starts. */
export interface AccessTokens {
  /** Null when there is none, or it is about to expire. */
  find(registration: LtiRegistrationRecord, scopes: string): LtijsAccessToken | null;
  keep(registration: LtiRegistrationRecord, scopes: string, token: LtijsAccessToken): void;
  drop(registration: LtiRegistrationRecord, scopes: string): void;
  /** Asks for a token; requests for the same one at the same time share the answer. */
  once(
    registration: LtiRegistrationRecord,
    scopes: string,
    ask: () => Promise<LtijsAccessToken>,
  ): Promise<LtijsAccessToken>;
}

const MAX_TOKENS = 1_000;
/** For platforms that do not say how long a token is valid. */
const USUAL_SECONDS = 3_600;
/** Before it expires, so that it is still valid when it arrives. */
const MARGIN_SECONDS = 60;

interface CachedToken {
  readonly token: LtijsAccessToken;
  readonly until: Date;
}

export function createAccessTokens(clock: Clock): AccessTokens {
  const cached = new LRUCache<string, CachedToken>({ max: MAX_TOKENS });
  const calls = createSharedCalls<LtijsAccessToken>();
  // A registration that was changed may have another token endpoint.
  const keyOf = ({ id, version }: LtiRegistrationRecord, scopes: string) => `${id} ${version} ${scopes}`;
  return {
    find(registration, scopes) {
      const token = cached.get(keyOf(registration, scopes));
      return token !== undefined && token.until > clock.now() ? token.token : null;
    },
    keep(registration, scopes, token) {
      const until = new Date(clock.now().getTime() + usableSeconds(token) * 1_000);
      cached.set(keyOf(registration, scopes), { token, until });
    },
    drop: (registration, scopes) => void cached.delete(keyOf(registration, scopes)),
    once: (registration, scopes, ask) => calls.wait(keyOf(registration, scopes), ask),
  };
}

function usableSeconds({ expires_in }: LtijsAccessToken): number {
  const stated = Number(expires_in ?? USUAL_SECONDS);
  const seconds = stated > 0 ? Math.min(stated, USUAL_SECONDS) : 0;
  return Math.max(seconds - MARGIN_SECONDS, seconds / 2);
}
