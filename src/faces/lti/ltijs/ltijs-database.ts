import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { AccessTokens } from './access-tokens.ts';
import type { LtijsAccessToken, LtijsDatabase, LtijsQuery } from './ltijs.ts';

export interface LtijsDatabaseDeps {
  readonly registrations: Pick<LtiRegistrations, 'signingKeyOf'>;
  readonly tokens: AccessTokens;
}

/** What ltijs may read and keep of one registration: its state, its key and its tokens. It finds
 *  nothing else, and nothing else is kept. */
export function createLtijsDatabase(
  registration: LtiRegistrationRecord,
  { registrations, tokens }: LtijsDatabaseDeps,
): LtijsDatabase {
  const finders: Readonly<Record<string, (query: LtijsQuery) => Promise<object | null>>> = {
    platformStatus: async () => ({ active: registration.status === 'active' }),
    privatekey: async () => ({ key: (await registrations.signingKeyOf(registration)).privateKey }),
    accesstoken: async ({ scopes }) => {
      const token = tokens.find(registration, String(scopes));
      // ltijs would compare its age with the clock of the system.
      return token && { token, createdAt: Date.now() };
    },
  };
  return {
    async Get(_key, collection, query = {}) {
      const found = (await finders[collection]?.(query)) ?? null;
      return found === null ? false : [found];
    },
    async Replace(_key, collection, { scopes }, { token }) {
      if (collection === 'accesstoken')
        tokens.keep(registration, String(scopes), completeToken(token as Partial<LtijsAccessToken>));
    },
    async Insert() {},
    async Modify() {},
    async Delete() {},
  };
}

/** ltijs goes on with this very object and relies on both fields. */
function completeToken(token: Partial<LtijsAccessToken> | null): LtijsAccessToken {
  if (typeof token?.access_token !== 'string') throw new Error('The platform answered without a token.');
  const { access_token, token_type } = token;
  return Object.assign(token, {
    access_token,
    token_type: typeof token_type === 'string' && token_type !== '' ? token_type : 'Bearer',
  });
}
