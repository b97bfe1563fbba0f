/** Many strings in two arrays instead of as many objects: UTF-8 bytes one after the other, and where each begins.
 *  A sorted table (by bytes) can be searched by `findString` and `lowerBound`. */
export interface StringTable {
  readonly bytes: Uint8Array;
  /** One more than there are strings. */
  readonly offsets: Uint32Array;
}

const encoder = new TextEncoder();
// Without `ignoreBOM` a string that begins with U+FEFF would come back without it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const HAS_SURROGATE = /[\ud800-\udfff]/;

export function buildStringTable(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  let capacity = 64;
  for (const text of strings) capacity += text.length * 3;
  const bytes = new Uint8Array(capacity);
  let end = 0;
  for (const [i, text] of strings.entries()) {
    offsets[i] = end;
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
  }
  offsets[strings.length] = end;
  return { bytes: bytes.slice(0, end), offsets };
}

/** Sort strings by their UTF-8 bytes, in place: as code units order them, but for letters outside the basic plane. */
export function sortByBytes(strings: string[]): string[] {
  if (!strings.some((text) => HAS_SURROGATE.test(text))) return strings.sort();
  const encoded = new Map(strings.map((text) => [text, encoder.encode(text)]));
  return strings.sort((a, b) => compareBytes(encoded.get(a)!, encoded.get(b)!));
}

export function stringCount(table: StringTable): number {
  return table.offsets.length - 1;
}

export function stringAt(table: StringTable, index: number): string {
  return decoder.decode(table.bytes.subarray(table.offsets[index], table.offsets[index + 1]));
}

/** All strings in order; for merging, not for searching. */
export function allStrings(table: StringTable): string[] {
  return Array.from({ length: stringCount(table) }, (_, i) => stringAt(table, i));
}

/** Index of a string in a sorted table, or -1. */
export function findString(table: StringTable, text: string): number {
  const wanted = encoder.encode(text);
  const index = lowerBoundOfBytes(table, wanted);
  return index < stringCount(table) && compareAt(table, index, wanted) === 0 ? index : -1;
}

/** Index of the first string of a sorted table that is not less than `text`. */
export function lowerBound(table: StringTable, text: string): number {
  return lowerBoundOfBytes(table, encoder.encode(text));
}

/** Half-open range of the strings of a sorted table that begin with `prefix`. */
export function prefixRange(table: StringTable, prefix: string): [start: number, end: number] {
  const wanted = encoder.encode(prefix);
  const start = lowerBoundOfBytes(table, wanted);
  // 0xff is in no UTF-8 text, so it comes after every continuation of the prefix.
  const beyond = new Uint8Array(wanted.length + 1);
  beyond.set(wanted);
  beyond[wanted.length] = 0xff;
  return [start, lowerBoundOfBytes(table, beyond)];
}

function lowerBoundOfBytes(table: StringTable, wanted: Uint8Array): number {
  let low = 0;
  let high = stringCount(table);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(table, middle, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareAt(table: StringTable, index: number, wanted: Uint8Array): number {
  const { bytes, offsets } = table;
  const start = offsets[index]!;
  const length = offsets[index + 1]! - start;
  const shared = Math.min(length, wanted.length);
  for (let i = 0; i < shared; i++) {
    const difference = bytes[start + i]! - wanted[i]!;
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
