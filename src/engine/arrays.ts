type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** A typed array that doubles when it is full. */
export interface Growable<T extends Numbers> {
  push(value: number): void;
  readonly length: number;
  /** A copy of exactly the pushed values. */
  finish(): T;
  at(index: number): number;
}

export const createGrowableUint8 = (): Growable<Uint8Array> => createGrowable((size) => new Uint8Array(size));
export const createGrowableUint16 = (): Growable<Uint16Array> =>
  createGrowable((size) => new Uint16Array(size));
export const createGrowableFloat32 = (): Growable<Float32Array> =>
  createGrowable((size) => new Float32Array(size));
export const createGrowableUint32 = (): Growable<Uint32Array> =>
  createGrowable((size) => new Uint32Array(size));

function createGrowable<T extends Numbers>(allocate: (size: number) => T): Growable<T> {
  let values = allocate(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const larger = allocate(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    get length() {
      return length;
    },
    at: (index) => values[index]!,
    finish: () => values.slice(0, length) as T,
  };
}

/** Index of the first value not below `place` in an ascending stretch of an array, from `from` to `end`. Gallops: near ones cost
 *  little, long stretches a logarithm.
 *  Source: Bentley & Yao, "An almost optimal algorithm for unbounded searching", 1976. */
export function seekPlace(places: Uint16Array, place: number, from: number, end: number): number {
  if (from >= end || places[from]! >= place) return from;
  let low = from;
  let step = 1;
  while (low + step < end && places[low + step]! < place) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first of the sorted values that is not less; their number when all are. */
export function findLowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
