import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '#ports/clock';
import { createExpiring } from './expiring.ts';
import type { Tool } from './model.ts';
import { refuse } from './request.ts';

/** Reads what a tool signed, against the keys that it publishes. Errors: what is wrong with it, with `invalid_client`. */
export interface ToolJwts {
  read(jwt: string, options: ReadOptions): Promise<JWTPayload>;
}

interface ReadOptions {
  readonly tool: Tool;
  readonly audience: string;
  /** Claim that makes it good for one use. */
  readonly onceBy: 'jti' | 'nonce';
}

const KEYS_TIMEOUT_MS = 5000;
/** Longer lifetimes are refused, so that used ones need not be remembered for longer. */
const MAX_AGE_SECONDS = 3600;
const MAX_USED = 10_000;

export function createToolJwts(clock: Clock): ToolJwts {
  const used = createExpiring<true>({ clock, ttlSeconds: MAX_AGE_SECONDS, max: MAX_USED });
  return {
    async read(jwt, { tool, audience, onceBy }) {
      const payload = await verify(jwt, tool, { audience, now: clock.now() });
      const { iat = 0, exp = 0 } = payload;
      if (iat > Math.floor(clock.now().getTime() / 1000)) bad('iat is in the future');
      if (exp - iat > MAX_AGE_SECONDS) bad(`it lives longer than ${MAX_AGE_SECONDS} s`);
      const once = payload[onceBy];
      if (typeof once !== 'string' || once === '') return bad(`it has no ${onceBy}`);
      const key = `${tool.clientId} ${once}`;
      if (used.find(key) !== null) bad(`its ${onceBy} was used before`);
      used.put(key, true);
      return payload;
    },
  };
}

async function verify(
  jwt: string,
  { clientId, jwksUri }: Tool,
  { audience, now }: { readonly audience: string; readonly now: Date },
): Promise<JWTPayload> {
  try {
    if (decodeProtectedHeader(jwt).kid === undefined) bad('its header has no kid');
    const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: KEYS_TIMEOUT_MS });
    const { payload } = await jwtVerify(jwt, keys, {
      algorithms: ['RS256'],
      issuer: clientId,
      audience,
      currentDate: now,
      requiredClaims: ['iat', 'exp'],
    });
    return payload;
  } catch (error) {
    // Errors about the tool's signature or keys are the tool's; all others are faults here.
    if (error instanceof errors.JOSEError || error instanceof TypeError) bad(error.message);
    throw error;
  }
}

function bad(why: string): never {
  return refuse(`the JWT of the tool cannot be used: ${why}`, { error: 'invalid_client', status: 401 });
}
