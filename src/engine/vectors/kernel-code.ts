interface KernelShape {
  /** The numbers of a vector, a multiple of 8; also the bytes from one row to the next. */
  readonly dimensions: number;
  /** How many of these numbers are multiplied, from the first on; a multiple of 8. */
  readonly numbers: number;
  /** The address of the first row, in bytes. */
  readonly rowsAt: number;
}

/** Rows that are multiplied together, so that each part of the query is read once for all of them.
 *  Of 1, 2, 4 and 8, 4 is the fastest. */
export const ROWS = 4;

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const ALIGN_4 = 2;
const IS_FUNCTION = 0;
const IS_MEMORY = 2;
const sections = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 };

/** The locals of the parameters: the first four of both functions, the others of `sift`. */
const [query, from, left, out, scale, rest, least] = [0, 1, 2, 3, 4, 5, 6];
const lanes = [0, 1, 2, 3];
const rowNumbers = Array.from({ length: ROWS }, (_, r) => r);

type Code = readonly number[];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
/** Sets the local, and keeps its value. */
const tee = (local: number): Code => [0x22, local];
const loop: Code = [0x03, 0x40];
/** Branches to the start of the loop, unless the value is 0. */
const repeatIf: Code = [0x0d, 0];
const end: Code = [0x0b];
const constant = (value: number): Code => [0x41, ...signed(value)];
const add: Code = [0x6a];
const multiply: Code = [0x6c];
const subtract: Code = [0x6b];
const or: Code = [0x72];
const isAny: Code = [0x45, 0x45];
const load = (offset: number): Code => [0x28, ALIGN_4, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, ALIGN_4, ...unsigned(offset)];
const vector = (operation: number): Code => [0xfd, ...unsigned(operation)];
const loadVector = (offset: number): Code => [...vector(0x00), 0, ...unsigned(offset)];
/** Extends 8 bytes to 8 numbers of 16 bits. */
const loadWidened = (offset: number): Code => [...vector(0x01), 0, ...unsigned(offset)];
const zeroVector: Code = [...vector(0x0c), ...new Array<number>(16).fill(0)];
const lane = (number: number): Code => [...vector(0x1b), number];
const addVectors = vector(0xae);
const dot = vector(0xba);
/** Takes four numbers of 32 bits out of two vectors, whose lanes are numbered on. */
const shuffle = (...takenLanes: readonly number[]): Code => [
  ...vector(0x0d),
  ...takenLanes.flatMap((taken) => lanes.map((byte) => 4 * taken + byte)),
];
const floats = { splat: vector(0x13), add: vector(0xe4), multiply: vector(0xe6), atLeast: vector(0x46) };
const toFloats = vector(0xfa);
const toBits = vector(0xa4);
const advance = (local: number, by: number): Code => [...get(local), ...constant(by), ...add, ...set(local)];

/** Assembles the WebAssembly module that multiplies: a few dozen instructions need no compiler, and
 *  none has to be installed for them. In WebAssembly's text form, with a memory that is imported:
 *
 *    (func (export "multiply") (param $query i32) (param $from i32) (param $left i32) (param $out i32)
 *      loop
 *        row[r]  = rowsAt + dimensions * from[r]                        ;; of ROWS rows
 *        sum[r]  = 0 0 0 0
 *        part    = the 8 next numbers of the query, of 16 bits          ;; this and the next line for each 8 dimensions
 *        sum[r] += dot(part, the 8 next numbers of row[r], of 8 bits made 16)
 *        out[r]  = the sum of the four lanes of sum[r]
 *        from += ROWS; out += ROWS; left -= ROWS
 *        br_if left                                                     ;; again, unless none is left
 *      end)
 *
 *  Source: WebAssembly Core Specification 2.0, chapter 5. */
export function assembleMultiply({ dimensions, numbers, rowsAt }: KernelShape): Uint8Array<ArrayBuffer> {
  const parameters = [I32, I32, I32, I32];
  const { row, sum, part, declaration } = placeKernelLocals(parameters.length);
  const readRow = (r: number) => [
    ...[...get(from), ...load(4 * r), ...constant(dimensions), ...multiply],
    ...[...constant(rowsAt), ...add, ...set(row(r))],
  ];
  const writeSum = (r: number) => [
    ...get(out),
    ...lanes.flatMap((n) => [...get(sum(r)), ...lane(n), ...(n > 0 ? add : [])]),
    ...store(4 * r),
  ];
  const body = writeKernelLoop(declaration, ROWS, [
    ...rowNumbers.flatMap(readRow),
    ...writeKernelSum(numbers, { sum, part, loadRow: (r, at) => [...get(row(r)), ...loadWidened(at)] }),
    ...rowNumbers.flatMap(writeSum),
    ...[...advance(from, 4 * ROWS), ...advance(out, 4 * ROWS)],
  ]);
  return assembleModule('multiply', { parameters, results: [], body: [...body, ...end] });
}

/** Returns the bytes of a group of the sieve: scales, rests and numbers of ROWS rows. */
export const sizeGroup = (numbers: number): number => ROWS * (8 + numbers);

/** Assembles the module of the sieve:
 *
 *    (func (export "sift") (param $query i32) (param $from i32) (param $left i32)
 *        (param $out i32) (param $scale f32) (param $rest f32) (param $least f32) (result i32)
 *      loop
 *        sum[r], part as above, of the ROWS rows of the group
 *        near = scales[r] * scale * sum[r] + rests[r] * rest >= least  ;; a bit for each row
 *        out[0] = from | near  ;; groups are aligned to 32 bytes
 *        out += near ? 1 : 0; from += sizeGroup; left -= 1
 *        br_if left
 *      end
 *      out) */
export function assembleSift(numbers: number): Uint8Array<ArrayBuffer> {
  const parameters = [I32, I32, I32, I32, F32, F32, F32];
  const { row: near, sum, part, declaration } = placeKernelLocals(parameters.length);
  const rowAt = (r: number) => 8 * ROWS + r * numbers;
  /** Adds neighbouring lanes of two vectors: its even lanes and its odd ones are added. */
  const addPairs = (a: Code, b: Code): Code => [
    ...[...a, ...b, ...shuffle(0, 2, 4, 6)],
    ...[...a, ...b, ...shuffle(1, 3, 5, 7), ...addVectors],
  ];
  const pair = (r: number) => addPairs(get(sum(r)), get(sum(r + 1)));
  const splat = (local: number) => [...get(local), ...floats.splat];
  const body = writeKernelLoop(declaration, 1, [
    ...writeKernelSum(numbers, { sum, part, loadRow: (r, at) => [...get(from), ...loadWidened(rowAt(r) + at)] }),
    ...[...pair(0), ...set(sum(0)), ...pair(2), ...set(sum(2))],
    ...[...get(out), ...get(from)],
    ...[...get(from), ...loadVector(0), ...splat(scale), ...floats.multiply],
    ...[...addPairs(get(sum(0)), get(sum(2))), ...toFloats, ...floats.multiply],
    ...[...get(from), ...loadVector(4 * ROWS), ...splat(rest), ...floats.multiply, ...floats.add],
    ...[...splat(least), ...floats.atLeast, ...toBits, ...tee(near(0)), ...or, ...store(0)],
    ...[...get(out), ...get(near(0)), ...isAny, ...constant(4), ...multiply, ...add, ...set(out)],
    ...advance(from, sizeGroup(numbers)),
  ]);
  return assembleModule('sift', { parameters, results: [I32], body: [...body, ...get(out), ...end] });
}

interface WrittenFunction {
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  readonly body: Code;
}

function assembleModule(name: string, { parameters, results, body }: WrittenFunction): Uint8Array<ArrayBuffer> {
  const text = (name: string) => vectorOf([...name].map((letter) => [letter.charCodeAt(0)]));
  const types = (list: readonly number[]) => vectorOf(list.map((type) => [type]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(sections.types, [[0x60, ...types(parameters), ...types(results)]]),
    ...section(sections.imports, [[...text('m'), ...text('m'), IS_MEMORY, 0, 1]]),
    ...section(sections.functions, [[0]]),
    ...section(sections.exports, [[...text(name), IS_FUNCTION, 0]]),
    ...section(sections.code, [[...unsigned(body.length), ...body]]),
  ]);
}

function placeKernelLocals(parameters: number) {
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
  readonly sum: (r: number) => number;
  readonly part: number;
  /** Puts 8 numbers of a row on the stack, from this one on. */
  readonly loadRow: (r: number, at: number) => Code;
}

function writeKernelSum(numbers: number, { sum, part, loadRow }: SumLocals): Code {
  const parts = Array.from({ length: numbers / 8 }, (_, i) => i * 8);
  return [
    ...rowNumbers.flatMap((r) => [...zeroVector, ...set(sum(r))]),
    ...parts.flatMap((at) => [
      ...[...get(query), ...loadVector(2 * at), ...set(part)],
      ...rowNumbers.flatMap((r) => [
        ...[...get(sum(r)), ...get(part), ...loadRow(r, at)],
        ...[...dot, ...addVectors, ...set(sum(r))],
      ]),
    ]),
  ];
}

/** Writes a loop that repeats the code until the counter `left` is 0. */
function writeKernelLoop(locals: Code, step: number, code: Code): Code {
  return [
    ...[...locals, ...loop, ...code],
    ...[...get(left), ...constant(step), ...subtract, ...tee(left), ...repeatIf],
    ...end,
  ];
}

function section(id: number, items: readonly Code[]): Code {
  const content = vectorOf(items);
  return [id, ...unsigned(content.length), ...content];
}

function vectorOf(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

/** Encodes a number as LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
