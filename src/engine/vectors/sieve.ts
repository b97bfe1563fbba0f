import { assembleSift, ROWS, sizeGroup } from './kernel-code.ts';
import { quantizeQuery } from './scan.ts';
import { findRowMemory, reserveMemory, type VectorRows } from './vector-rows.ts';

/** The leading dimensions have most of the meaning in tables made by principal components: .59 of
 *  the square of the vectors of objects, and .52 of that of searches. */
const LEADING_DIMENSIONS = 64;
/** Upper bound of the rounding error of a cosine. */
const ROUNDED = 1e-3;

/** Groups that one call sifts: the list has room for all of them. */
const RUN = 256;
/** Addresses in the memory. */
const QUERY_AT = 0;
const LIST_AT = 2 * LEADING_DIMENSIONS;
const GROUPS_AT = LIST_AT + 4 * RUN;

/** Lists groups with `scale of a row * scale * product + rest of a row * rest >= least`. An entry
 *  has 32 bits: the address of the group, and in the lowest ones a bit for each such row.
 *  @returns the address after the last entry */
type Sift = (
  query: number,
  groups: number,
  count: number,
  list: number,
  ...bound: readonly [scale: number, rest: number, least: number]
) => number;

/** The leading numbers of rows, stored apart from the others: a search reads them in one stream. */
interface Sieve {
  /** How many numbers of each row lead. */
  readonly leading: number;
  /** The bytes of a group. */
  readonly groupBytes: number;
  readonly query: Int16Array;
  readonly list: Uint32Array;
  readonly sift: Sift;
}

/** Finds the rows that may have at least the cosine `floor` with a vector. The others are
 *  excluded by their leading numbers and the maximum that the rest can add, the product of
 *  lengths: this excludes nearly all rows, and reads a quarter of their bytes. Shape: ascending;
 *  all rows with this cosine, and a few with a lower one. Source: the Cauchy-Schwarz inequality. */
export function findCandidateRows(rows: VectorRows, vector: Float32Array, floor: number): Uint32Array {
  for (const _ of prepareSieve(rows));
  const { leading, groupBytes, query, list, sift } = sieves.get(rows)!;
  const { numbers, scale } = quantizeQuery(vector.subarray(0, leading));
  query.set(numbers);
  const rest = measureLength(vector.subarray(leading));
  const total = rows.scales.length;
  const candidates: number[] = [];
  for (let first = 0, groups = Math.ceil(total / ROWS); first < groups; first += RUN) {
    const count = Math.min(RUN, groups - first);
    const end = sift(QUERY_AT, GROUPS_AT + first * groupBytes, count, LIST_AT, scale, rest, floor - ROUNDED);
    for (let i = 0; i < (end - LIST_AT) / 4; i++) {
      const entry = list[i]!;
      const row = Math.floor((entry - GROUPS_AT) / groupBytes) * ROWS;
      for (let r = 0; r < ROWS; r++) if ((entry >> r) & 1 && row + r < total) candidates.push(row + r);
    }
  }
  return Uint32Array.from(candidates);
}

function measureLength(vector: Float32Array): number {
  let square = 0;
  for (let k = 0; k < vector.length; k++) square += vector[k]! * vector[k]!;
  return Math.sqrt(square);
}

const sieves = new WeakMap<VectorRows, Sieve>();

/** Rows of a step, which takes some milliseconds. */
const STEP = 2 ** 13;

/** Copies the leading numbers in steps, which the first search would do at once. */
export function* prepareSieve(rows: VectorRows): Generator<void> {
  if (sieves.has(rows)) return;
  const { dimensions, bytes, scales } = rows;
  const leading = Math.min(LEADING_DIMENSIONS, dimensions);
  const numbers = Math.ceil(leading / 8) * 8;
  const groupBytes = sizeGroup(numbers);
  const { buffer, sift } = openSift(numbers, GROUPS_AT + Math.ceil(scales.length / ROWS) * groupBytes, rows);
  const [copy, floats] = [new Int8Array(buffer), new Float32Array(buffer)];
  for (let row = 0; row < scales.length; row++) {
    const group = GROUPS_AT + Math.floor(row / ROWS) * groupBytes;
    const place = row % ROWS;
    const from = row * dimensions;
    let square = 0;
    for (let at = from + leading; at < from + dimensions; at++) square += bytes[at]! * bytes[at]!;
    floats[group / 4 + place] = scales[row]!;
    floats[group / 4 + ROWS + place] = scales[row]! * Math.sqrt(square);
    copy.set(bytes.subarray(from, from + leading), group + 8 * ROWS + place * numbers);
    if (row % STEP === STEP - 1) yield;
  }
  const query = new Int16Array(buffer, QUERY_AT, leading);
  sieves.set(rows, { leading, groupBytes, query, list: new Uint32Array(buffer, LIST_AT, RUN), sift });
}

/** Opens a sift in WebAssembly if the rows are in its memory and the processor has vector
 *  instructions, else in JavaScript. */
function openSift(numbers: number, bytes: number, rows: VectorRows) {
  const code = assembleSift(numbers);
  const isCompiled = findRowMemory(rows) !== undefined && WebAssembly.validate(code);
  const memory = isCompiled ? reserveMemory(bytes) : undefined;
  if (memory === undefined) {
    const buffer = new ArrayBuffer(bytes);
    return { buffer, sift: createPlainSift(buffer, numbers) };
  }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } });
  return { buffer: memory.buffer, sift: (exports as { readonly sift: Sift }).sift };
}

/** Sifts in JavaScript, a tenth as fast, for the few objects of overlays. */
function createPlainSift(buffer: ArrayBuffer, numbers: number): Sift {
  const [query, bytes] = [new Int16Array(buffer, QUERY_AT, numbers), new Int8Array(buffer)];
  const [list, floats] = [new Uint32Array(buffer), new Float32Array(buffer)];
  const { fround } = Math;

  function multiplyRow(from: number): number {
    let sum = 0;
    for (let k = 0; k < numbers; k++) sum += query[k]! * bytes[from + k]!;
    return fround(sum);
  }

  return (_, groups, count, out, scale, rest, least) => {
    let end = out / 4;
    for (let i = 0, group = groups; i < count; i++, group += sizeGroup(numbers)) {
      let bits = 0;
      for (let r = 0; r < ROWS; r++) {
        const product = multiplyRow(group + 8 * ROWS + r * numbers);
        const lead = fround(fround(floats[group / 4 + r]! * fround(scale)) * product);
        const most = fround(lead + fround(floats[group / 4 + ROWS + r]! * fround(rest)));
        if (most >= fround(least)) bits |= 1 << r;
      }
      if (bits !== 0) list[end++] = group | bits;
    }
    return 4 * end;
  };
}
