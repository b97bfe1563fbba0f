import type { ShownApiKey } from '../../../services/api-keys.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** Revoking lasts: a key that was revoked and has expired since is revoked. */
export function stateOfKey({ revokedAt, expiresAt }: ShownApiKey, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
