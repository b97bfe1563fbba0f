/** A typed array that doubles when it is full. */
export interface Growable<T extends Uint8Array | Uint32Array> {
  push(value: number): void;
  readonly length: number;
  /** A copy of exactly the pushed values. */
  finish(): T;
  at(index: number): number;
}

export const growableUint8 = (): Growable<Uint8Array> => createGrowable((size) => new Uint8Array(size));
export const growableUint32 = (): Growable<Uint32Array> => createGrowable((size) => new Uint32Array(size));

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
