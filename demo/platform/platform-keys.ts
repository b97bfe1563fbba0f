import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** The keys a platform signs its messages with. */
export interface PlatformKeys {
  /** With the latest one. */
  sign(claims: JWTPayload): Promise<string>;
  /** The JSON Web Key Set that tools fetch, the latest first. */
  publish(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Signs with a new key from now on. The one before stays published. */
  rotate(): void;
}

interface PlatformKey {
  readonly keyId: string;
  readonly privateKey: CryptoKey;
  readonly published: JWK;
}

const PUBLISHED_KEYS = 2;

/** Made when they are first needed: a host that nobody tries needs none. */
export function createPlatformKeys(): PlatformKeys {
  let keys: Promise<PlatformKey>[] = [];
  const current = () => {
    keys[0] ??= makeKey();
    return keys[0];
  };
  return {
    async sign(claims) {
      const { keyId, privateKey } = await current();
      const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
      return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    },
    async publish() {
      await current();
      return { keys: (await Promise.all(keys)).map(({ published }) => published) };
    },
    rotate() {
      keys = [makeKey(), ...keys].slice(0, PUBLISHED_KEYS);
    },
  };
}

async function makeKey(): Promise<PlatformKey> {
  const keyId = randomUUID();
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return {
    keyId,
    privateKey,
    published: { ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' },
  };
}
