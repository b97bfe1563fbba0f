/** What the driver takes and gives. Never a boolean: it ends the process (libsql 0.5). */
export type SqlValue = string | number | null;

/** How a field of a record is kept in a column. */
export interface Column<T> {
  readonly toSql: (value: T) => SqlValue;
  readonly fromSql: (stored: SqlValue) => T;
}

/** A string, or one of a list of strings. */
export function text<T extends string = string>(): Column<T> {
  return { toSql: (value) => value, fromSql: (stored) => stored as T };
}

export const integer: Column<number> = { toSql: (value) => value, fromSql: (stored) => stored as number };

/** 1 or 0. */
export const flag: Column<boolean> = {
  toSql: (value) => (value ? 1 : 0),
  fromSql: (stored) => stored === 1,
};

/** Milliseconds since 1970. */
export const instant: Column<Date> = {
  toSql: (value) => value.getTime(),
  fromSql: (stored) => new Date(stored as number),
};

/** Lists and small objects that are always read as a whole. */
export function json<T>(): Column<T> {
  return { toSql: (value) => JSON.stringify(value), fromSql: (stored) => JSON.parse(stored as string) as T };
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    toSql: (value) => (value === null ? null : column.toSql(value)),
    fromSql: (stored) => (stored === null ? null : column.fromSql(stored)),
  };
}

/** Refuses what the driver would misunderstand: a boolean ends the process, and NaN and undefined become NULL. Types say nothing
 *  about records that are copied from elsewhere. */
export function checkColumnValue(column: string, value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || Number.isFinite(value)) return value as SqlValue;
  throw new TypeError(`The column ${column} cannot hold ${String(value)}`);
}
