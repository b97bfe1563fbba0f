import { z } from 'zod';

const text = z.string().max(4_000);
const optional = text.exactOptional();

/** The fields of an assistant's metadata (RFC 7591) that this host reads. */
export const clientRegistration = z.looseObject({
  redirect_uris: z.array(text).min(1).max(10),
  client_name: text.exactOptional(),
});

/** Other parameters are ignored (RFC 6749, section 3.1). */
export const authorizationParameters = z.object({
  client_id: optional,
  redirect_uri: optional,
  response_type: optional,
  code_challenge: optional,
  code_challenge_method: optional,
  scope: optional,
  state: optional,
  resource: optional,
});

export const tokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: text,
    code: text,
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
    redirect_uri: optional,
    resource: optional,
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: text,
    refresh_token: text,
    resource: optional,
  }),
]);

export const grantTypes: readonly string[] = ['authorization_code', 'refresh_token'];
export const revocationRequest = z.object({ client_id: text, token: text });

/** Returns null if a field is repeated, which OAuth forbids: two readers could differ. */
export function readOauthFields(fields: URLSearchParams): Readonly<Record<string, string>> | null {
  const names = [...fields.keys()];
  return new Set(names).size === names.length ? Object.fromEntries(fields) : null;
}

/** Writes an answer with tokens by RFC 6749, section 5.1. */
export const writeOauthTokens = (
  tokens: { readonly accessToken: string; readonly refreshToken: string; readonly expiresInSeconds: number },
  scope: string,
) => ({
  access_token: tokens.accessToken,
  token_type: 'Bearer',
  expires_in: tokens.expiresInSeconds,
  refresh_token: tokens.refreshToken,
  scope,
});
