import type { CatalogPart } from '#domain/catalog';
import type { MatchedColumn, RejectedRow } from '#ports/imports';
import type { SourceFile } from '../files/source-file.ts';

/** What a row becomes, or several rows that belong together. */
export interface RowOutcome {
  readonly parts: readonly CatalogPart[];
  /** Reasons why the row cannot be used. A reason without a place gets the row's place later. */
  readonly rejected?: readonly (Omit<RejectedRow, 'place'> & Partial<Pick<RejectedRow, 'place'>>)[];
  /** Number of rows that are left out on purpose. */
  readonly leftOut?: number;
}

/** Makes parts from the rows of a table. The same rows must give the same outcomes. */
export interface RowReader {
  /** Returns the outcome of earlier delayed rows, and that of this row unless it is delayed. */
  add(row: SourceRow): { readonly before: RowOutcome | null; readonly now: RowOutcome | null };
  end(): RowOutcome | null;
}

export function joinRowOutcomes(outcomes: readonly RowOutcome[]): RowOutcome {
  return {
    parts: outcomes.flatMap(({ parts }) => parts),
    rejected: outcomes.flatMap(({ rejected = [] }) => rejected),
    leftOut: outcomes.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0),
  };
}

/** Rejects a row. @param of the part that it describes, where that is readable */
export const refuseRow = (reason: string, of?: RejectedRow['of']): RowOutcome => ({
  parts: [],
  rejected: [{ reason, ...(of !== undefined && { of }) }],
});

export const leftOut: RowOutcome = { parts: [], leftOut: 1 };

export const readEachRow = (toOutcome: (row: SourceRow) => RowOutcome): RowReader => ({
  add: (row) => ({ before: null, now: toOutcome(row) }),
  end: () => null,
});

/** Maximum number of rows of one part, so that no part is too large for the store. */
const MAX_RUN = 1000;

interface RunRow<T> {
  /** Consecutive rows with the same key make one part. */
  readonly key: string;
  readonly value: T | null;
  readonly extra?: RowOutcome;
}

/** Joins consecutive rows about one concept into a part, at most 1,000 of them. Name the part after
 *  its first value, so that the same file always gives the same parts.
 *  @param readRow null for a row that is ignored; a text is the reason to reject the row */
export function readRowsInRuns<T>(
  readRow: (row: SourceRow) => RunRow<T> | string | null,
  toOutcome: (key: string, values: readonly T[]) => RowOutcome,
): RowReader {
  let key: string | null = null;
  let values: T[] = [];
  let extras: RowOutcome[] = [];
  const endRun = (): RowOutcome | null => {
    if (key === null) return null;
    const last = values.length === 0 ? [] : [toOutcome(key, values)];
    const outcome = joinRowOutcomes([...extras, ...last]);
    [key, values, extras] = [null, [], []];
    return outcome;
  };
  const addToRun = (row: SourceRow): ReturnType<RowReader['add']> => {
    const run = readRow(row);
    if (run === null) return { before: endRun(), now: leftOut };
    if (typeof run === 'string') return { before: endRun(), now: refuseRow(run) };
    const before = run.key === key ? null : endRun();
    key = run.key;
    if (run.value !== null) values.push(run.value);
    if (run.extra !== undefined) extras.push(run.extra);
    return { before, now: values.length + extras.length >= MAX_RUN ? endRun() : null };
  };
  return { add: addToRun, end: endRun };
}

const MAX_RECENT = 100_000;

/** Returns a function that stores a value by name, and returns the last one if it is remembered. */
export function createRecentValues<T>(): (name: string, value: T) => T | undefined {
  const valuesByName = new Map<string, T>();
  return (name, value) => {
    const before = valuesByName.get(name);
    if (before === undefined && valuesByName.size >= MAX_RECENT) valuesByName.clear();
    valuesByName.set(name, value);
    return before;
  };
}

export interface SourceRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly endBytes: number;
  /** Cells by column, trimmed, without empty ones; unchanged values of JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read; null if it can. */
  readonly problem: string | null;
}

export interface Table {
  readonly file: SourceFile;
  readonly notes?: readonly Omit<RejectedRow, 'place'>[];
  readonly columns?: readonly MatchedColumn[];
  read(signal: AbortSignal): AsyncIterable<SourceRow>;
}

/** A longer row means an unclosed quote, or another kind of file. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;

/** The trimmed text of a cell, number or flag; empty for any other value. */
export function readRowCell(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Splits a cell with several values, or reads a JSON list.
 *  @example readRowCellList('video; article;', /;/) // ['video', 'article'] */
export function readRowCellList(value: unknown, separator: RegExp): string[] {
  const text = readRowCell(value);
  // A list in Python or JSON: ['a', 'b'].
  const inner = /^\[(.*)\]$/s.exec(text)?.[1];
  const written = inner
    ?.split(/['"]/.test(inner) ? /,(?=\s*['"])/ : ',')
    .map((each) => each.trim().replace(/^['"]|['"]$/g, ''));
  const texts = Array.isArray(value) ? value.map(readRowCell) : (written ?? text.split(separator));
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
