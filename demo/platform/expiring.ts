import type { Clock } from '#ports/clock';

/** Values that are forgotten after a while, and the oldest ones when there are too many. */
export interface Expiring<V> {
  put(key: string, value: V): void;
  find(key: string): V | null;
  take(key: string): V | null;
}

export interface ExpiringOptions {
  readonly clock: Clock;
  readonly ttlSeconds: number;
  readonly max: number;
}

export function createExpiring<V>({ clock, ttlSeconds, max }: ExpiringOptions): Expiring<V> {
  const values = new Map<string, { readonly value: V; readonly expiresAt: number }>();
  const find = (key: string): V | null => {
    const found = values.get(key);
    return found === undefined || found.expiresAt <= clock.now().getTime() ? null : found.value;
  };
  return {
    put(key, value) {
      if (values.size >= max) removeOldest(values);
      values.set(key, { value, expiresAt: clock.now().getTime() + ttlSeconds * 1000 });
    },
    find,
    take(key) {
      const found = find(key);
      values.delete(key);
      return found;
    },
  };
}

/** For a map whose keys are set only once. */
export function removeOldest(values: Map<string, unknown>): void {
  for (const key of values.keys()) {
    values.delete(key);
    return;
  }
}
