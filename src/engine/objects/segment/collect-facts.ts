import { createGrowableFloat32, createGrowableUint8, createGrowableUint32, type Growable } from '#engine/arrays';
import { type Bitset, createBitset, forEachBit, setBit } from '#engine/bitset';
import { getOrAdd } from '#engine/maps';
import type { VectorRows } from '#engine/vectors/vector-rows';
import { createVectorRows, type GrowingRows } from '#engine/vectors/vector-rows';
import { type DocumentMark, documentMarks, type ObjectDocument, type ValueField, valueFields } from '../types.ts';
import { DEAD_POPULARITY } from '../weights.ts';
import { type Columns, type Combinations, NO_AGE, type Segment, UNKNOWN_VALUE, type ValueSets } from './segment.ts';

export function createFactColumns() {
  const columns = {
    level: createGrowableFloat32(),
    minutes: createGrowableFloat32(),
    popularity: createGrowableFloat32(),
    lat: createGrowableFloat32(),
    lon: createGrowableFloat32(),
    ageMin: createGrowableUint8(),
    ageMax: createGrowableUint8(),
    free: createGrowableUint8(),
    marks: createGrowableUint8(),
    day: createGrowableFloat32(),
  };
  return {
    add(document: ObjectDocument): void {
      columns.level.push(document.level ?? Number.NaN);
      columns.minutes.push(document.minutes ?? Number.NaN);
      columns.popularity.push(document.isDead ? DEAD_POPULARITY : (document.popularity ?? Number.NaN));
      columns.lat.push(document.lat ?? Number.NaN);
      columns.lon.push(document.lon ?? Number.NaN);
      columns.ageMin.push(document.ageMin ?? NO_AGE);
      columns.ageMax.push(document.ageMax ?? NO_AGE);
      columns.free.push(writePrice(document.free));
      columns.marks.push(writeFactMarks(document.marks ?? []));
      columns.day.push(document.day ?? Number.NaN);
    },
    finish(idHash: Uint32Array): Columns {
      const entries = Object.entries(columns).map(([name, column]) => [name, column.finish()]);
      return { ...Object.fromEntries(entries), idHash };
    },
  };
}

function writePrice(free: boolean | undefined): number {
  if (free === undefined) return 0;
  return free ? 1 : 2;
}

/** Packs marks into bits: bit m stands for `documentMarks[m]`. */
export function writeFactMarks(marks: readonly DocumentMark[]): number {
  return marks.reduce((bits, mark) => bits | (1 << documentMarks.indexOf(mark)), 0);
}

export function createFactValues() {
  const documentsOf = new Map(valueFields.map((field) => [field, new Map<string, Growable<Uint32Array>>()]));

  function addValues(field: ValueField, values: readonly string[], ordinal: number): void {
    for (const value of values.length > 0 ? values : [UNKNOWN_VALUE])
      getOrAdd(documentsOf.get(field)!, value, createGrowableUint32).push(ordinal);
  }

  return {
    add({ provider, types, blooms, lang }: ObjectDocument, ordinal: number): void {
      addValues('provider', [provider], ordinal);
      addValues('type', types, ordinal);
      addValues('bloom', blooms, ordinal);
      addValues('lang', [lang], ordinal);
    },
    finish(count: number): Segment['valueSets'] {
      const entries = Array.from(documentsOf, ([field, byValue]): [ValueField, ValueSets] => {
        const sets = Array.from(byValue.values(), (documents) => {
          const set = createBitset(count);
          for (const doc of documents.finish()) setBit(set, doc);
          return set;
        });
        return [field, { values: [...byValue.keys()], sets }];
      });
      return Object.fromEntries(entries) as Record<ValueField, ValueSets>;
    },
  };
}

/** Collects a row for each document; there are no rows if no document has a vector. */
export function collectFactVectors() {
  let rows: GrowingRows | undefined;
  let without = 0;

  function begin(dimensions: number): GrowingRows {
    rows ??= createVectorRows(dimensions);
    for (; without > 0; without--) rows.push(null);
    return rows;
  }

  return {
    add(vector: Float32Array | undefined): void {
      if (vector !== undefined) begin(vector.length).push(vector);
      else without++;
    },
    copy(from: VectorRows | undefined, doc: number): void {
      if (from !== undefined) begin(from.dimensions).copy(from, doc);
      else without++;
    },
    finish(): Pick<Segment, 'vectors'> {
      return rows === undefined ? {} : { vectors: begin(0).finish() };
    },
  };
}

/** Finds distinct combinations, adding value by value. @param sets the documents of each value */
export function combineFactValues(count: number, sets: readonly Bitset[]): Combinations {
  const steps: { readonly from: number; readonly value: number }[] = [{ from: -1, value: -1 }];
  const stepOf = new Map<number, number>();
  const reached = new Uint32Array(count);
  for (const [value, set] of sets.entries()) {
    forEachBit(set, (doc) => {
      const key = reached[doc]! * sets.length + value;
      reached[doc] = getOrAdd(stepOf, key, () => steps.push({ from: reached[doc]!, value }) - 1);
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
