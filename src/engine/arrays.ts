/** A typed array that doubles when it is full. */
export interface Growable<T extends Uint8Array | Uint32Array> {
  push(value: number): void;
  readonly length: number;
  /** A copy of exactly the pushed values. */
  finish(): T;
  at(index: number): number;
}

export const createGrowableUint8 = (): Growable<Uint8Array> => createGrowable((size) => new Uint8Array(size));
export const createGrowableUint32 = (): Growable<Uint32Array> =>
  createGrowable((size) => new Uint32Array(size));

function createGrowable<T extends Uint8Array | Uint32Array>(allocate: (size: number) => T): Growable<T> {
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

/** Place of the first document not below `doc` in an ascending list, at or after `from`. Gallops: near places cost little, long
 *  lists a logarithm.
 *  Source: Bentley & Yao, "An almost optimal algorithm for unbounded searching", 1976. */
export function seekDoc(docs: Uint32Array, doc: number, from: number): number {
  if (from >= docs.length || docs[from]! >= doc) return from;
  let low = from;
  let step = 1;
  while (low + step < docs.length && docs[low + step]! < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, docs.length);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
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
