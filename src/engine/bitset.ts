/** A set of document ordinals, 32 to a word. */
export type Bitset = Uint32Array;

export const createBitset = (size: number): Bitset => new Uint32Array((size + 31) >>> 5);

export const hasBit = (bits: Bitset, index: number): boolean => ((bits[index >>> 5]! >>> (index & 31)) & 1) === 1;

export function setBit(bits: Bitset, index: number): void {
  bits[index >>> 5]! |= 1 << (index & 31);
}

export function clearBit(bits: Bitset, index: number): void {
  bits[index >>> 5]! &= ~(1 << (index & 31));
}

export function intersectBitsInto(target: Bitset, other: Bitset): void {
  for (let i = 0; i < target.length; i++) target[i]! &= other[i]!;
}

export function uniteBitsInto(target: Bitset, other: Bitset): void {
  for (let i = 0; i < target.length; i++) target[i]! |= other[i]!;
}

export function createFullBitset(size: number): Bitset {
  const bits = createBitset(size).fill(0xffffffff);
  if ((size & 31) !== 0) bits[bits.length - 1] = (1 << (size & 31)) - 1;
  return bits;
}

export function hasCommonBit(a: Bitset, b: Bitset): boolean {
  for (let i = 0; i < a.length; i++) if ((a[i]! & b[i]!) !== 0) return true;
  return false;
}

/** Visits the set bits in ascending order. An empty word costs one comparison. */
export function forEachBit(bits: Bitset, visit: (index: number) => void): void {
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) visit(i * 32 + 31 - Math.clz32(word & -word));
  }
}
