import type Database from 'libsql';

/** Called whenever something short-lived is used, with the clock of the caller where he tells it; else the latest one counts. */
export type Tidy = (now?: Date) => void;

const CALLS_BETWEEN = 256;
/** More than can be added between two rounds, so that the rest of a busy day goes away too. */
const ROWS_AT_ONCE = 1_024;
/** The clocks of other hosts may be behind. */
const GRACE_MS = 3_600_000;

/** Deletes expired rows now and then: often enough that they do not pile up, few enough that nobody waits for it. What has
 *  expired is not found anyway; this only gives back the room. */
export function createTidy(database: Database.Database): Tidy {
  const deletions = (
    [
      ['rate_windows', 'name'],
      ['nonces', 'nonce'],
      ['answers', 'id'],
      ['admin_links', 'id'],
      ['admin_sessions', 'id'],
    ] as const
  ).map(([table, key]) =>
    database.prepare(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE expires_at <= ? LIMIT ${ROWS_AT_ONCE})`,
    ),
  );
  let calls = 0;
  let latestMs = 0;
  return (now) => {
    latestMs = now?.getTime() ?? latestMs;
    calls += 1;
    if (calls % CALLS_BETWEEN !== 0) return;
    for (const deletion of deletions) deletion.run(latestMs - GRACE_MS);
  };
}
