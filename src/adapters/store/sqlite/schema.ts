import Database from 'libsql';
import { SCHEMA_VERSION, type SchemaState, storeRecords } from '#ports/store/store';
import { createDatabaseUnavailableError, readDatabaseVersion } from './database.ts';
import { type SqlValue, type Table, tableOf } from './table.ts';
import { toOnly, toWhereIndexColumns } from './where.ts';

type Plain = Record<string, unknown>;
const tables = storeRecords.map(tableOf);
/** The oldest supported schema: that of the last version in development. */
const OLDEST = 14;
const renamed = { audit_entries: 'audit', usage_counts: 'usage' };

/** Brings a database up to date in a transaction, as another process may start on the file. */
export function migrate(database: Database.Database): void {
  const applied = readDatabaseVersion(database);
  if (applied > SCHEMA_VERSION) throw new Error('it was made by a newer version of Skilldock');
  if (applied === SCHEMA_VERSION) return;
  if (applied > 0 && applied < OLDEST)
    throw new Error('it was made in development, by a version that was never released; begin with a new one');
  // A replaced table would remove rows that refer to it. Not possible within a transaction.
  const [{ foreign_keys: isEnforced }] = database.pragma('foreign_keys') as [{ foreign_keys: number }];
  database.pragma('foreign_keys = OFF');
  try {
    database.transaction(() => bringUpToDate(database)).immediate();
  } finally {
    if (isEnforced === 1) database.pragma('foreign_keys = ON');
  }
}

function bringUpToDate(database: Database.Database): void {
  const applied = readDatabaseVersion(database);
  if (applied === SCHEMA_VERSION) return;
  const listed = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL`;
  const before = database.prepare(listed).all() as { type: string; name: string; sql: string }[];
  // A database of another program may have such a version by chance.
  if (applied > 0 && !before.some(({ name }) => name === 'tenants')) throw new Error('no such table: tenants');
  for (const { type, name } of before) if (type === 'index') database.exec(`DROP INDEX ${name}`);
  const existing = new Map(before.filter(({ type }) => type === 'table').map(({ name, sql }) => [name, sql]));
  for (const [old, name] of Object.entries(renamed)) {
    const sql = existing.get(old);
    if (sql === undefined) continue;
    database.exec(`ALTER TABLE ${old} RENAME TO ${name}`);
    existing.set(name, sql);
  }
  for (const table of tables) {
    const sql = existing.get(table.name)?.replaceAll('"', '');
    if (sql === undefined) database.exec(createSchemaTable(table));
    else if (sql !== createSchemaTable(table)) rebuildSchemaTable(database, table);
    for (const statement of createSchemaIndexes(table)) database.exec(statement);
  }
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

function createSchemaTable({ columns, all, name, key, description }: Table<Plain>, tableName = name): string {
  const derived = all.slice(columns.length).map((column) => `${column} TEXT`);
  const definitions = [...columns.map(({ definition }) => definition), ...derived];
  const options = description.hasShortRows ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return `CREATE TABLE ${tableName} (${definitions.join(', ')}, PRIMARY KEY (${key.join(', ')})) ${options}`;
}

/** Rebuilds a table by its current description. New fields get their initial value. */
function rebuildSchemaTable(database: Database.Database, table: Table<Plain>): void {
  const { name, columns, all } = table;
  database.exec(createSchemaTable(table, `new_${name}`));
  const insert = database.prepare(`INSERT INTO new_${name} VALUES (${all.map(() => '?').join(', ')})`);
  const initial = Object.fromEntries(columns.map((column) => [column.name, column.initial]));
  for (const row of database.prepare(`SELECT * FROM ${name}`).iterate()) {
    const whole = { ...initial, ...(row as Record<string, SqlValue>) };
    insert.run(table.toValues(table.toRecord(whole)));
  }
  database.exec(`DROP TABLE ${name}; ALTER TABLE new_${name} RENAME TO ${name};`);
}

/** Writes the indexes of the description, and those for removing tenants and expired records. */
function createSchemaIndexes(table: Table<Plain>): string[] {
  const { name, key, description } = table;
  const indexes = description.indexes
    .filter((index) => index.in !== 'mongo')
    .map((index) => ({ ...index, columns: toWhereIndexColumns(table, index) }));
  const whole = indexes.filter(({ only }) => only === undefined);
  const firstColumns = new Set([key[0], ...whole.map(({ columns }) => columns[0])]);
  const searchedFields = [description.expiry, 'tenantId' in description.fields ? 'tenantId' : null];
  const extraIndexes = searchedFields
    .flatMap((field) => (field === null ? [] : table.columnOf(field)))
    .filter((column) => !firstColumns.has(column))
    .map((column): (typeof indexes)[number] => ({ fields: [], columns: [column] }));
  return [...indexes, ...extraIndexes].map((index) => {
    const { columns, only, isUnique } = index;
    const state = only === undefined ? [] : [only.is ?? `not_${only.isNot}`];
    const indexName = [name, 'by', ...columns, ...state].join('_').replaceAll(' DESC', '_desc');
    const where = only === undefined ? '' : ` WHERE ${toOnly(index)}`;
    return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${indexName} ON ${name} (${columns.join(', ')})${where}`;
  });
}

/** Reads the state without changing it. Errors: STORE_UNAVAILABLE, also for a damaged file. */
export function readSchemaState(path: string): SchemaState {
  return querySchemaOfFile(path, (database) => {
    const [result] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (result?.quick_check !== 'ok') throw new Error(result?.quick_check);
    const applied = readDatabaseVersion(database);
    return { applied, current: SCHEMA_VERSION, isTooNew: applied > SCHEMA_VERSION };
  });
}

/** Whether nothing is stored yet. Errors: STORE_UNAVAILABLE, also if the file is no database. */
export const isDatabaseEmpty = (path: string): boolean =>
  querySchemaOfFile(path, (database) => readDatabaseVersion(database) === 0);

function querySchemaOfFile<T>(path: string, query: (database: Database.Database) => T): T {
  try {
    const database = new Database(path, { readonly: true, timeout: 5000 });
    try {
      return query(database);
    } finally {
      database.close();
    }
  } catch (cause) {
    throw createDatabaseUnavailableError(path, cause);
  }
}
