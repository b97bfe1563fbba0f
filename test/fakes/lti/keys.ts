import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK, JWTPayload } from 'jose';
import type { PlatformKeys } from '../../../demo/platform/platform-keys.ts';

/** How a token is signed that should not be taken. */
export interface Forgery {
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Replaces fields of the header; undefined takes one away. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** `other`: with a key that is not published. `none`: without a signature. `public-as-secret`: with HMAC, the secret being
   *  the published key in PEM. */
  readonly signedWith?: 'other' | 'none' | 'public-as-secret';
  /** Changes the finished token. */
  readonly token?: (token: string) => string;
}

export interface FakeKeys extends PlatformKeys {
  /** The one before is published no more.
   *  @param keepsId whether the new one has its name: false when absent */
  rotate(options?: { readonly keepsId?: boolean }): void;
  readonly keyId: () => string;
  forge(claims: Record<string, unknown>, forgery: Forgery): string;
}

interface KeyPair {
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** More than the platforms of any one test use, as making one takes a tenth of a second. */
const PAIRS = 8;
const made: Omit<KeyPair, 'keyId'>[] = [];
const makePair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
let lent = 0;
/** That of no platform. */
let foreign: Omit<KeyPair, 'keyId'> | undefined;

/** One after the other, under another name each time. */
function lendPair(keyId: string = randomUUID()): KeyPair {
  const number = lent++ % PAIRS;
  made[number] ??= makePair();
  return { keyId, ...made[number] };
}

/** Signs with node's own crypto, so that a mistake in the use of a library is not made on both sides. */
export function createFakeKeys(): FakeKeys {
  let pairs = [lendPair()];
  const headerOf = ({ keyId }: KeyPair) => ({ alg: 'RS256', typ: 'JWT', kid: keyId });
  return {
    keyId: () => pairs[0]!.keyId,
    async sign(claims: JWTPayload) {
      const text = toText(headerOf(pairs[0]!), claims);
      const signature = await promisify(sign)('sha256', Buffer.from(text), pairs[0]!.privateKey);
      return `${text}.${signature.toString('base64url')}`;
    },
    async publish() {
      return { keys: pairs.map(toJwk) };
    },
    rotate({ keepsId = false } = {}) {
      pairs = [lendPair(keepsId ? pairs[0]!.keyId : undefined)];
    },
    forge(claims, { claims: change = (same) => same, header, signedWith, token = (same) => same }) {
      const algorithm = { none: 'none', 'public-as-secret': 'HS256', other: 'RS256' }[signedWith ?? 'other'];
      const text = toText({ ...headerOf(pairs[0]!), alg: algorithm, ...header }, change(claims));
      return token(`${text}.${signText(text, signedWith)}`);
    },
  };

  function signText(text: string, signedWith: Forgery['signedWith']): string {
    if (signedWith === 'none') return '';
    foreign ??= makePair();
    const { publicKey, privateKey } = pairs[0]!;
    if (signedWith === 'public-as-secret') {
      const secret = publicKey.export({ type: 'spki', format: 'pem' });
      return createHmac('sha256', secret).update(text).digest('base64url');
    }
    const key = signedWith === 'other' ? foreign.privateKey : privateKey;
    return sign('sha256', Buffer.from(text), key).toString('base64url');
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const toText = (header: object, claims: object) => `${encode(header)}.${encode(claims)}`;

function toJwk({ keyId, publicKey }: KeyPair): JWK {
  return { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: keyId, alg: 'RS256', use: 'sig' };
}

/** Without any check. */
export function readClaims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
}
