import { createHmac, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';

/** How an ID token is signed: rightly, not at all, with a key that is not published, with what the client knows too, or
 *  with another content. */
export type Signing = 'right' | 'none' | 'another key' | 'client secret' | 'broken';

export interface IdTokenSigner {
  /** The published keys, as `/jwks` gives them. */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  sign(claims: Readonly<Record<string, unknown>>, how: Signing): string;
}

const KEY_ID = 'key-1';

/** RS256, as every provider must be able to (OpenID Connect Core 1.0 §15.1). */
export function createIdTokenSigner(clientSecret: string): IdTokenSigner {
  const jwk = { ...published.publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' };
  const signatures: Readonly<Record<Signing, (input: string) => Buffer>> = {
    right: (input) => sign('sha256', Buffer.from(input), published.privateKey),
    none: () => Buffer.alloc(0),
    'another key': (input) => sign('sha256', Buffer.from(input), other.privateKey),
    'client secret': (input) => createHmac('sha256', clientSecret).update(input).digest(),
    broken: (input) => sign('sha256', Buffer.from(`${input}x`), published.privateKey),
  };
  return {
    jwks: { keys: [jwk] },
    sign(claims, how) {
      const alg = how === 'none' ? 'none' : how === 'client secret' ? 'HS256' : 'RS256';
      const input = `${encode({ alg, typ: 'JWT', kid: KEY_ID })}.${encode(claims)}`;
      return `${input}.${signatures[how](input).toString('base64url')}`;
    },
  };
}

function makeKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Made once: it takes longer than a whole sign-in. */
const [published, other] = [makeKeys(), makeKeys()] as const;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
