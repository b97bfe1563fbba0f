import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const CLIENT_ID = 'skilldock host';
export const CLIENT_SECRET = 'a:secret/with+signs%&';

/** What a code stands for. */
export interface Grant {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly challenge: string;
}

/** Something the client did that the specifications do not allow. */
export type Refusal = Error & { readonly status: number };

export function refusal(error: string, status = 400): Refusal {
  return Object.assign(new Error(error), { status });
}

/** What was asked for at the authorization endpoint. The browser is not sent to an address that is
 *  not registered. */
export function readAuthorization(asked: URLSearchParams, redirectUri: string): Grant {
  const expected = { client_id: CLIENT_ID, redirect_uri: redirectUri, response_type: 'code' };
  for (const [name, value] of Object.entries({ ...expected, code_challenge_method: 'S256' })) {
    if (asked.get(name) !== value) throw refusal(`${name} is ${asked.get(name)}, not ${value}`);
  }
  if (!asked.get('scope')?.split(' ').includes('openid')) throw refusal('no scope openid');
  const challenge = asked.get('code_challenge') ?? '';
  if (!/^[\w-]{43}$/.test(challenge)) throw refusal('no S256 challenge');
  const [state, nonce] = [asked.get('state') ?? '', asked.get('nonce') ?? ''];
  if (state.length < 22 || nonce.length < 22) throw refusal('state or nonce could be guessed');
  return { redirectUri, nonce, challenge };
}

/** In exactly one of the ways that this provider knows (RFC 6749 §2.3). */
export function checkClient(request: IncomingMessage, form: URLSearchParams, methods: readonly string[]): void {
  const { authorization } = request.headers;
  const isPosted = form.has('client_secret');
  if ((authorization !== undefined) === isPosted) throw refusal('invalid_client', 401);
  if (!methods.includes(isPosted ? 'client_secret_post' : 'client_secret_basic')) throw refusal('invalid_client', 401);
  const [id, secret] = isPosted ? [form.get('client_id'), form.get('client_secret')] : readBasic(authorization);
  if (id !== CLIENT_ID || secret !== CLIENT_SECRET) throw refusal('invalid_client', 401);
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization = ''): readonly (string | undefined)[] {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
  return pair.split(':').map((half) => decodeURIComponent(half.replaceAll('+', ' ')));
}

/** A code is good once, with the address and the secret of its beginning. */
export function redeem(grants: Map<string, Grant>, form: URLSearchParams): Grant {
  if (form.get('grant_type') !== 'authorization_code') throw refusal('unsupported_grant_type');
  const code = form.get('code') ?? '';
  const grant = grants.get(code);
  grants.delete(code);
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) throw refusal('invalid_grant');
  return grant;
}
