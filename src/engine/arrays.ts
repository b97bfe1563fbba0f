type Numbers = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** A typed array that doubles its capacity when it is full. */
export interface Growable<T extends Numbers> {
  push(value: number): void;
  readonly length: number;
  /** Returns a copy of exactly the pushed values. */
  finish(): T;
  at(index: number): number;
}

export const createGrowableUint8 = (): Growable<Uint8Array> => createGrowableArray(new Uint8Array(INITIAL_CAPACITY));
export const createGrowableUint16 = (): Growable<Uint16Array> => createGrowableArray(new Uint16Array(INITIAL_CAPACITY));
export const createGrowableFloat32 = (): Growable<Float32Array> =>
  createGrowableArray(new Float32Array(INITIAL_CAPACITY));
export const createGrowableUint32 = (): Growable<Uint32Array> => createGrowableArray(new Uint32Array(INITIAL_CAPACITY));

const INITIAL_CAPACITY = 1024;

function createGrowableArray<T extends Numbers>(buffer: T): Growable<T> {
  let values = buffer;
  let length = 0;
  return {
    push(value) {
      if (length === values.length) values = enlarge(values);
      values[length++] = value;
    },
    get length() {
      return length;
    },
    at: (index) => values[index]!,
    finish: () => values.slice(0, length) as T,
  };
}

/** Copies values into an array of twice the length, or of the length `least` if that is more. */
export function enlarge<T extends Numbers>(values: T, least = 0): T {
  const larger = new (values.constructor as new (length: number) => T)(Math.max(least, 2 * values.length));
  larger.set(values);
  return larger;
}

/** Finds the first index from `from` on, in an ascending array, whose value is not less than
 *  `value`; `end` if there is none. Galloping search: cheap for near values, logarithmic for far
 *  ones. Source: Bentley & Yao, "An almost optimal algorithm for unbounded searching", 1976. */
export function seekInArray(values: Uint16Array, value: number, from: number, end: number): number {
  if (from >= end || values[from]! >= value) return from;
  let low = from;
  let step = 1;
  while (low + step < end && values[low + step]! < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the first index for which `isBefore` is false, or `end`. @param isBefore is true up to
 *  there, and false from there on */
export function bisect(from: number, end: number, isBefore: (index: number) => boolean): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the first index of a sorted value that is not less than `value`, or the length. */
export function findLowerBound(sorted: Uint32Array, value: number): number {
  return bisect(0, sorted.length, (index) => sorted[index]! < value);
}

export function sumValues(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Groups values by key, stably. Shape: the values of key k are those from `start[k]` to
 *  `start[k + 1]`, which is called CSR. @param values the indexes of the keys by default */
export function groupByKey(
  keys: ArrayLike<number>,
  keyCount: number,
  values?: ArrayLike<number>,
): { readonly start: Uint32Array; readonly values: Uint32Array } {
  const start = new Uint32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) start[keys[i]! + 1]!++;
  for (let key = 0; key < keyCount; key++) start[key + 1]! += start[key]!;
  const next = start.slice();
  const grouped = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) grouped[next[keys[i]!]!++] = values === undefined ? i : values[i]!;
  return { start, values: grouped };
}

/** @returns the indexes of the keys, by ascending keys; equal keys keep their order */
export function orderByKey(keys: Uint32Array): Uint32Array {
  const indexes = keys.map((_, index) => index);
  return sortByKey(keys, indexes).values;
}

/** Bits of a key that one pass sorts by. */
const DIGIT_BITS = 8;
const DIGITS = 2 ** DIGIT_BITS;

/** Sorts values by ascending keys, stably, six times as fast as sorting both packed into floats.
 *  Source: radix sort, Knuth, The Art of Computer Programming, vol. 3, 5.2.5. */
export function sortByKey(
  keys: Uint32Array,
  values: Uint32Array,
): { readonly keys: Uint32Array; readonly values: Uint32Array } {
  const buffers = [0, 1].map(() => ({ keys: new Uint32Array(keys.length), values: new Uint32Array(keys.length) }));
  let sorted = { keys, values };
  for (let pass = 0; pass * DIGIT_BITS < 32; pass++) {
    const buffer = buffers[pass % 2]!;
    sortByDigit(sorted, buffer, pass * DIGIT_BITS);
    sorted = buffer;
  }
  return sorted;
}

type Keyed = ReturnType<typeof sortByKey>;

function sortByDigit({ keys, values }: Keyed, { keys: toKeys, values: toValues }: Keyed, shift: number): void {
  const next = new Uint32Array(DIGITS + 1);
  for (let i = 0; i < keys.length; i++) next[((keys[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
  for (let digit = 1; digit < DIGITS; digit++) next[digit]! += next[digit - 1]!;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const at = next[(key >>> shift) & (DIGITS - 1)]!++;
    toKeys[at] = key;
    toValues[at] = values[i]!;
  }
}
