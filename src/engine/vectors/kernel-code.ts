/** A WebAssembly module, put together here: three dozen instructions need no compiler, and none has to be installed for them.
 *  In WebAssembly's text form it is
 *
 *  (module (import "m" "m" (memory 1))
 *    (func (export "multiply") (param $query i32) (param $list i32) (param $left i32) (param $out i32)
 *      loop
 *        row[r]  = rowsAt + dimensions * list[r]                           ;; of ROWS rows
 *        sum[r]  = 0 0 0 0
 *        part    = the 8 next numbers of the query, of 16 bits          ;; this and the next line for each 8 dimensions
 *        sum[r] += dot(part, the 8 next numbers of row[r], of 8 bits made 16)
 *        out[r]  = the sum of the four lanes of sum[r]
 *        list += ROWS; out += ROWS; left -= ROWS
 *        br_if left                                                     ;; again, unless none is left
 *      end))
 *
 *  Source: WebAssembly Core Specification 2.0, chapter 5. */
export interface KernelShape {
  /** Numbers of a vector, a multiple of 8: from row to row as many bytes. */
  readonly dimensions: number;
  /** So many of them are multiplied, the first ones; a multiple of 8. */
  readonly numbers: number;
  /** The first row; bytes. */
  readonly rowsAt: number;
}

/** Rows that are gone through together: each part of the query is read once for all of them. Of 1, 2, 4 and 8, 4 was the fastest. */
export const ROWS = 4;

const I32 = 0x7f;
const V128 = 0x7b;
const ALIGN_4 = 2;

const [query, list, left, out] = [0, 1, 2, 3];
const lanes = [0, 1, 2, 3];
const each = Array.from({ length: ROWS }, (_, r) => r);
/** Locals behind the four parameters. */
const row = (r: number) => 4 + r;
const sum = (r: number) => 4 + ROWS + r;
const part = 4 + 2 * ROWS;

type Code = readonly number[];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const constant = (value: number): Code => [0x41, ...signed(value)];
const add: Code = [0x6a];
const multiply: Code = [0x6c];
const subtract: Code = [0x6b];
const load = (offset: number): Code => [0x28, ALIGN_4, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, ALIGN_4, ...unsigned(offset)];
const vector = (operation: number): Code => [0xfd, ...unsigned(operation)];
const loadVector = (offset: number): Code => [...vector(0x00), 0, ...unsigned(offset)];
/** 8 bytes made 8 numbers of 16 bits. */
const loadWidened = (offset: number): Code => [...vector(0x01), 0, ...unsigned(offset)];
const zeroVector: Code = [...vector(0x0c), ...new Array<number>(16).fill(0)];
const lane = (number: number): Code => [...vector(0x1b), number];
const addVectors = vector(0xae);
const dot = vector(0xba);
const advance = (local: number, by: number): Code => [...get(local), ...constant(by), ...add, ...set(local)];

export function assembleKernel(shape: KernelShape): Uint8Array<ArrayBuffer> {
  const locals = vectorOf([
    [...unsigned(ROWS), I32],
    [...unsigned(ROWS + 1), V128],
  ]);
  const body = [...locals, ...writeLoop(shape), 0x0b];
  const text = (name: string) => vectorOf([...name].map((letter) => [letter.charCodeAt(0)]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, ...vectorOf([[I32], [I32], [I32], [I32]]), 0]]),
    ...section(2, [[...text('m'), ...text('m'), 2, 0, 1]]),
    ...section(3, [[0]]),
    ...section(7, [[...text('multiply'), 0, 0]]),
    ...section(10, [[...unsigned(body.length), ...body]]),
  ]);
}

function writeLoop({ dimensions, numbers, rowsAt }: KernelShape): Code {
  const steps = Array.from({ length: numbers / 8 }, (_, step) => step * 8);
  return [
    ...[0x03, 0x40],
    ...each.flatMap((r) => [
      ...[...get(list), ...load(4 * r), ...constant(dimensions), ...multiply],
      ...[...constant(rowsAt), ...add, ...set(row(r)), ...zeroVector, ...set(sum(r))],
    ]),
    ...steps.flatMap((at) => [
      ...[...get(query), ...loadVector(2 * at), ...set(part)],
      ...each.flatMap((r) => [
        ...[...get(sum(r)), ...get(part), ...get(row(r)), ...loadWidened(at)],
        ...[...dot, ...addVectors, ...set(sum(r))],
      ]),
    ]),
    ...each.flatMap((r) => [
      ...get(out),
      ...lanes.flatMap((n) => [...get(sum(r)), ...lane(n), ...(n > 0 ? add : [])]),
      ...store(4 * r),
    ]),
    ...[...advance(list, 4 * ROWS), ...advance(out, 4 * ROWS)],
    ...[...get(left), ...constant(ROWS), ...subtract, 0x22, left, 0x0d, 0],
    0x0b,
  ];
}

function section(id: number, items: readonly Code[]): Code {
  const content = vectorOf(items);
  return [id, ...unsigned(content.length), ...content];
}

function vectorOf(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
