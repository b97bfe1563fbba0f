import type { CatalogPart } from '#domain/catalog';
import type { RejectedRow } from '#ports/imports';
import type { SourceRow } from './table.ts';

/** What rows lead to. */
export interface Outcome {
  readonly parts: readonly CatalogPart[];
  /** What is wrong with the row; its place is added. */
  readonly rejected?: readonly Omit<RejectedRow, 'place'>[];
}

/** Makes parts of the rows of one table, one after the other. The same rows give the same outcomes. */
export interface RowReader {
  /** Outcomes of rows before this one that were held back; then, unless this one is held back, its own. */
  add(row: SourceRow): { readonly before: Outcome | null; readonly now: Outcome | null };
  /** The outcome of the rows that are still held back. */
  end(): Outcome | null;
}

/** Several outcomes as one. */
export function joinRowOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    parts: outcomes.flatMap(({ parts }) => parts),
    rejected: outcomes.flatMap(({ rejected = [] }) => rejected),
  };
}

/** @param of the part that the row would have been, where that is known */
export function refuseRow(reason: string, of?: RejectedRow['of']): Outcome {
  return { parts: [], rejected: [{ reason, ...(of !== undefined && { of }) }] };
}

/** A reader of rows that each stand for themselves. */
export function readEachRow(toOutcome: (row: SourceRow) => Outcome): RowReader {
  return { add: (row) => ({ before: null, now: toOutcome(row) }), end: () => null };
}

/** Rows of one part are at most this many, so that no part grows beyond what the store takes. */
export const MAX_RUN = 1000;

/** What a row adds to a run. */
export interface RunRow<T> {
  /** Consecutive rows with the same key make one part. */
  readonly key: string;
  /** Null where the row adds nothing. */
  readonly value: T | null;
  /** What else it leads to. */
  readonly extra?: Outcome;
}

/** A reader that joins consecutive rows about the same concept into one part, at most 1,000 of them. A part is to be named after
 *  its first value, so that the same file always gives the same parts.
 *  @param read null for a row that is not of interest; a text says what is wrong with it */
export function readRowsInRuns<T>(
  read: (row: SourceRow) => RunRow<T> | string | null,
  toOutcome: (key: string, values: readonly T[]) => Outcome,
): RowReader {
  let key: string | null = null;
  let values: T[] = [];
  let extras: Outcome[] = [];
  const end = (): Outcome | null => {
    if (key === null) return null;
    const own = values.length === 0 ? [] : [toOutcome(key, values)];
    const outcome = joinRowOutcomes([...extras, ...own]);
    [key, values, extras] = [null, [], []];
    return outcome;
  };
  const add = (row: SourceRow): ReturnType<RowReader['add']> => {
    const found = read(row);
    if (found === null) return { before: end(), now: { parts: [] } };
    if (typeof found === 'string') return { before: end(), now: refuseRow(found) };
    const before = found.key === key ? null : end();
    key = found.key;
    if (found.value !== null) values.push(found.value);
    if (found.extra !== undefined) extras.push(found.extra);
    return { before, now: values.length + extras.length >= MAX_RUN ? end() : null };
  };
  return { add, end };
}

/** Remembers what was seen, up to a bounded number; beyond that it starts afresh. */
interface Recent<T> {
  /** Keep a value under a name. Returns what was kept there before, or undefined. */
  swap(name: string, value: T): T | undefined;
}

const LIMIT = 100_000;

export function createRecentRows<T>(limit = LIMIT): Recent<T> {
  const seen = new Map<string, T>();
  return {
    swap(name, value) {
      const before = seen.get(name);
      if (before === undefined && seen.size >= limit) seen.clear();
      seen.set(name, value);
      return before;
    },
  };
}
