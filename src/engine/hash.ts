/** The hash of no bytes, with which `addToHash` begins. Source: FNV-1a. */
export const HASH_START = 0x811c9dc5;

/** Adds a byte or a UTF-16 code unit. Source: FNV-1a.
 *  @returns a signed number; apply `>>> 0` before comparing it with values of a Uint32Array */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let i = from; i < to; i++) hash = addToHash(hash, bytes[i]!);
  return hash;
}

/** Hashes the code units of a text to 32 bits. Source: FNV-1a, then MurmurHash3's finalizer. */
export const hashString = (text: string): number => hashWithout(text, -1);

/** Returns the `hashString` of a text without its code unit at `skipped`, without creating it. */
export function hashWithout(text: string, skipped: number): number {
  let hash = HASH_START;
  for (let i = 0; i < text.length; i++) {
    if (i !== skipped) hash = addToHash(hash, text.charCodeAt(i));
  }
  return mixHash(hash);
}

/** Spreads the bits of a hash over all bits. Source: MurmurHash3, fmix32. */
export function mixHash(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
