import type Database from 'libsql';
import type { Change, RecordDescription, Records, Sum, Where } from '#ports/store/store';
import { fieldsOfRecord, isRecordStep, isRecordTest } from '#ports/store/store';
import { type Prepare, prepareOnce, type Tidy, writeUnlessTaken } from './database.ts';
import { type SqlValue, type Table, tableOf } from './table.ts';
import { type Sql, toOrder, toWhere, toWhereAfter } from './where.ts';

export function createRecords<R extends object>(
  database: Database.Database,
  description: RecordDescription<R>,
  tidy: Tidy = () => undefined,
): Records<R> {
  const access = { database, table: tableOf(description), prepare: prepareOnce(database), tidy };
  return { ...createReads(access), ...createWrites(access) };
}

interface Access<R> {
  readonly database: Database.Database;
  readonly table: Table<R>;
  readonly prepare: Prepare;
  readonly tidy: Tidy;
}

type Reads = 'get' | 'find' | 'page' | 'count' | 'summarize' | 'distinct';

function createReads<R extends object>({ database, table, prepare, tidy }: Access<R>): Pick<Records<R>, Reads> {
  const select = `SELECT ${table.fields} FROM ${table.name}`;
  const countRecords = ({ sql, values }: Sql) =>
    (prepare(`SELECT COUNT(*) AS total FROM ${table.name} ${sql}`).all([...values])[0] as { total: number }).total;
  return {
    async get(where) {
      const { sql, values } = toWhere(table, where);
      tidyExpiredRecords(table, where, tidy);
      return table.toRecordOrNull(prepare(`${select} ${sql} LIMIT 1`).get([...values]));
    },
    async find(query = {}) {
      const { where, order, after = null, limit = -1, skip = 0 } = query;
      const { sql, values } = toWhere(table, where, after === null ? [] : [toWhereAfter(table, after, query)]);
      const rows = prepare(`${select} ${sql} ${toOrder(table, order)} LIMIT ? OFFSET ?`);
      return rows.all([...values, limit, skip]).map(table.toRecord);
    },
    async page({ where, order }, { page, pageSize }) {
      const matching = toWhere(table, where);
      const rows = prepare(`${select} ${matching.sql} ${toOrder(table, order)} LIMIT ? OFFSET ?`);
      // In one transaction: another process may be writing.
      return database.transaction(() => ({
        items: rows.all([...matching.values, pageSize, page * pageSize]).map(table.toRecord),
        total: countRecords(matching),
      }))();
    },
    count: async (where) => countRecords(toWhere(table, where)),
    async summarize(by, where, { sum, latest } = {}) {
      const { sql, values } = toWhere(table, where);
      const columns = by.map(table.columnOf);
      const sums = [
        'COUNT(*) AS "#count"',
        ...(sum === undefined ? [] : [`SUM(${table.columnOf(sum)}) AS "#sum"`]),
        ...(latest === undefined ? [] : [`MAX(${table.columnOf(latest)}) AS "#latest"`]),
      ];
      const rows = prepare(
        `SELECT ${[...columns, ...sums].join(', ')} FROM ${table.name} ${sql}
         GROUP BY ${columns.join(', ')} ORDER BY ${columns.join(', ')}`,
      );
      return (rows.all([...values]) as SqlRow[]).map(
        (row) => ({ ...toRecordGroup(table, by, row), ...toRecordSum(row) }) as never,
      );
    },
    async distinct(field, where) {
      const { sql, values } = selectDistinctRecords(table, table.columnOf(field), where);
      return (prepare(sql).all([...values]) as { each: string }[]).map(({ each }) => each);
    },
  };
}

/** Selects distinct values by steps in the index, so that the cost grows with their number. */
function selectDistinctRecords<R>(table: Table<R>, column: string, where: Where<R> | undefined): Sql {
  const { sql, values } = toWhere(table, where, [{ sql: `${column} = each`, values: [] }]);
  const steps = `WITH RECURSIVE every (each) AS (
      SELECT min(${column}) FROM ${table.name}
      UNION ALL
      SELECT (SELECT min(${column}) FROM ${table.name} WHERE ${column} > each) FROM every WHERE each IS NOT NULL)`;
  return { sql: `${steps} SELECT each FROM every WHERE EXISTS (SELECT 1 FROM ${table.name} ${sql})`, values };
}

type SqlRow = Readonly<Record<string, SqlValue>>;

function toRecordGroup<R>({ columns, columnOf }: Table<R>, by: readonly string[], row: SqlRow): object {
  const decode = (name: string, stored: SqlValue | undefined) =>
    columns.find(({ field }) => field === name)?.fromSql(stored) ?? stored;
  return Object.fromEntries(by.map((name) => [name, decode(name, row[columnOf(name)])]));
}

function toRecordSum(row: SqlRow): Sum {
  const { '#count': count, '#sum': sum = 0, '#latest': latest = null } = row;
  return {
    count: count as number,
    sum: sum as number,
    latest: latest === null ? null : new Date(latest as number),
  };
}

/** Tidies by the instant that the condition compares the expiry with. */
function tidyExpiredRecords<R>({ description: { expiry } }: Table<R>, where: Where<R>, tidy: Tidy): void {
  const running = expiry === null ? null : (where as Readonly<Record<string, unknown>>)[expiry];
  if (isRecordTest(running) && running.value instanceof Date) tidy(running.value);
}

/** Writes the statements that take the values of `toValues`. */
export function createRecordStatements<R>({ name, key, all }: Table<R>) {
  const insert = `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
  // In place, so that references to the row stay.
  const onConflict = `ON CONFLICT (${key.join(', ')}) DO UPDATE SET`;
  const changeable = all.filter((column) => !key.includes(column));
  const assignments = changeable.map((column) => `${column} = excluded.${column}`);
  return { insert, onConflict, changeable, upsert: `${insert} ${onConflict} ${assignments.join(', ')}` };
}

function createWrites<R extends object>({ database, table, prepare, tidy }: Access<R>): Omit<Records<R>, Reads> {
  const { name, key, fields, toValues } = table;
  const { insert, onConflict, changeable, upsert } = createRecordStatements(table);
  const hasParent = fieldsOfRecord(table.description).some(([, { references }]) => references?.isCascading);
  const run = ({ sql, values }: Sql) => prepare(sql).run([...values]).changes;
  const runAll = (sql: string, records: readonly R[]) => {
    const [only] = records;
    const write = (record: R) => run({ sql, values: toValues(record) });
    if (records.length === 1 && only !== undefined) write(only);
    else if (records.length > 1) database.transaction(() => records.forEach(write)).immediate();
  };
  return {
    async add(records) {
      runAll(insert, records);
    },
    async put(records) {
      runAll(upsert, records);
    },
    async putIf(record, before) {
      const values = toValues(record);
      if (table.description.expiry !== null) tidy();
      if (before === null) return writeUnlessTaken(() => run({ sql: insert, values }) === 1, { hasParent });
      const same = table.description.key.map((field) => [field, record[field]]);
      const where = toWhere(table, { ...before, ...Object.fromEntries(same) } as Where<R>);
      const sql = `UPDATE ${name} SET ${changeable.map((column) => `${column} = ?`).join(', ')} ${where.sql}`;
      const changed = values.filter((_, place) => changeable.includes(table.all[place] as string));
      return writeUnlessTaken(() => run({ sql, values: [...changed, ...where.values] }) === 1);
    },
    async addOrChange(record, change, where) {
      const set = toRecordAssignments(table, change);
      const fitting = toWhere(table, where);
      const sql = `${insert} ${onConflict} ${set.sql} ${fitting.sql}`;
      return run({ sql, values: [...toValues(record), ...set.values, ...fitting.values] }) === 1;
    },
    changeIf: async (where, change) => run(toRecordUpdate(table, where, change)),
    async changeCounting(by, where, change) {
      const { sql, values } =
        change === null ? toRecordDeletion(table, toWhere(table, where)) : toRecordUpdate(table, where, change);
      const rows = prepare(`${sql} RETURNING ${table.columnOf(by)} AS value`).all([...values]);
      return countRecordValues(rows as { readonly value: string }[]);
    },
    async take(where) {
      const { sql, values } = toRecordDeletion(table, toWhere(table, where));
      return table.toRecordOrNull(prepare(`${sql} RETURNING ${fields}`).get([...values]));
    },
    async remove(where, limit) {
      const { sql, values } = toWhere(table, where);
      if (limit === undefined) return run(toRecordDeletion(table, { sql, values }));
      const columns = key.join(', ');
      const limited = `WHERE (${columns}) IN (SELECT ${columns} FROM ${name} ${sql} LIMIT ?)`;
      return run(toRecordDeletion(table, { sql: limited, values: [...values, limit] }));
    },
  };
}

function countRecordValues(rows: readonly { readonly value: string }[]) {
  const counts = new Map<string, number>();
  for (const { value } of rows) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => (a.value < b.value ? -1 : 1));
}

const toRecordDeletion = <R>({ name }: Table<R>, { sql, values }: Sql): Sql => ({
  sql: `DELETE FROM ${name} ${sql}`,
  values,
});

function toRecordUpdate<R>(table: Table<R>, where: Where<R>, change: Change<R>): Sql {
  const set = toRecordAssignments(table, change);
  const { sql, values } = toWhere(table, where);
  return { sql: `UPDATE ${table.name} SET ${set.sql} ${sql}`, values: [...set.values, ...values] };
}

function toRecordAssignments<R>(table: Table<R>, change: Change<R>): Sql {
  const parts = Object.entries(change).map(([field, value]): Sql => {
    const column = table.columnOf(field);
    if (!isRecordStep(value)) return { sql: `${column} = ?`, values: [table.toSql(field, value)] };
    const step = table.toSql(field, value.value);
    if (value.by === 'plus') return { sql: `${column} = ${column} + ?`, values: [step] };
    return { sql: `${column} = max(${column}, ?)`, values: [step] };
  });
  return { sql: parts.map(({ sql }) => sql).join(', '), values: parts.flatMap(({ values }) => values) };
}
