import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  checkClient,
  type Grant,
  type Refusal,
  readAuthorization,
  redeem,
  refusal,
} from './oidc-checks.ts';
import { createIdTokenSigner, type Signing } from './oidc-id-token.ts';

/** An HTTP status instead of an answer, no answer, or one that stops in the middle. */
type Outage = number | 'hang' | 'stall';

/** What the provider does from now on; what is absent is right. */
export interface Behaviour {
  readonly discovery?: Outage;
  readonly token?: Outage;
  readonly jwks?: Outage;
  readonly userinfo?: Outage;
  /** Over what its description says. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Over what the browser is sent back with; null leaves it away. */
  readonly callback?: Readonly<Record<string, string | null>>;
  /** Over what the ID token says. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Over what the user-info endpoint says. */
  readonly userinfoClaims?: Readonly<Record<string, unknown>>;
  readonly signing?: Signing;
  readonly hasNoIdToken?: boolean;
}

export interface FakeOidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The only address it sends a browser back to. */
  readonly redirectUri: string;
  behave(behaviour: Behaviour): void;
  /** What was asked so far, as `GET /path`. */
  readonly requests: readonly string[];
  /** What a browser does: goes to the provider, signs in, and gives the address it is sent back
   *  to. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
}

const SUBJECT = '248289761001';
const ID_TOKEN_SECONDS = 300;

/** Refuses whatever OpenID Connect Core 1.0, RFC 6749 and RFC 7636 do not allow, over a real
 *  socket. */
export async function startOidcProvider(
  redirectUri = 'http://127.0.0.1:3000/admin/oidc/callback',
): Promise<FakeOidcProvider> {
  const requests: string[] = [];
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const routes = createRoutes(issuer, redirectUri);
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    requests.push(`${request.method} ${url.pathname}`);
    const [name, handle] = routes.table[`${request.method} ${url.pathname}`] ?? [];
    const outage = name === undefined ? 404 : routes.behaviour[name];
    if (outage !== undefined) return fail(response, outage);
    try {
      await handle?.({ url, request, response });
    } catch (error) {
      const { message, status = 500 } = error as Partial<Refusal>;
      sendJson(response, { error: message }, status);
    }
  });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectUri,
    requests,
    stop,
    behave: (behaviour) => {
      routes.behaviour = behaviour;
    },
    async visit(url) {
      const response = await fetch(url, { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
      return location;
    },
  };
}

interface Exchange {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
type Handler = (exchange: Exchange) => void | Promise<void>;
type Endpoint = 'discovery' | 'authorize' | 'token' | 'jwks' | 'userinfo';

function createRoutes(issuer: string, redirectUri: string) {
  const signer = createIdTokenSigner(CLIENT_SECRET);
  const grants = new Map<string, Grant>();
  const accessTokens = new Set<string>();

  const describe: Handler = ({ response }) =>
    sendJson(response, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...routes.behaviour.metadata,
    });

  const authorize: Handler = ({ url, response }) => {
    const grant = readAuthorization(url.searchParams, redirectUri);
    const code = randomBytes(16).toString('base64url');
    grants.set(code, grant);
    const back = new URL(grant.redirectUri);
    const answer = { code, state: url.searchParams.get('state'), iss: issuer, ...routes.behaviour.callback };
    for (const [name, value] of Object.entries(answer)) if (value !== null) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  };

  const giveTokens: Handler = async ({ request, response }) => {
    const form = new URLSearchParams(await text(request));
    const methods = routes.behaviour.metadata?.token_endpoint_auth_methods_supported;
    checkClient(request, form, Array.isArray(methods) ? methods : ['client_secret_basic']);
    const { nonce } = redeem(grants, form);
    const accessToken = randomBytes(16).toString('base64url');
    accessTokens.add(accessToken);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub: SUBJECT,
      aud: CLIENT_ID,
      iat: now,
      exp: now + ID_TOKEN_SECONDS,
      nonce,
    };
    const told = { ...claims, preferred_username: 'ada', ...routes.behaviour.claims };
    const idToken = signer.sign(told, routes.behaviour.signing ?? 'right');
    const tokens = { access_token: accessToken, token_type: 'Bearer' };
    sendJson(response, routes.behaviour.hasNoIdToken === true ? tokens : { ...tokens, id_token: idToken });
  };

  const tellUser: Handler = ({ request, response }) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!accessTokens.has(token)) throw refusal('invalid_token', 401);
    sendJson(response, { sub: SUBJECT, email: 'ada@example.org', ...routes.behaviour.userinfoClaims });
  };

  const table: Readonly<Record<string, readonly [Exclude<Endpoint, 'authorize'>, Handler]>> = {
    'GET /.well-known/openid-configuration': ['discovery', describe],
    'GET /authorize': ['authorize' as never, authorize],
    'POST /token': ['token', giveTokens],
    'GET /jwks': ['jwks', ({ response }) => sendJson(response, signer.jwks)],
    'GET /userinfo': ['userinfo', tellUser],
  };
  const routes: { behaviour: Behaviour; readonly table: typeof table } = { behaviour: {}, table };
  return routes;
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function fail(response: ServerResponse, outage: Outage): void {
  if (outage === 'hang') return;
  if (outage === 'stall') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{');
    return;
  }
  response.writeHead(outage, { 'content-type': 'text/html' }).end('<h1>Sorry: secret internals</h1>');
}
