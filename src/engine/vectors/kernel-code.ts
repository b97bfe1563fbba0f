export interface KernelShape {
  /** Numbers of a vector, a multiple of 8; also the bytes from one row to the next. */
  readonly dimensions: number;
  /** How many of these numbers are multiplied, from the first on; a multiple of 8. */
  readonly numbers: number;
  /** Address of the first row, in bytes. */
  readonly rowsAt: number;
}

/** Number of rows that are multiplied together: each part of the query is read once for all of
 *  them. Of 1, 2, 4 and 8, 4 was the fastest. */
export const ROWS = 4;

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const ALIGN_4 = 2;
const IS_FUNCTION = 0;
const IS_MEMORY = 2;
const sections = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 };

/** Parameters of both functions, and of `sift`. */
const [query, rows, left, out, step, bounds, scale, rest, least] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const lanes = [0, 1, 2, 3];
const each = Array.from({ length: ROWS }, (_, r) => r);

type Code = readonly number[];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
/** Sets the local, and keeps its value. */
const tee = (local: number): Code => [0x22, local];
const loop: Code = [0x03, 0x40];
/** Again from the start of the loop, unless the value is 0. */
const repeatIf: Code = [0x0d, 0];
const end: Code = [0x0b];
const constant = (value: number): Code => [0x41, ...signed(value)];
const add: Code = [0x6a];
const multiply: Code = [0x6c];
const subtract: Code = [0x6b];
const load = (offset: number): Code => [0x28, ALIGN_4, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, ALIGN_4, ...unsigned(offset)];
const storeByte: Code = [0x3a, 0, 0];
const vector = (operation: number): Code => [0xfd, ...unsigned(operation)];
const loadVector = (offset: number): Code => [...vector(0x00), 0, ...unsigned(offset)];
/** Extends 8 bytes to 8 numbers of 16 bits. */
const loadWidened = (offset: number): Code => [...vector(0x01), 0, ...unsigned(offset)];
const zeroVector: Code = [...vector(0x0c), ...new Array<number>(16).fill(0)];
const lane = (number: number): Code => [...vector(0x1b), number];
const addVectors = vector(0xae);
const dot = vector(0xba);
/** Four numbers of 32 bits of two vectors, by lane: 0 to 3 of the first, 4 to 7 of the second. */
const shuffle = (...chosen: readonly number[]): Code => [
  ...vector(0x0d),
  ...chosen.flatMap((one) => lanes.map((byte) => 4 * one + byte)),
];
const floats = { splat: vector(0x13), add: vector(0xe4), multiply: vector(0xe6), atLeast: vector(0x46) };
const toFloats = vector(0xfa);
const toBits = vector(0xa4);
const advance = (local: number, by: number): Code => [...get(local), ...constant(by), ...add, ...set(local)];

/** A WebAssembly module, put together here: a few dozen instructions need no compiler, and none has
 *  to be installed for them. In WebAssembly's text form it is
 *
 *  (module (import "m" "m" (memory 1))
 *    (func (export "multiply") (param $query i32) (param $list i32) (param $left i32) (param $out i32)
 *      loop
 *        row[r]  = rowsAt + dimensions * list[r]                        ;; of ROWS rows
 *        sum[r]  = 0 0 0 0
 *        part    = the 8 next numbers of the query, of 16 bits          ;; this and the next line for each 8 dimensions
 *        sum[r] += dot(part, the 8 next numbers of row[r], of 8 bits made 16)
 *        out[r]  = the sum of the four lanes of sum[r]
 *        list += ROWS; out += ROWS; left -= ROWS
 *        br_if left                                                     ;; again, unless none is left
 *      end)
 *    (func (export "sift") (param $query i32) (param $row i32) (param $left i32) (param $out i32)
 *        (param $step i32) (param $bounds i32) (param $scale f32) (param $rest f32) (param $least f32)
 *      loop
 *        row[r] = row + r * step                                        ;; and sum[r] as above
 *        near   = bounds[r] * scale * sum[r] + bounds[ROWS + r] * rest >= least
 *        out    = near, a bit for each row                              ;; one byte
 *        row += dimensions; out += 1; bounds += 2 * ROWS; left -= ROWS
 *        br_if left
 *      end))
 *
 *  Source: WebAssembly Core Specification 2.0, chapter 5. */
export function assembleKernel(shape: KernelShape): Uint8Array<ArrayBuffer> {
  const functions = [writeMultiply(shape), writeSift(shape)];
  const text = (name: string) => vectorOf([...name].map((letter) => [letter.charCodeAt(0)]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(sections.types, functions.map(typeOf)),
    ...section(sections.imports, [[...text('m'), ...text('m'), IS_MEMORY, 0, 1]]),
    ...section(sections.functions, [[0], [1]]),
    ...section(sections.exports, [
      [...text('multiply'), IS_FUNCTION, 0],
      [...text('sift'), IS_FUNCTION, 1],
    ]),
    ...section(sections.code, functions.map(sized)),
  ]);
}

type WrittenFunction = { readonly parameters: readonly number[]; readonly body: Code };

const typeOf = ({ parameters }: WrittenFunction): Code => [0x60, ...vectorOf(parameters.map((type) => [type])), 0];
const sized = ({ body }: WrittenFunction): Code => [...unsigned(body.length), ...body];

function writeMultiply({ dimensions, numbers, rowsAt }: KernelShape): WrittenFunction {
  const parameters = [I32, I32, I32, I32];
  const { row, sum, ...locals } = placeLocals(parameters.length);
  const readRow = (r: number) => [
    ...[...get(rows), ...load(4 * r), ...constant(dimensions), ...multiply],
    ...[...constant(rowsAt), ...add, ...set(row(r))],
  ];
  const writeSum = (r: number) => [
    ...get(out),
    ...lanes.flatMap((n) => [...get(sum(r)), ...lane(n), ...(n > 0 ? add : [])]),
    ...store(4 * r),
  ];
  const body = writeLoop(locals.declaration, [
    ...each.flatMap(readRow),
    ...sumUp(numbers, { row, sum, part: locals.part }),
    ...each.flatMap(writeSum),
    ...[...advance(rows, 4 * ROWS), ...advance(out, 4 * ROWS)],
  ]);
  return { parameters, body };
}

function writeSift({ dimensions, numbers }: KernelShape): WrittenFunction {
  const parameters = [I32, I32, I32, I32, I32, I32, F32, F32, F32];
  const { row, sum, part, declaration } = placeLocals(parameters.length);
  const readRow = (r: number) => [...[...get(rows), ...get(step), ...constant(r), ...multiply, ...add, ...set(row(r))]];
  /** Of two rows each: even lanes and odd ones. */
  const addPairs = (a: Code, b: Code): Code => [
    ...[...a, ...b, ...shuffle(0, 2, 4, 6)],
    ...[...a, ...b, ...shuffle(1, 3, 5, 7), ...addVectors],
  ];
  const pair = (r: number) => addPairs(get(sum(r)), get(sum(r + 1)));
  const splat = (local: number) => [...get(local), ...floats.splat];
  const body = writeLoop(declaration, [
    ...each.flatMap(readRow),
    ...sumUp(numbers, { row, sum, part }),
    ...[...pair(0), ...set(sum(0)), ...pair(2), ...set(sum(2))],
    ...get(out),
    ...[...get(bounds), ...loadVector(0), ...splat(scale), ...floats.multiply],
    ...[...addPairs(get(sum(0)), get(sum(2))), ...toFloats, ...floats.multiply],
    ...[...get(bounds), ...loadVector(4 * ROWS), ...splat(rest), ...floats.multiply, ...floats.add],
    ...[...splat(least), ...floats.atLeast, ...toBits, ...storeByte],
    ...[...advance(rows, dimensions), ...advance(out, 1), ...advance(bounds, 8 * ROWS)],
  ]);
  return { parameters, body };
}

function placeLocals(parameters: number) {
  return {
    row: (r: number) => parameters + r,
    sum: (r: number) => parameters + ROWS + r,
    part: parameters + 2 * ROWS,
    declaration: vectorOf([
      [...unsigned(ROWS), I32],
      [...unsigned(ROWS + 1), V128],
    ]),
  };
}

interface SumLocals {
  readonly row: (r: number) => number;
  readonly sum: (r: number) => number;
  readonly part: number;
}

function sumUp(numbers: number, { row, sum, part }: SumLocals): Code {
  const parts = Array.from({ length: numbers / 8 }, (_, i) => i * 8);
  return [
    ...each.flatMap((r) => [...zeroVector, ...set(sum(r))]),
    ...parts.flatMap((at) => [
      ...[...get(query), ...loadVector(2 * at), ...set(part)],
      ...each.flatMap((r) => [
        ...[...get(sum(r)), ...get(part), ...get(row(r)), ...loadWidened(at)],
        ...[...dot, ...addVectors, ...set(sum(r))],
      ]),
    ]),
  ];
}

function writeLoop(locals: Code, code: Code): Code {
  return [
    ...[...locals, ...loop, ...code],
    ...[...get(left), ...constant(ROWS), ...subtract, ...tee(left), ...repeatIf],
    ...[...end, ...end],
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
