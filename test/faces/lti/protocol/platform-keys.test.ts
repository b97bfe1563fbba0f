import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { createPlatformKeys } from '../../../../src/faces/lti/protocol/platform-keys.ts';
import type { Outbound } from '../../../../src/ports/outbound.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

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
let clock: ReturnType<typeof createStandingClock>;
let keys: ReturnType<typeof createPlatformKeys>;

const publish = (...set: unknown[]) => {
  published = JSON.stringify({ keys: set });
};

beforeEach(() => {
  asked = 0;
  status = 200;
  publish(first);
  clock = createStandingClock();
  const outbound: Outbound = {
    async request(url) {
      asked++;
      if (published === null) throw new AppError('OUTBOUND_FAILED', 'Nothing is there.');
      return { status, headers: {}, text: published, bytes: Buffer.from(published), url };
    },
  };
  keys = createPlatformKeys({ outbound, clock });
});

const modulusOf = async (keyId: string) => (await keys.getKey(URI, keyId)).export({ format: 'jwk' }).n;

const unknown = { code: 'LTI_KEY_UNKNOWN' };
const unavailable = { code: 'LTI_KEYS_UNAVAILABLE' };

describe('a key set', () => {
  test('is fetched once in ten minutes', async () => {
    expect(await modulusOf('first')).toBe(first.n);
    clock.advance(10 * MINUTE - 1);
    await keys.getKey(URI, 'first');
    expect(asked).toBe(1);
    clock.advance(1);
    await keys.getKey(URI, 'first');
    expect(asked).toBe(2);
  });

  test('is fetched once for many at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => keys.getKey(URI, 'first')));
    expect(asked).toBe(1);
  });

  test('is fetched anew for a key that is not in it, at most once in 30 seconds', async () => {
    await keys.getKey(URI, 'first');
    publish(second);
    for (let n = 0; n < 5; n++) await expect(keys.getKey(URI, 'second')).rejects.toMatchObject(unknown);
    expect(asked).toBe(1);
    clock.advance(30_000);
    expect(await modulusOf('second')).toBe(second.n);
    expect(asked).toBe(2);
    await expect(keys.getKey(URI, 'first')).rejects.toMatchObject(unknown);
    expect(asked).toBe(2);
  });

  test('of one platform says nothing of another', async () => {
    await keys.getKey(URI, 'first');
    publish(second);
    await expect(keys.getKey('https://other.example/keys', 'first')).rejects.toMatchObject(unknown);
  });
});

describe('where fetching fails', () => {
  test('the set that we have holds for a day', async () => {
    await keys.getKey(URI, 'first');
    published = null;
    clock.advance(24 * 60 * MINUTE - 1);
    expect(await modulusOf('first')).toBe(first.n);
    clock.advance(MINUTE);
    await expect(keys.getKey(URI, 'first')).rejects.toMatchObject(unavailable);
  });

  test('it is tried again after 30 seconds, not at every launch', async () => {
    published = null;
    for (let n = 0; n < 3; n++) await expect(keys.getKey(URI, 'first')).rejects.toMatchObject(unavailable);
    expect(asked).toBe(1);
    publish(first);
    clock.advance(30_000);
    expect(await modulusOf('first')).toBe(first.n);
  });

  test.each([
    ['another status', 500, '{"keys":[]}'],
    ['no JSON', 200, '<html>'],
    ['null', 200, 'null'],
    ['no list', 200, '{"keys":{}}'],
    ['more than a platform has', 200, JSON.stringify({ keys: Array.from({ length: 101 }, () => first) })],
  ])('or what comes is %s', async (_, answered, text) => {
    status = answered;
    published = text;
    await expect(keys.getKey(URI, 'first')).rejects.toMatchObject(unavailable);
  });
});

describe('a key is none', () => {
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
    await expect(keys.getKey(URI, 'short')).rejects.toMatchObject(unknown);
    expect(await modulusOf('second')).toBe(second.n);
  });

  test('but may leave out what it is for', async () => {
    publish(bare);
    expect(await modulusOf('first')).toBe(first.n);
  });

  test('of two with one name the first holds', async () => {
    publish(first, { ...second, kid: 'first' });
    expect(await modulusOf('first')).toBe(first.n);
  });
});
