import type Database from 'libsql';
import type { TenantScope } from '../../../domain/admin.ts';
import { foldText } from '../../../domain/text.ts';
import type { Page, PageRequest, Period } from '../../../ports/store/store.ts';
import type { SqlValue } from './columns.ts';
import type { Table } from './table.ts';

/** A part of a WHERE with its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Rows of these tenants; every row where the scope is null. */
export function matchListScope(scope: TenantScope, column = 'tenant_id'): Condition[] {
  if (scope === null) return [];
  // By far the most common scope, and the only one whose rows an index has in the order of time.
  if (scope.length === 1) return [{ sql: `${column} = ?`, values: [...scope] }];
  return [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(scope)] }];
}

/** Rows with this value; every row where it is null. */
export function matchListValue(column: string, value: string | null): Condition[] {
  return value === null ? [] : [{ sql: `${column} = ?`, values: [value] }];
}

export function matchListPeriod(column: string, { from, until }: Period): Condition[] {
  const begin = from === null ? [] : [{ sql: `${column} >= ?`, values: [from.getTime()] }];
  return until === null ? begin : [...begin, { sql: `${column} < ?`, values: [until.getTime()] }];
}

/** Rows whose folded column contains the text as it stands; instr, because LIKE would give `%` and `_` a meaning. */
export function matchListText(column: string, search: string): Condition[] {
  return search === '' ? [] : [{ sql: `instr(${column}, ?) > 0`, values: [foldText(search)] }];
}

export function joinListConditions(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '', values: [] };
  return {
    sql: `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Missing values come last in both directions; ties in the order of the ids. */
export function orderListBy(column: string, descending: boolean): string {
  return `ORDER BY ${column} ${descending ? 'DESC' : 'ASC'} NULLS LAST, id`;
}

interface List {
  readonly conditions: readonly Condition[];
  /** As `orderListBy` writes it. */
  readonly order: string;
  readonly page: PageRequest;
}

/** One page and the total, both at one moment: another process may be writing. */
export function listPage<R>(database: Database.Database, table: Table<R>, list: List): Page<R> {
  const { sql, values } = joinListConditions(list.conditions);
  const { page, pageSize } = list.page;
  const rows = database.prepare(table.select(`${sql} ${list.order} LIMIT ? OFFSET ?`));
  const count = database.prepare(`SELECT COUNT(*) AS total FROM ${table.name} ${sql}`);
  return database.transaction(() => ({
    items: rows.all([...values, pageSize, page * pageSize]).map(table.toRecord),
    total: (count.get([...values]) as { total: number }).total,
  }))();
}
