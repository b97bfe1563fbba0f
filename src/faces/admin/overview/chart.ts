/** A bar chart of a number a day, as `partials/chart.eta` draws it: one unit of width a day, 100 of height. */
export interface Chart {
  readonly bars: readonly Bar[];
  /** Numbers beside the lines of the scale, from the top down to 0. */
  readonly scale: readonly number[];
}

export interface Bar {
  /** Of 100; a day with anything at all is high enough to be seen. */
  readonly height: number;
  readonly isToday: boolean;
}

const MIN_HEIGHT = 2;

/** Null where there is nothing to draw. The last number is today's. */
export function drawChart(counts: readonly number[]): Chart | null {
  const most = Math.max(0, ...counts);
  if (most === 0) return null;
  const top = roundUp(most);
  return {
    bars: counts.map((count, day) => ({
      height: count === 0 ? 0 : Math.max(MIN_HEIGHT, (100 * count) / top),
      isToday: day === counts.length - 1,
    })),
    scale: top === 1 ? [1, 0] : [top, top / 2, 0],
  };
}

/** The next number that is easy to read and to halve. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 6, 8, 10].find((steps) => steps * power >= count)!;
  return step * power;
}
