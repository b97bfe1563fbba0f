/** In milliseconds; `hits` is the mean number of results, so that an engine that finds nothing is not taken for a fast one. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly hits: number;
}

/** Passes over all inputs with the clock running; one without comes first. */
export const PASSES = 3;

/** Milliseconds by input; `hits` as in Latency. */
export interface Times {
  readonly times: readonly number[];
  readonly hits: number;
  /** All documents that were counted, by input; absent where an engine does not tell. */
  readonly totals?: readonly number[];
}

export function measureLatency<T>(inputs: readonly T[], call: (input: T) => { length: number }): Latency {
  timePass(inputs, call);
  collectGarbage();
  return latencyOf(medianPass(Array.from({ length: PASSES }, () => timePass(inputs, call))));
}

export function latencyOf({ times, hits }: Times): Latency {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), hits };
}

export function timePass<T>(inputs: readonly T[], call: (input: T) => { length: number; total?: number }): Times {
  let hits = 0;
  const totals: number[] = [];
  const times = inputs.map((input) =>
    timeOf(() => {
      const { length, total } = call(input);
      hits += length;
      if (total !== undefined) totals.push(total);
    }),
  );
  return { times, hits: hits / inputs.length, ...(totals.length > 0 && { totals }) };
}

/** Time of each call, the median of a few: on a shared machine a single call now and then takes another process's time
 *  slice along, and a p99 of single calls would measure the machine. */
export function medianPass(passes: readonly Times[]): Times {
  const medianOf = (i: number) =>
    quantile(
      passes.map(({ times }) => times[i] ?? Number.NaN),
      0.5,
    );
  const [first] = passes;
  return { hits: Number.NaN, ...first, times: first?.times.map((_, i) => medianOf(i)) ?? [] };
}

/** Milliseconds of this process on all its threads, the collection of garbage too: what others do on the machine does not count. */
function readCpuClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let readClock = () => performance.now();

/** From now on times are of CPU. */
export function useCpuClock(): void {
  readClock = readCpuClock;
}

export function timeOf(work: () => unknown): number {
  const start = readClock();
  work();
  return readClock() - start;
}

/** Value below which the share lies; the nearest that was measured. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Bytes the process holds: JavaScript objects and typed arrays. `external` counts the arrays in. Arrays are only let go
 *  after the objects that held them, so one collection is not enough. */
export function memoryInUse(): number {
  for (let i = 0; i < 3; i++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function collectGarbage(): void {
  globalThis.gc?.();
}

/** A fixed number of digits that matter, as text. */
export function digits(value: number, places = 3): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : places);
}
