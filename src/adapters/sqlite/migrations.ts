import type Database from 'libsql';

/** Changes of the schema in order; the number of those applied is the database's `user_version`. Never edit one that was
 *  released: add another. Instants are milliseconds since 1970. */
const migrations: readonly string[] = [
  `CREATE TABLE feedback (
     id TEXT PRIMARY KEY,
     url TEXT NOT NULL,
     comment TEXT,
     request_id TEXT NOT NULL,
     email TEXT NOT NULL,
     source TEXT NOT NULL,
     received_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX feedback_by_time ON feedback (received_at DESC, id);
   CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     key_hash TEXT NOT NULL UNIQUE,
     scopes TEXT NOT NULL,
     per_second INTEGER NOT NULL,
     per_day INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT;`,
];

/** Bring the schema up to date, all steps with their number in one transaction. The number is read once more within it:
 *  another process may be starting on the same file. */
export function migrate(database: Database.Database): void {
  const applied = userVersion(database);
  if (applied > migrations.length) throw new Error('it was made by a newer version of Skilldock');
  if (applied === migrations.length) return;
  database
    .transaction(() => {
      for (const sql of migrations.slice(userVersion(database))) database.exec(sql);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function userVersion(database: Database.Database): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
