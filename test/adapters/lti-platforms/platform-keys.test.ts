import { generateKeyPairSync, type JsonWebKey, KeyObject, type webcrypto } from 'node:crypto';
import { errors, type FlattenedJWSInput } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPlatformKeys } from '../../../src/adapters/lti-platforms/platform-keys.ts';
import { AppError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { Outbound } from '../../../src/ports/outbound.ts';

const URI = 'https://lms.example/keys';
const MINUTE = 60_000;

function makeKey(kid: string, bits = 2_048): JsonWebKey & { kid: string } {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}

const [first, second, short] = [makeKey('first'), makeKey('second'), makeKey('short', 1_024)];

/** What the platform publishes: an answer's text, or nothing that can be reached. */
let published: string | null;
let status: number;
let asked: number;
let keys: ReturnType<typeof createPlatformKeys>;

const publish = (...set: unknown[]) => {
  published = JSON.stringify({ keys: set });
};

beforeEach(() => {
  asked = 0;
  status = 200;
  publish(first);
  // jose reads the clock of the system.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T10:00:00Z') });
  const outbound: Outbound = {
    async request(url) {
      asked++;
      if (published === null) throw new AppError('OUTBOUND_FAILED', 'Nothing is there.');
      return { status, headers: {}, text: published, bytes: Buffer.from(published), url };
    },
  };
  keys = createPlatformKeys({ outbound, clock: systemClock });
});
afterEach(() => vi.useRealTimers());

const advance = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const anyToken: FlattenedJWSInput = { payload: '', signature: '' };
const findModulus = (keyId: string, uri = URI) =>
  keys.verifyWith(uri, async (getKey) => {
    const key = (await getKey({ alg: 'RS256', kid: keyId }, anyToken)) as webcrypto.CryptoKey;
    return KeyObject.from(key).export({ format: 'jwk' }).n;
  });

/** Verifies a token that was signed with a key. */
const verify = (signedWith: JsonWebKey & { kid: string }) =>
  keys.verifyWith(URI, async (getKey) => {
    const key = (await getKey({ alg: 'RS256', kid: signedWith.kid }, anyToken)) as webcrypto.CryptoKey;
    if (KeyObject.from(key).export({ format: 'jwk' }).n !== signedWith.n)
      throw new errors.JWSSignatureVerificationFailed();
    return 'verified';
  });

const unknown = { code: 'ERR_JWKS_NO_MATCHING_KEY' };
const forged = { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' };
const unavailable = { code: 'LTI_KEYS_UNAVAILABLE' };

describe('a key set', () => {
  test('is fetched once in ten minutes', async () => {
    expect(await findModulus('first')).toBe(first.n);
    advance(10 * MINUTE - 1);
    await findModulus('first');
    expect(asked).toBe(1);
    advance(1);
    await findModulus('first');
    expect(asked).toBe(2);
  });

  test('is fetched once for simultaneous launches', async () => {
    await Promise.all(Array.from({ length: 20 }, () => findModulus('first')));
    expect(asked).toBe(1);
  });

  test('is fetched again for an unknown key, at most once in 30 seconds', async () => {
    await findModulus('first');
    publish(second);
    for (let n = 0; n < 5; n++) await expect(findModulus('second')).rejects.toMatchObject(unknown);
    expect(asked).toBe(1);
    advance(30_000);
    expect(await findModulus('second')).toBe(second.n);
    expect(asked).toBe(2);
    await expect(findModulus('first')).rejects.toMatchObject(unknown);
    expect(asked).toBe(2);
  });

  test('is not used for another platform', async () => {
    await findModulus('first');
    publish(second);
    await expect(findModulus('first', 'https://other.example/keys')).rejects.toMatchObject(unknown);
  });
});

describe('where a signature fails', () => {
  const renewed = { ...second, kid: 'first' };

  test('fetches the set again, and verifies the token again', async () => {
    await verify(first);
    publish(renewed);
    expect(await verify(renewed)).toBe('verified');
    expect(asked).toBe(2);
  });

  test('fetches the set again at most once a minute', async () => {
    await verify(first);
    for (let n = 0; n < 5; n++) await expect(verify(renewed)).rejects.toMatchObject(forged);
    await Promise.allSettled(Array.from({ length: 5 }, () => verify(renewed)));
    expect(asked).toBe(2);
    publish(renewed);
    advance(MINUTE - 1);
    await expect(verify(renewed)).rejects.toMatchObject(forged);
    expect(asked).toBe(2);
    advance(1);
    expect(await verify(renewed)).toBe('verified');
    expect(asked).toBe(3);
  });

  test('gives the new key to simultaneous launches', async () => {
    await verify(first);
    publish(renewed);
    const all = await Promise.all(Array.from({ length: 5 }, () => verify(renewed)));
    expect([all.every((outcome) => outcome === 'verified'), asked]).toEqual([true, 2]);
  });

  test('does not fetch a set again that was fetched for this token', async () => {
    await expect(verify(renewed)).rejects.toMatchObject(forged);
    expect(asked).toBe(1);
  });

  test('uses the last set where the platform does not answer', async () => {
    await verify(first);
    published = null;
    await expect(verify(renewed)).rejects.toMatchObject(forged);
    expect(await verify(first)).toBe('verified');
  });

  test('fetches nothing for another refusal', async () => {
    await verify(first);
    const expired = new errors.JWTExpired('It has expired.', {});
    await expect(keys.verifyWith(URI, () => Promise.reject(expired))).rejects.toBe(expired);
    expect(asked).toBe(1);
  });
});

describe('where fetching fails', () => {
  test('uses the last set for a day', async () => {
    await findModulus('first');
    published = null;
    advance(24 * 60 * MINUTE - 1);
    expect(await findModulus('first')).toBe(first.n);
    advance(MINUTE);
    await expect(findModulus('first')).rejects.toMatchObject(unavailable);
  });

  test('tries again after 30 seconds', async () => {
    published = null;
    for (let n = 0; n < 3; n++) await expect(findModulus('first')).rejects.toMatchObject(unavailable);
    expect(asked).toBe(1);
    publish(first);
    advance(30_000);
    expect(await findModulus('first')).toBe(first.n);
  });

  test.each([
    ['another status', 500, '{"keys":[]}'],
    ['no JSON', 200, '<html>'],
    ['null', 200, 'null'],
    ['no list', 200, '{"keys":{}}'],
    ['more than a platform has', 200, JSON.stringify({ keys: Array.from({ length: 101 }, () => first) })],
  ])('or the answer is %s', async (_, answered, text) => {
    status = answered;
    published = text;
    await expect(findModulus('first')).rejects.toMatchObject(unavailable);
  });
});

describe('a key is ignored', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { alg: _alg, use: _use, ...bare } = first;

  test.each([
    ['that is too short', short],
    ['for encryption', { ...first, kid: 'short', use: 'enc' }],
    ['for another algorithm', { ...first, kid: 'short', alg: 'RS512' }],
    ['of another kind', { ...publicKey.export({ format: 'jwk' }), kid: 'short' }],
    ['that is a secret', { kty: 'oct', k: 'AAAA', kid: 'short', alg: 'RS256' }],
    ['without a modulus', { kty: 'RSA', e: 'AQAB', kid: 'short' }],
    ['whose modulus is no text', { kty: 'RSA', n: 7, e: 'AQAB', kid: 'short' }],
  ])('%s', async (_, key) => {
    publish(key, second);
    await expect(findModulus('short')).rejects.toMatchObject(unknown);
    expect(await findModulus('second')).toBe(second.n);
  });

  test('but not a key without use and algorithm', async () => {
    publish(bare);
    expect(await findModulus('first')).toBe(first.n);
  });

  test('when another one has the same id and comes first', async () => {
    publish(first, { ...second, kid: 'first' });
    expect(await findModulus('first')).toBe(first.n);
  });
});
