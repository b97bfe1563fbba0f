import { hasRecordTies, type Index, isRecordTest, KEY, type Order, type Test, type Where } from '#ports/store/store';
import type { SqlValue, Table } from './table.ts';

export type Sql = { readonly sql: string; readonly values: readonly SqlValue[] };

/** Characters that sort after any that people or hosts use. */
const LAST_CHARACTERS = '\u{10FFFF}'.repeat(2);

/** Writes the clause of a condition, which is empty if every record matches.
 *  @param further conditions that have to be met as well */
export function toWhere<R>(table: Table<R>, where: Where<R> = {}, further: readonly Sql[] = []): Sql {
  const parts = [...listWhereConditions(table, where), ...further];
  if (parts.length === 0) return { sql: '', values: [] };
  const { sql, values } = joinSqlConditions(parts);
  return { sql: `WHERE ${sql}`, values };
}

function listWhereConditions<R>(table: Table<R>, where: Where<R>): Sql[] {
  const tested = Object.entries(where).filter(([, value]) => value !== undefined);
  const conditions = tested.map(([field, value]): Sql => {
    const column = table.columnOf(field);
    if (!isRecordTest(value)) return writeEquality(column, table.toSql(field, value));
    return toWhereCondition(column, value, (operand) => table.toSql(field, operand));
  });
  // Redundant, but lets a partial index be used.
  if (table.partial.length === 0) return conditions;
  const only = table.partial.filter((index) => isImpliedByWhere(index, where)).map(toOnly);
  return [...conditions, ...[...new Set(only)].map((sql) => ({ sql, values: [] }))];
}

const writeEquality = (column: string, value: SqlValue): Sql =>
  value === null ? { sql: `${column} IS NULL`, values: [] } : { sql: `${column} = ?`, values: [value] };

function toWhereCondition(column: string, test: Test, toSql: (operand: unknown) => SqlValue): Sql {
  const { is, value } = test;
  switch (is) {
    case 'and':
      return joinSqlConditions(value.map((each) => toWhereCondition(column, each, toSql)));
    case 'or null': {
      const { sql, values } = toWhereCondition(column, value, toSql);
      return { sql: `(${column} IS NULL OR ${sql})`, values };
    }
    case 'not':
      return value === null
        ? { sql: `${column} IS NOT NULL`, values: [] }
        : { sql: `${column} IS NOT ?`, values: [toSql(value)] };
    case 'in':
    case 'not in':
      return toWhereListCondition(column, is, (value as readonly string[]).map(toSql));
    case 'begins':
      return toWhereBeginning(column, value as string);
    case 'begins not':
      return { sql: `instr(${column}, ?) <> 1`, values: [value as string] };
    case 'contains':
      // LIKE would give `%` and `_` a meaning.
      return { sql: `instr(${column}, ?) > 0`, values: [value as string] };
    default:
      return { sql: `${column} ${is} ?`, values: [toSql(value)] };
  }
}

function joinSqlConditions(parts: readonly Sql[]): Sql {
  return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** Writes a list as JSON. A single value is an equality, for which an index has rows in order. */
function toWhereListCondition(column: string, is: 'in' | 'not in', list: readonly SqlValue[]): Sql {
  const [only] = list;
  if (is === 'in' && list.length === 1 && only !== undefined) return writeEquality(column, only);
  const operator = is === 'in' ? 'IN' : 'NOT IN';
  return { sql: `${column} ${operator} (SELECT value FROM json_each(?))`, values: [JSON.stringify(list)] };
}

/** Bounds the range by the first and last condition; the other one compares exact characters. */
function toWhereBeginning(column: string, prefix: string): Sql {
  if (prefix === '') return { sql: 'TRUE', values: [] };
  return {
    sql: `${column} >= ? AND instr(${column}, ?) = 1 AND ${column} <= ?`,
    values: [prefix, prefix, `${prefix}${LAST_CHARACTERS}`],
  };
}

function isImpliedByWhere<R>({ only }: Index<R>, where: Where<R>): boolean {
  const value = only && (where as Readonly<Record<string, unknown>>)[only.field];
  const values = isRecordTest(value) && value.is === 'in' ? (value.value as readonly string[]) : [value];
  return values.every(
    (each) =>
      typeof each === 'string' &&
      (only?.is === undefined || each === only.is) &&
      (only?.isNot === undefined || each !== only.isNot),
  );
}

/** Writes the condition of a partial index as the index has it. Values are names of states. */
export function toOnly<R>({ only }: Index<R>): string {
  if (only === undefined) return '';
  return only.is === undefined ? `${only.field} <> '${only.isNot}'` : `${only.field} = '${only.is}'`;
}

/** Writes an order. Missing values come last both ways, and ties in the order of the keys. */
export function toOrder<R>(table: Table<R>, order: Order<R> = []): string {
  const parts = order.map((each) => {
    const [field, direction] = each.startsWith('-') ? [each.slice(1), ' DESC'] : [each, ''];
    const isNullable = table.description.fields[field as keyof R]?.isNullable ?? false;
    return `${table.columnOf(field)}${direction}${isNullable ? ' NULLS LAST' : ''}`;
  });
  const named = new Set(order.map((each) => table.columnOf(each.replace(/^-/, ''))));
  const ties = hasRecordTies(table.description, order) ? table.key.filter((column) => !named.has(column)) : [];
  return `ORDER BY ${[...parts, ...ties].join(', ')}`;
}

/** Writes a condition for the records after a record in the order. */
export function toWhereAfter<R>(
  table: Table<R>,
  after: Partial<R>,
  { where = {}, order: [first] = [] }: { readonly where?: Where<R>; readonly order?: Order<R> },
): Sql {
  // A field that the condition fixes to one value does not affect the order.
  const isFixed = (field: keyof R & string) => {
    const value = (where as Readonly<Record<string, unknown>>)[field];
    return value !== undefined && !isRecordTest(value);
  };
  const key = table.description.key.filter((field) => !isFixed(field));
  const later = writeWhereComparison(
    key.map((field) => table.columnOf(field)),
    key.map((field) => table.toSql(field, after[field])),
  );
  if (first === undefined) return later;
  const field = first.replace(/^-/, '') as keyof R & string;
  const column = table.columnOf(field);
  const value = table.toSql(field, after[field]);
  const operator = first.startsWith('-') ? '<' : '>';
  // The first condition is redundant, but lets the search begin at the right place in the index.
  return {
    sql: `${column} ${operator}= ? AND (${column} ${operator} ? OR ${later.sql})`,
    values: [value, value, ...later.values],
  };
}

function writeWhereComparison(columns: readonly string[], values: readonly SqlValue[]): Sql {
  if (columns.length === 1) return { sql: `${columns[0]} > ?`, values };
  return { sql: `(${columns.join(', ')}) > (${values.map(() => '?').join(', ')})`, values };
}

/** Writes the columns of an index, with those of the key for `KEY`. */
export function toWhereIndexColumns<R>(table: Table<R>, { fields }: Index<R>): string[] {
  const named = fields.map((field) => field.replace(/^-/, ''));
  return fields.flatMap((field) => {
    if (field === KEY) return table.description.key.filter((part) => !named.includes(part)).map(table.columnOf);
    return field.startsWith('-') ? `${table.columnOf(field.slice(1))} DESC` : table.columnOf(field);
  });
}
