import type { SourceRow } from './table.ts';
import { joinOutcomes, type Outcome, type RowReader, refused } from './table-source.ts';

/** Rows of one part are at most this many, so that no part grows beyond what the store takes. */
export const MAX_RUN = 1000;

/** What a row adds to a run. */
export interface RunRow<T> {
  /** Rows after each other with the same one make one part. */
  readonly key: string;
  /** Null where the row adds nothing. */
  readonly value: T | null;
  /** What else it leads to. */
  readonly extra?: Outcome;
}

/** A reader that puts rows that follow each other and say something about the same concept together into one part, at most
 *  1,000 of them. A part is to be named after its first value, so that the same file always gives the same parts.
 *  @param read null for a row that is not of interest; a text says what is wrong with it */
export function inRuns<T>(
  read: (row: SourceRow) => RunRow<T> | string | null,
  toOutcome: (key: string, values: readonly T[]) => Outcome,
): RowReader {
  let key: string | null = null;
  let values: T[] = [];
  let extras: Outcome[] = [];
  const end = (): Outcome | null => {
    if (key === null) return null;
    const own = values.length === 0 ? [] : [toOutcome(key, values)];
    const outcome = joinOutcomes([...extras, ...own]);
    [key, values, extras] = [null, [], []];
    return outcome;
  };
  const add = (row: SourceRow): ReturnType<RowReader['add']> => {
    const found = read(row);
    if (found === null) return { before: end(), now: { parts: [] } };
    if (typeof found === 'string') return { before: end(), now: refused(found) };
    const before = found.key === key ? null : end();
    key = found.key;
    if (found.value !== null) values.push(found.value);
    if (found.extra !== undefined) extras.push(found.extra);
    return { before, now: values.length + extras.length >= MAX_RUN ? end() : null };
  };
  return { add, end };
}
