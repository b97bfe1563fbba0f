import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';
import { z } from 'zod';
import { AppError } from '#errors';
import type { Outbound } from '#ports/outbound';

const MAX_KEYS = 100;
const MAX_BYTES = 262_144;

const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) });

/** Fetches the RSA keys of a platform that may sign; there may be none. Of several with one id, the
 *  first counts.
 *  Errors: OUTBOUND_REFUSED, OUTBOUND_FAILED, RESPONSE_INVALID with the HTTP status in
 *  `data.status`. */
export async function fetchKeySet(outbound: Outbound, uri: string): Promise<JWK[]> {
  const { status, text } = await outbound.request(uri, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    maxBytes: MAX_BYTES,
  });
  const parsed = status === 200 ? keySet.safeParse(parseJson(text)) : null;
  if (parsed?.success !== true)
    throw new AppError(
      'RESPONSE_INVALID',
      `${new URL(uri).host} answered with status ${status} and no key set. Check the address of the platform's keys.`,
      { data: { status } },
    );
  const keys = parsed.data.keys.flatMap(readKey);
  return keys.filter(({ kid }, index) => keys.findIndex((key) => key.kid === kid) === index);
}

/** The key where it may sign, without anything that a platform should have kept to itself. */
function readKey(key: Readonly<Record<string, unknown>>): JWK[] {
  const { kty, kid, use = 'sig', alg = 'RS256', n, e } = key;
  if (kty !== 'RSA' || typeof kid !== 'string' || use !== 'sig' || alg !== 'RS256') return [];
  const bits = countBits({ kty, n, e } as JsonWebKey);
  // A larger key would only take time.
  return bits >= 2_048 && bits <= 8_192 ? [{ kty, kid, use, alg, n, e } as JWK] : [];
}

/** Bits of the modulus; 0 for what is not a key. */
function countBits(key: JsonWebKey): number {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    return 0;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
