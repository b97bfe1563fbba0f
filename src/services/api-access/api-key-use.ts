import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';
import type { ApiKeyRepository } from '../../ports/store/store.ts';

export interface UseNotesDeps {
  readonly apiKeys: Pick<ApiKeyRepository, 'noteApiKeyUse'>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** Notes when a key was last used, once a minute and in passing: no request waits for it or fails with it. */
export function createUseNotes({ apiKeys, clock, onProblem }: UseNotesDeps): (keyId: string) => void {
  const noted = new LRUCache<string, number>({ max: MAX_KEYS });
  return (keyId) => {
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    apiKeys.noteApiKeyUse(keyId, now).catch(onProblem);
  };
}
