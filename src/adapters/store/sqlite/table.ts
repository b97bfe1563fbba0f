import type { Field, RecordDescription, StoreCollection } from '#ports/store/store';
import { fieldsOfRecord, longLivedRecords } from '#ports/store/store';

/** A value for the driver. It is never a boolean, which would end the process (libsql 0.5). */
export type SqlValue = string | number | null | Buffer;
type Row = Readonly<Record<string, SqlValue | Uint8Array>>;

interface Column {
  readonly field: string;
  readonly name: string;
  readonly definition: string;
  /** The value in records stored before this column existed; absent for a required one. */
  readonly initial?: SqlValue;
  toSql(value: unknown): SqlValue;
  fromSql(stored: SqlValue | Uint8Array | undefined): unknown;
}

export type Table<R> = ReturnType<typeof makeTable<R>>;

const tables = new WeakMap<object, Table<never>>();

/** The table of a description, made once. */
export function tableOf<R>(description: RecordDescription<R>): Table<R> {
  const table = tables.get(description) ?? (makeTable(description) as unknown as Table<never>);
  tables.set(description, table);
  return table as unknown as Table<R>;
}

export const longLivedTable = (collection: StoreCollection): Table<Record<string, unknown>> =>
  tableOf(longLivedRecords[collection]);

function makeTable<R>(description: RecordDescription<R>) {
  const name = toSnakeCase(description.name);
  const columns = fieldsOfRecord(description).map(([field, options]) => makeTableColumn(name, field, options));
  const byField = new Map(columns.map((column) => [column.field, column]));
  const names = new Map([
    ...columns.map(({ field, name: column }) => [field, column] as const),
    ...Object.keys(description.derived).map((part) => [`derived.${part}`, derivedTableColumn(part)] as const),
  ]);
  const derived = Object.entries(description.derived).filter(([, { in: store }]) => store !== 'mongo');
  const toRecord = (row: unknown) =>
    Object.fromEntries(columns.map(({ field, name: column, fromSql }) => [field, fromSql((row as Row)[column])])) as R;
  return {
    name,
    description,
    key: description.key.map(toSnakeCase),
    /** The columns of fields, which those of derived fields follow in rows. */
    columns,
    /** Every column, in the order of `toValues`. */
    all: [...columns.map((column) => column.name), ...derived.map(([part]) => derivedTableColumn(part))],
    partial: description.indexes.filter(({ only }) => only !== undefined),
    fields: columns.map((column) => column.name).join(', '),
    toValues: (record: R): SqlValue[] => [
      ...columns.map(({ field, toSql }) => toSql((record as Record<string, unknown>)[field])),
      ...derived.map(([, { of }]) => of(record)),
    ],
    toRecord,
    toRecordOrNull: (row: unknown): R | null => (row === undefined ? null : toRecord(row)),
    columnOf(field: string): string {
      const column = names.get(field);
      if (column === undefined) throw new TypeError(`There is no field ${field} in ${name}`);
      return column;
    },
    toSql: (field: string, value: unknown): SqlValue => byField.get(field)?.toSql(value) ?? (value as SqlValue),
  };
}

const sqlTypes = {
  text: 'TEXT',
  integer: 'INTEGER',
  flag: 'INTEGER',
  /** Milliseconds since 1970. */
  instant: 'INTEGER',
  json: 'TEXT',
  texts: 'TEXT',
  tenants: 'TEXT',
  bytes: 'BLOB',
} as const;

function makeTableColumn(table: string, field: string, options: Field<unknown>): Column {
  const { type, isNullable, references, encode, decode } = options;
  const name = toSnakeCase(field);
  const toSql = (value: unknown) => {
    const encoded = value === null || encode === undefined ? value : encode(value);
    return checkTableValue(`${table}.${name}`, isNullable && encoded === null ? null : encodeTableValue(type, encoded));
  };
  const reference =
    references === undefined
      ? ''
      : ` REFERENCES ${toSnakeCase(references.record)} (id)${references.isCascading ? ' ON DELETE CASCADE' : ''}`;
  return {
    field,
    name,
    definition: `${name} ${sqlTypes[type]}${isNullable ? '' : ' NOT NULL'}${reference}`,
    ...('initial' in options && { initial: toSql(options.initial) }),
    toSql,
    fromSql(stored) {
      if (stored === null) return null;
      return decode === undefined ? decodeTableValue(type, stored) : decode(stored as string);
    },
  };
}

function encodeTableValue(type: Field<unknown>['type'], value: unknown): unknown {
  if (type === 'instant') return (value as Date).getTime();
  if (type === 'flag' && typeof value === 'boolean') return value ? 1 : 0;
  if (type === 'texts' || type === 'tenants') return JSON.stringify(value);
  // The driver accepts bytes only as Buffers.
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}

function decodeTableValue(type: Field<unknown>['type'], stored: unknown): unknown {
  if (type === 'instant') return new Date(stored as number);
  if (type === 'flag') return stored === 1;
  return type === 'texts' || type === 'tenants' ? JSON.parse(stored as string) : stored;
}

/** Refuses values that the driver would misinterpret: a boolean ends the process, and NaN and
 *  undefined become NULL. Types do not guarantee the values of copied records. */
function checkTableValue(column: string, value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || Number.isFinite(value) || Buffer.isBuffer(value))
    return value as SqlValue;
  throw new TypeError(`The column ${column} cannot hold ${String(value)}`);
}

const derivedTableColumn = (part: string) => `derived_${toSnakeCase(part)}`;
const toSnakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
