import { type Bitset, forEachBit } from '#engine/bitset';

/** Documents with the same provider, types, Bloom objectives and language share a combination of values. There are few, so what
 *  filters say of them and what facets count is worked out once for each. */
export interface Combinations {
  /** By document. */
  readonly of: Uint16Array | Uint32Array;
  /** CSR: the values of each combination, numbered through all fields. */
  readonly start: Uint32Array;
  readonly values: Uint32Array;
}

/** Find the combinations of documents, value by value: a document goes on from the combination of its values so far.
 *  @param sets the documents of each value */
export function combineValues(count: number, sets: readonly Bitset[]): Combinations {
  const steps: { readonly from: number; readonly value: number }[] = [{ from: -1, value: -1 }];
  const stepOf = new Map<number, number>();
  const reached = new Uint32Array(count);
  for (const [value, set] of sets.entries()) {
    forEachBit(set, (doc) => {
      const key = reached[doc]! * sets.length + value;
      let step = stepOf.get(key);
      if (step === undefined) {
        step = steps.push({ from: reached[doc]!, value }) - 1;
        stepOf.set(key, step);
      }
      reached[doc] = step;
    });
  }
  const numbers = new Map<number, number>();
  for (const step of reached) if (!numbers.has(step)) numbers.set(step, numbers.size);
  const start = [0];
  const values: number[] = [];
  for (const last of numbers.keys()) {
    for (let step = steps[last]!; step.from >= 0; step = steps[step.from]!) values.push(step.value);
    start.push(values.length);
  }
  const of = numbers.size <= 2 ** 16 ? new Uint16Array(count) : new Uint32Array(count);
  for (let doc = 0; doc < count; doc++) of[doc] = numbers.get(reached[doc]!)!;
  return { of, start: Uint32Array.from(start), values: Uint32Array.from(values) };
}
