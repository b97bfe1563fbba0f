import { randomUUID } from 'node:crypto';
import { createFakeKeys, type Forgery } from './keys.ts';
import { html, json, listen } from './server.ts';

/** A small tool, for tests of platforms: it logs in as it should, and notes what it is sent. */
export interface FakeTool {
  readonly url: string;
  /** Messages that came to it, as forms. */
  readonly launches: Readonly<Record<string, string>>[];
  /** Where its logins lead from now on. */
  trust(authorizationEndpoint: string): void;
  /** Signs claims as a tool does, or otherwise. */
  sign(claims: Record<string, unknown>, forgery?: Forgery): Promise<string>;
  /** Asks for a token. `change` makes the assertion a wrong one. */
  requestToken(wish: TokenWish): Promise<Response>;
  rotateKeys(): void;
  close(): Promise<void>;
}

export interface TokenWish {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scope: string;
  readonly claims?: Record<string, unknown>;
  readonly forgery?: Forgery;
  readonly fields?: Record<string, string>;
}

export async function startFakeTool(): Promise<FakeTool> {
  const keys = createFakeKeys();
  const launches: Record<string, string>[] = [];
  let authorizationEndpoint = '';
  const server = await listen('localhost', async ({ path, method, query, body }) => {
    if (path === '/lti/keys') return json(await keys.publish());
    const fields = method === 'POST' ? new URLSearchParams(body) : query;
    if (path === '/lti/login') return redirect(fields);
    launches.push(Object.fromEntries(fields));
    return html('<p>Launched</p>');
  });

  function redirect(fields: URLSearchParams) {
    const address = new URL(authorizationEndpoint);
    const parameters = {
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      scope: 'openid',
      client_id: fields.get('client_id') ?? '',
      redirect_uri: `${server.url}/lti/launch`,
      login_hint: fields.get('login_hint') ?? '',
      lti_message_hint: fields.get('lti_message_hint') ?? '',
      state: randomUUID(),
      nonce: randomUUID(),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return { status: 302, headers: { location: address.href, 'set-cookie': 'bound=1; Path=/' }, body: '' };
  }

  const sign = async (claims: Record<string, unknown>, forgery?: Forgery) =>
    forgery === undefined ? keys.sign(claims) : keys.forge(claims, forgery);

  return {
    url: server.url,
    launches,
    trust(endpoint) {
      authorizationEndpoint = endpoint;
    },
    sign,
    async requestToken({ tokenEndpoint, clientId, scope, claims, forgery, fields }) {
      const now = Math.floor(Date.now() / 1000);
      const assertion = {
        iss: clientId,
        sub: clientId,
        aud: tokenEndpoint,
        iat: now,
        exp: now + 300,
        jti: randomUUID(),
      };
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await sign({ ...assertion, ...claims }, forgery),
        scope,
        ...fields,
      });
      return fetch(tokenEndpoint, { method: 'POST', body });
    },
    rotateKeys: () => keys.rotate(),
    close: () => server.stop(),
  };
}
