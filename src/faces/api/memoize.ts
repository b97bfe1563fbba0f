/** Caches the results of a function for good; for functions of few different keys. */
export function memoize<K, V>(create: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    const existing = results.get(key);
    if (existing !== undefined) return existing;
    const result = create(key);
    results.set(key, result);
    return result;
  };
}
