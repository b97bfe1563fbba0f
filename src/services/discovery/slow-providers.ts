import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';

/** Providers that were late not long ago and have not answered since. They are asked like all others, but hardly waited for:
 *  else every search would take its whole time as long as one provider hangs. */
export interface SlowProviders {
  has(scope: string, id: string): boolean;
  add(scope: string, id: string): void;
  remove(scope: string, id: string): void;
}

const MAX_PROVIDERS = 5_000;
const TTL_MS = 60_000;

export function createSlowProviders(clock: Clock): SlowProviders {
  const slow = new LRUCache<string, true>({
    max: MAX_PROVIDERS,
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  const nameOf = (scope: string, id: string) => `${scope} ${id}`;
  return {
    has: (scope, id) => slow.has(nameOf(scope, id)),
    add: (scope, id) => void slow.set(nameOf(scope, id), true),
    remove: (scope, id) => void slow.delete(nameOf(scope, id)),
  };
}
