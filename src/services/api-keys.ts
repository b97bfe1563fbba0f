import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ApiKeyScope } from '../domain/api-key.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { ApiKeyRecord, ApiKeyRepository } from '../ports/store.ts';

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Requests. */
  readonly perSecond: number;
  readonly perDay: number;
  readonly expiresAt: Date | null;
}

const KEY_BYTES = 24;

/** Make a key. It is given here once; the store keeps its hash only. */
export async function createApiKey(
  apiKeys: ApiKeyRepository,
  clock: Clock,
  wanted: NewApiKey,
): Promise<{ id: string; key: string }> {
  const id = randomUUID();
  const key = `sk_${randomBytes(KEY_BYTES).toString('base64url')}`;
  await apiKeys.addApiKey({ ...wanted, id, keyHash: hashKey(key), createdAt: clock.now(), revokedAt: null });
  return { id, key };
}

/** What may be shown of the keys, oldest first. */
export async function listApiKeys(
  apiKeys: ApiKeyRepository,
): Promise<readonly Omit<ApiKeyRecord, 'keyHash'>[]> {
  return (await apiKeys.listApiKeys()).map(({ keyHash: _, ...shown }) => shown);
}

/** Errors: API_KEY_NOT_FOUND. */
export async function revokeApiKey(apiKeys: ApiKeyRepository, clock: Clock, id: string): Promise<void> {
  if (await apiKeys.revokeApiKey(id, clock.now())) return;
  throw new AppError(
    'API_KEY_NOT_FOUND',
    `There is no active key with the id ${id}. "skilldock keys list" shows them all.`,
  );
}

/** SHA-256, hexadecimal. Keys are random and long, so a slow hash would protect nothing more. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
