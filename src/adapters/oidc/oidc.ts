import type { CustomFetch } from 'openid-client';
import * as client from 'openid-client';
import { readUpTo } from '#domain/async/read-up-to';
import { AppError } from '#errors';
import type { Oidc, OidcIdentity } from '#ports/oidc';

interface OidcOptions {
  /** The address before `/.well-known/openid-configuration`; https, or http on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  /** The claim with a person's groups, which is read at each sign-in. */
  readonly roleClaim?: string | undefined;
  /** Limit of a request; 5 by default. */
  readonly timeoutSeconds?: number;
}

const DEFAULT_TIMEOUT_SECONDS = 5;
const SCOPE = 'openid profile email';
type SignInAttempt = Readonly<Record<'redirectUri' | 'state' | 'nonce' | 'verifier', string>>;

/** Creates the sign-in. The provider's metadata is read at the first one. */
export function createOidc(options: OidcOptions): Oidc {
  const discover = createOidcDiscovery(options);
  return {
    name: options.name,
    async begin(redirectUri) {
      const provider = await discover();
      const attempt: SignInAttempt = {
        redirectUri,
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const { scopes_supported: scopes } = provider.serverMetadata();
      // Some providers give groups only to those who ask for the scope of that name.
      const extra = options.roleClaim !== undefined && scopes?.includes(options.roleClaim) ? options.roleClaim : '';
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri: attempt.redirectUri,
        scope: `${SCOPE} ${extra}`.trim(),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, state: attempt.state, kept: JSON.stringify(attempt) };
    },
    async finish(callbackUrl, storedAttempt) {
      const { redirectUri, state, nonce, verifier } = readOidcAttempt(storedAttempt);
      const provider = await discover();
      try {
        // A proxy may have changed the address, so only its query counts.
        const url = new URL(redirectUri);
        url.search = new URL(callbackUrl).search;
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(provider, url, checks);
        return await toOidcIdentity(provider, tokens, options.roleClaim);
      } catch (error) {
        throw findOidcOutage(error) ?? createOidcSignInError(error);
      }
    },
  };
}

/** Returns a function that reads the provider's metadata once, and again after a failure. */
function createOidcDiscovery(options: OidcOptions): () => Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options;
  const url = parseOidcIssuer(issuer);
  let reading: Promise<client.Configuration> | undefined;
  return () => {
    reading ??= client
      .discovery(url, clientId, clientSecret, createOidcClientAuth(clientSecret), {
        timeout: timeoutSeconds,
        [client.customFetch]: fetchFromOidcProvider,
        // Only `fetchFromOidcProvider` knows that http is safe within one machine alone.
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      })
      .catch((error) => {
        reading = undefined;
        throw findOidcOutage(error) ?? createOidcFetchError(error);
      });
    return reading;
  };
}

function parseOidcIssuer(issuer: string): URL {
  if (URL.canParse(issuer) && isSafeOidcUrl(new URL(issuer))) return new URL(issuer);
  const problem = 'an https address, or an http address of this machine';
  throw new AppError('CONFIG_INVALID', `The address of the OpenID Connect provider must be ${problem}.`, {
    problems: [{ path: 'OIDC_ISSUER', problem }],
  });
}

/** Sends the secret in the header, or in the body if only that is accepted (Discovery 1.0 §3). */
function createOidcClientAuth(clientSecret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(clientSecret);
  const inBody = client.ClientSecretPost(clientSecret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isInBodyOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isInBodyOnly ? inBody : inHeader)(server, ...request);
  };
}

/** Reads who signed in. Claims that the ID token lacks are requested from userinfo (OpenID
 *  Connect Core 1.0 §5.3). Without its answer a missing name is null, but missing groups are an
 *  error: nobody may seem to have lost them. */
async function toOidcIdentity(
  provider: client.Configuration,
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
  roleClaim: string | undefined,
): Promise<OidcIdentity> {
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('the provider gave no ID token');
  // Entra ID has addresses for any tenant, whose administrators could give themselves a role.
  if (roleClaim !== undefined && claims.iss !== provider.serverMetadata().issuer)
    throw new Error('with OIDC_ROLES, OIDC_ISSUER must be the address of one tenant of the provider, not of all');
  const lacksRoles = roleClaim !== undefined && claims[roleClaim] === undefined;
  const isComplete = !lacksRoles && readOidcName(claims) !== null;
  const hasMore = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined;
  const request = hasMore ? client.fetchUserInfo(provider, tokens.access_token, claims.sub) : undefined;
  const userInfo: Claims = (await (lacksRoles ? request : request?.catch(() => undefined))) ?? {};
  return {
    subject: `${claims.iss} ${claims.sub}`,
    name: readOidcName(claims) ?? readOidcName(userInfo),
    claimed: roleClaim === undefined ? null : readOidcRoles(roleClaim, claims, userInfo),
  };
}

/** Reads the values of the claim with groups; null for none. Errors: OIDC_FAILED if the provider
 *  leaves the claim out as it is too long (OpenID Connect Core 1.0 §5.6.2; `hasgroups` of Entra
 *  ID): the person has groups, and nobody can say which. */
function readOidcRoles(claim: string, claims: Claims, userInfo: Claims): readonly string[] | null {
  const source = (claims[claim] ?? null) === null ? userInfo : claims;
  const values = readOidcValues(source[claim]);
  const isLeftOut = Object.hasOwn(Object(claims._claim_names), claim) || (claim === 'groups' && claims.hasgroups);
  if (values === null && isLeftOut) {
    const message = `The provider left the claim ${claim} of this account out, as it is too long. Use another claim.`;
    throw new AppError('OIDC_FAILED', message, { data: { reason: 'CLAIM_LEFT_OUT', claim } });
  }
  // Many providers let people enter any address.
  return claim === 'email' && source.email_verified !== true ? null : values;
}

/** Reads a list of texts. A text is a list of one, whatever it contains. */
function readOidcValues(claim: unknown): readonly string[] | null {
  if (claim === undefined || claim === null) return null;
  return [claim].flat().flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : []));
}

/** Reads the stored state of a sign-in. Errors: OIDC_FAILED. */
function readOidcAttempt(storedAttempt: string): SignInAttempt {
  try {
    const { redirectUri, state, nonce, verifier } = JSON.parse(storedAttempt) as SignInAttempt;
    const signInAttempt: SignInAttempt = { redirectUri, state, nonce, verifier };
    if (Object.values(signInAttempt).every((value) => typeof value === 'string')) return signInAttempt;
  } catch {
    // Refused below, like an incomplete state.
  }
  throw createOidcSignInError(new Error('the stored state of the sign-in is invalid'));
}

/** Finds an error of `fetchFromOidcProvider`, which the library wraps. */
function findOidcOutage(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return null;
}

/** @param cause for the log; never shown */
function createOidcSignInError(cause: unknown): AppError {
  return new AppError(
    'OIDC_FAILED',
    'The sign-in was not completed, or its answer was not valid. Begin again on the sign-in page.',
    { cause },
  );
}

const NAME_CLAIMS = ['preferred_username', 'email', 'name'] as const;
type Claims = Readonly<Record<string, unknown>>;

function readOidcName(claims: Claims): string | null {
  for (const claim of NAME_CLAIMS) {
    const value = claims[claim];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

const MAX_ANSWER_BYTES = 1_000_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether requests to an address are encrypted, or stay within this machine. */
const isSafeOidcUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));

/** Calls the provider. Errors: OIDC_UNAVAILABLE for one that is down, unlike one that refuses. */
const fetchFromOidcProvider: CustomFetch = async (url, request) => {
  if (!isSafeOidcUrl(new URL(url))) throw createOidcFetchError(`${url} is not encrypted`);
  try {
    // The library sends a form or nothing; its type allows more than `fetch` does.
    const response = await fetch(url, request as RequestInit);
    const answer = await readOidcBody(response);
    if (response.status >= 500 || response.status === 429) throw new Error(`${url}: HTTP ${response.status}`);
    return new Response(answer, response);
  } catch (error) {
    throw createOidcFetchError(error);
  }
};

async function readOidcBody({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null;
  const { bytes, isLonger } = await readUpTo(body, MAX_ANSWER_BYTES);
  if (isLonger) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
  return bytes;
}

/** @param cause for the log; never shown */
function createOidcFetchError(cause: unknown): AppError {
  return new AppError(
    'OIDC_UNAVAILABLE',
    'The sign-in service does not answer as it should. Try again in a minute, or sign in with a password.',
    { cause },
  );
}
