import * as client from 'openid-client';

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

const NAME_CLAIMS = ['preferred_username', 'email', 'name'] as const;

/** What the provider calls someone: in the ID token, or else where it tells more about its users (OpenID Connect Core 1.0 §5.3).
 *  A name is only proposed, so there is none when that fails. */
export async function findName(
  provider: client.Configuration,
  accessToken: string,
  claims: Claims,
): Promise<string | null> {
  const name = readName(claims);
  if (name !== null || provider.serverMetadata().userinfo_endpoint === undefined) return name;
  try {
    return readName(await client.fetchUserInfo(provider, accessToken, claims.sub));
  } catch {
    return null;
  }
}

function readName(claims: Claims): string | null {
  for (const claim of NAME_CLAIMS) {
    const value = claims[claim];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}
