import { bisect, enlarge } from './arrays.ts';

/** Strings as UTF-8. A table sorted by bytes can be searched. */
export interface StringTable {
  readonly bytes: Uint8Array;
  /** String i has the bytes from `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets: Uint32Array;
}

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
export const MAX_UTF8_BYTES = 3;

const encoder = new TextEncoder();
// Without `ignoreBOM`, a string that begins with U+FEFF would be decoded without it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const HAS_SURROGATE = /[\ud800-\udfff]/;

export function buildStringTable(strings: readonly string[]): StringTable {
  const writer = createStringTableWriter();
  for (const text of strings) writer.add(text);
  return writer.finish();
}

export function createStringTableWriter() {
  let bytes = new Uint8Array(1 << 10);
  let offsets = new Uint32Array(1 << 8);
  let count = 0;
  return {
    add(text: string): void {
      const end = offsets[count]!;
      const room = end + text.length * MAX_UTF8_BYTES;
      if (room > bytes.length) bytes = enlarge(bytes, room);
      if (++count === offsets.length) offsets = enlarge(offsets);
      offsets[count] = writeUtf8String(text, bytes, end);
    },
    read: (index: number): string => readString({ bytes, offsets }, index),
    finish: (): StringTable => ({ bytes: bytes.slice(0, offsets[count]), offsets: offsets.slice(0, count + 1) }),
  };
}

/** Sorts strings in place by their UTF-8 bytes, an order that differs from that of code units only
 *  beyond the basic plane. */
export function sortStringsByBytes(strings: string[]): string[] {
  if (!strings.some((text) => HAS_SURROGATE.test(text))) return strings.sort();
  const encoded = new Map(strings.map((text) => [text, encoder.encode(text)]));
  return strings.sort((a, b) => compareBytes(encoded.get(a)!, encoded.get(b)!));
}

export const countStrings = (table: StringTable): number => table.offsets.length - 1;

export function readString(table: StringTable, index: number): string {
  return decoder.decode(table.bytes.subarray(table.offsets[index], table.offsets[index + 1]));
}

/** Strings decoded as one text; V8 limits a string to 2²⁹ code units. */
const DECODED_AT_ONCE = 2 ** 16;

/** Decodes many strings as one text and cuts it, in a tenth of the time of decoding each. */
export function readStringTable({ bytes, offsets }: StringTable): string[] {
  const strings = new Array<string>(offsets.length - 1);
  for (let first = 0; first < strings.length; first += DECODED_AT_ONCE) {
    const end = Math.min(first + DECODED_AT_ONCE, strings.length);
    const text = decoder.decode(bytes.subarray(offsets[first], offsets[end]));
    let start = 0;
    let byte = offsets[first]!;
    for (let i = first; i < end; i++) {
      let stop = start;
      for (const next = offsets[i + 1]!; byte < next; byte++) stop += countCodeUnits(bytes[byte]!);
      strings[i] = text.slice(start, stop);
      start = stop;
    }
  }
  return strings;
}

/** @returns the UTF-16 code units of the character that a UTF-8 byte begins; 0 if it begins none */
function countCodeUnits(byte: number): number {
  const isContinuation = byte >= 0x80 && byte < 0xc0;
  if (isContinuation) return 0;
  return byte < 0xf0 ? 1 : 2;
}

/** @param table sorted @returns the index of the text, or -1 */
export function findString(table: StringTable, text: string): number {
  const length = encodeSearchedString(text);
  const index = findEncodedLowerBound(table, length);
  return index < countStrings(table) && compareStringAt(table, index, length) === 0 ? index : -1;
}

/** @param table sorted @returns the index of the first string that is not less than `text` */
export function findStringLowerBound(table: StringTable, text: string): number {
  return findEncodedLowerBound(table, encodeSearchedString(text));
}

/** @param table sorted @returns the range of the strings that begin with `prefix`, end exclusive */
export function findStringRange(table: StringTable, prefix: string): [start: number, end: number] {
  const length = encodeSearchedString(prefix);
  const start = findEncodedLowerBound(table, length);
  // 0xff is in no UTF-8 text, so it comes after every continuation of the prefix.
  searchedBytes[length] = 0xff;
  return [start, findEncodedLowerBound(table, length + 1)];
}

/** The bytes of the searched text. All searches share the buffer, as allocating one would take
 *  as long as the search itself. */
let searchedBytes = new Uint8Array(256);

/** Writes the text into `searchedBytes`, with a byte to spare. @returns the number of bytes */
function encodeSearchedString(text: string): number {
  if (text.length * MAX_UTF8_BYTES >= searchedBytes.length)
    searchedBytes = new Uint8Array(text.length * MAX_UTF8_BYTES * 2);
  return writeUtf8String(text, searchedBytes, 0);
}

/** Writes ASCII letters one by one: for a word, calling the encoder takes longer.
 *  @param into has room for `MAX_UTF8_BYTES` bytes for each code unit
 *  @returns the index after the last byte */
function writeUtf8String(text: string, into: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return at + encoder.encodeInto(text, into.subarray(at)).written;
    into[at + i] = code;
  }
  return at + text.length;
}

function findEncodedLowerBound(table: StringTable, length: number): number {
  return bisect(0, countStrings(table), (index) => compareStringAt(table, index, length) < 0);
}

function compareStringAt({ bytes, offsets }: StringTable, index: number, wantedLength: number): number {
  const start = offsets[index]!;
  const length = offsets[index + 1]! - start;
  const shared = Math.min(length, wantedLength);
  for (let i = 0; i < shared; i++) {
    const difference = bytes[start + i]! - searchedBytes[i]!;
    if (difference !== 0) return difference;
  }
  return length - wantedLength;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
