/** Bounds the entries of an `LRUCache`. Its option `max` would reserve memory for all of them at
 *  once, though most hosts never have more than a few.
 *  @example new LRUCache<string, number>({ ...limitEntries(10_000) }) */
export const limitEntries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });
