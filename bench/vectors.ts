/** `npm run bench:vectors -- --rows 300000 --dimensions 256`: how long it takes to find the nearest of many vectors, in WebAssembly and
 *  over the same bytes in typed arrays. */
import { parseArgs } from 'node:util';
import { findNearestRows, measureCosines } from '../src/engine/vectors/scan.ts';
import type { VectorRows } from '../src/engine/vectors/vector-rows.ts';
import { createVectorRows } from '../src/engine/vectors/vector-rows.ts';
import { createRandom } from './corpus/random.ts';
import { digits, type Latency, measureLatency } from './measure.ts';
import { required } from './required.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    dimensions: { type: 'string', default: '256' },
    queries: { type: 'string', default: '20' },
  },
});
const [count, dimensions] = [Number(values.rows), Number(values.dimensions)];
const random = createRandom(1);

function makeVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const growing = createVectorRows(dimensions, count);
// New ones each time would take a minute to make.
const drawn = Array.from({ length: 1_000 }, makeVector);
for (let i = 0; i < count; i++) growing.push(required(drawn[i % drawn.length], 'vector'));
const rows = growing.finish();
const plain: VectorRows = { ...rows, bytes: rows.bytes.slice() };
const queries = Array.from({ length: Number(values.queries) }, makeVector);
const preferred = Uint32Array.from({ length: Math.floor(count / 20) }, (_, i) => i * 20);
const { rows: near } = findNearestRows(rows, required(queries[0], 'query'), { max: 500 });
const windows = Array.from({ length: 100 }, makeVector);

const tasks: readonly [string, (rows: VectorRows, query: Float32Array) => { length: number }][] = [
  ['500 nearest of all', (of, query) => findNearestRows(of, query, { max: 500 }).rows],
  ['of a twentieth of them', (of, query) => findNearestRows(of, query, { max: 500, among: preferred }).rows],
  ['500 rows with 100 windows', (of) => measureCosines(of, windows, near)],
];

console.log(
  `${count} rows of ${dimensions}, ${Math.round((count * dimensions) / 1e6)} MB; milliseconds, p50 and slowest`,
);
for (const [name, task] of tasks) {
  // Over typed arrays some take seconds.
  const measure = (of: VectorRows, inputs: readonly Float32Array[]) =>
    measureLatency(inputs, (query) => task(of, query));
  const write = ({ p50, p99 }: Latency) => `${digits(p50)} ${digits(p99)}`;
  const [compiled, arrays] = [measure(rows, queries), measure(plain, queries.slice(0, 2))];
  console.log(`${name}: WebAssembly ${write(compiled)}, typed arrays ${write(arrays)}`);
}
