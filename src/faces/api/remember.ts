import { LRUCache } from 'lru-cache';

const MAX_REMEMBERED = 2_000;
/** Longer ones are rare, and would let a few callers fill the memory. */
const MAX_KEY_LENGTH = 500;

/** The same pure function of a text, which gives its last results again. An error is worked out anew each time. */
export function remember<T extends object>(read: (text: string) => T): (text: string) => T {
  const results = new LRUCache<string, T>({ max: MAX_REMEMBERED });
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = read(text);
    if (text.length <= MAX_KEY_LENGTH) results.set(text, result);
    return result;
  };
}
