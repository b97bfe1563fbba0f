import { quantile } from '../measure.ts';
import type { Sample } from './host-watch.ts';

export interface Taken {
  readonly minute: number;
  readonly sample: Sample;
}

export interface Level {
  readonly measure: string;
  /** Medians. */
  readonly early: number;
  readonly late: number;
  readonly ratio: number;
  /** The largest ratio that is allowed; null where any is. */
  readonly bound: number | null;
}

/** What may grow by how much; all the rest is what is kept, or part of these. */
const bounds: Readonly<Record<string, number>> = { 'RSS MB': 1.15, 'heap MB': 1.1, fds: 1.1 };

/** The second sixth against the last one, after the first sixth, in which caches fill (the largest
 *  have bounds of 500 to 20,000 entries). In half an hour that is minutes 5 to 10 against the last
 *  five. */
export function compareLevels(taken: readonly Taken[], minutes: number): readonly Level[] {
  const medianOf = (measure: string, from: number, to: number) => {
    const values = taken.filter(({ minute }) => minute >= from && minute < to);
    return quantile(
      values.map(({ sample }) => sample[measure]).filter((value) => value !== undefined),
      0.5,
    );
  };
  const sixth = minutes / 6;
  return listMeasures(taken).map((measure) => {
    const early = medianOf(measure, sixth, 2 * sixth);
    const late = medianOf(measure, minutes - sixth, Number.POSITIVE_INFINITY);
    return { measure, early, late, ratio: late / early, bound: bounds[measure] ?? null };
  });
}

export const isGrown = ({ ratio, bound }: Level): boolean => bound !== null && !(ratio <= bound);

/** Medians of one minute. */
export function summarizeMinute(taken: readonly Taken[], minute: number): Sample {
  const of = taken.filter((each) => Math.floor(each.minute) === minute);
  return Object.fromEntries(
    listMeasures(of).map((measure) => {
      const values = of.map(({ sample }) => sample[measure]).filter((value) => value !== undefined);
      return [measure, quantile(values, 0.5)];
    }),
  );
}

function listMeasures(taken: readonly Taken[]): readonly string[] {
  return [...new Set(taken.flatMap(({ sample }) => Object.keys(sample)))];
}
