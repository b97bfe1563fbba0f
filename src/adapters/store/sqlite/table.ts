import { type Column, checkColumnValue, type SqlValue } from './columns.ts';

type Row = Readonly<Record<string, SqlValue>>;

interface TableDefinition<R> {
  /** One for each field of the record; the column is called like the field, in snake case. */
  readonly columns: { readonly [F in keyof R]-?: Column<R[F]> };
  /** Fields by which a record is found and ordered; `id` by default. */
  readonly key?: readonly (keyof R & string)[];
  /** Further columns, computed from the record for searching and sorting. */
  readonly derived?: Readonly<Record<string, (record: R) => SqlValue>>;
}

/** The mapping of records of one kind to rows of one table, and the statements that follow from it. */
export interface Table<R> {
  readonly name: string;
  /** Names of the columns of the key. */
  readonly key: readonly string[];
  /** Every column, in the order of `toValues`. */
  readonly columns: readonly string[];
  /** Takes `toValues`. */
  readonly insert: string;
  /** Takes `toValues`; replaces a row with the same key in place, so that references to it stay. */
  readonly upsert: string;
  /** Sets every column but the key; a WHERE is to follow. Takes `toChanges`. */
  readonly update: string;
  /** The columns that `toRecord` reads, for RETURNING. */
  readonly fields: string;
  select(rest: string): string;
  toValues(record: R): SqlValue[];
  toChanges(record: R): SqlValue[];
  /** Of a row with the columns `fields`. */
  toRecord(row: unknown): R;
  /** Null where the driver found no row. */
  toRecordOrNull(row: unknown): R | null;
}

export function defineTable<R extends object>(name: string, definition: TableDefinition<R>): Table<R> {
  const { key = ['id' as keyof R & string], derived = {} } = definition;
  const columns = Object.entries(definition.columns as Record<string, Column<unknown>>).map(
    ([field, { toSql, fromSql }]) => ({ field, column: toSnakeCase(field), toSql, fromSql }),
  );
  const keyColumns = key.map(toSnakeCase);
  const fields = columns.map(({ column }) => column);
  const all = [...fields, ...Object.keys(derived)];
  const rest = all.filter((column) => !keyColumns.includes(column));
  const isOfKey = all.map((column) => keyColumns.includes(column));
  const toValues = (record: R) => [
    ...columns.map(({ field, column, toSql }) =>
      checkColumnValue(`${name}.${column}`, toSql(record[field as keyof R])),
    ),
    ...Object.values(derived).map((derive) => derive(record)),
  ];
  const toRecord = (row: unknown) => {
    const values = columns.map(({ field, column, fromSql }) => {
      return [field, fromSql((row as Row)[column] as SqlValue)];
    });
    return Object.fromEntries(values) as R;
  };
  const insert = `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
  return {
    name,
    key: keyColumns,
    columns: all,
    insert,
    upsert: `${insert} ON CONFLICT (${keyColumns.join(', ')}) DO UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    update: `UPDATE ${name} SET ${rest.map((column) => `${column} = ?`).join(', ')}`,
    fields: fields.join(', '),
    select: (rest) => `SELECT ${fields.join(', ')} FROM ${name} ${rest}`,
    toValues,
    toChanges: (record) => toValues(record).filter((_, number) => !isOfKey[number]),
    toRecord,
    toRecordOrNull: (row) => (row === undefined ? null : toRecord(row)),
  };
}

function toSnakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
