/** Returns the value of a key; if there is none, it is made and added first. */
export function getOrAdd<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}

export function addCount<K>(counts: Map<K, number>, key: K, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
