/** What was seen, of a bounded number of things: beyond it, it begins anew. */
export interface Recent<T> {
  /** What was kept under the name before, or undefined; then this is. */
  swap(name: string, value: T): T | undefined;
}

const LIMIT = 100_000;

export function createRecent<T>(limit = LIMIT): Recent<T> {
  const seen = new Map<string, T>();
  return {
    swap(name, value) {
      const before = seen.get(name);
      if (before === undefined && seen.size >= limit) seen.clear();
      seen.set(name, value);
      return before;
    },
  };
}
