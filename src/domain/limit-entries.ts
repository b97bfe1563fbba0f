/** Makes options that limit the entries of an `LRUCache`. Its option `max` would reserve memory for
 *  all of them at once, though most hosts use few.
 *  @example new LRUCache<string, number>({ ...limitEntries(10_000) }) */
export const limitEntries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });

/** Makes options that also limit the age of entries, by a clock in milliseconds.
 *  @example new LRUCache<string, number>(limitEntriesAndAge(10_000, 500, () =>
 *  performance.now())) */
export const limitEntriesAndAge = (count: number, ttl: number, now: () => number) => ({
  ...limitEntries(count),
  ttl,
  ttlResolution: 0,
  perf: { now },
});
