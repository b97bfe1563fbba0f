import type Database from 'libsql';
import type { LatestTimes } from '../../../ports/store/store.ts';
import type { Table } from './table.ts';

/** The columns of a table of deliveries. */
interface Deliverable {
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly leasedUntil: Date | null;
}

/** Takes what is due from a table, one record at a time, under a lease during which nobody else takes it. */
export interface LeaseQueue<R> {
  /** The longest due, ties in the order of the ids. */
  claimDue(now: Date, leasedUntil: Date, busy: readonly string[]): R | null;
  findNextDue(busy: readonly string[]): Date | null;
  /** @returns how many records were changed */
  mendTimes(now: Date, latest: LatestTimes): number;
}

/** Not leased at `:now`. */
export const isFree = '(leased_until IS NULL OR leased_until <= :now)';

/** For a claim, before a WHERE. */
export const lease = 'SET leased_until = :lease, attempts = attempts + 1';

/** @param lane column of what may be busy; the table needs an index of it with `due_at`, `id` and `leased_until`, for what
 *  is waiting */
export function createLeaseQueue<R extends Deliverable>(
  database: Database.Database,
  table: Table<R>,
  lane: string,
): LeaseQueue<R> {
  const claim = database.prepare(
    `UPDATE ${table.name} ${lease} WHERE id = (${selectFirstDue(table.name, lane)}) RETURNING ${table.fields}`,
  );
  const findNext = database.prepare(selectNextDue(table.name, lane));
  const mend = database.prepare(
    `UPDATE ${table.name} SET due_at = min(due_at, :now), leased_until = NULL
     WHERE state = 'waiting' AND (due_at > :due OR leased_until > :lease)`,
  );
  return {
    claimDue: (now, leasedUntil, busy) =>
      table.toRecordOrNull(
        claim.get({ now: now.getTime(), lease: leasedUntil.getTime(), busy: JSON.stringify(busy) }),
      ),
    findNextDue(busy) {
      const { due } = findNext.get({ busy: JSON.stringify(busy) }) as { due: number | null };
      return due === null ? null : new Date(due);
    },
    mendTimes: (now, { latestDue, latestLease }) =>
      mend.run({ now: now.getTime(), due: latestDue.getTime(), lease: latestLease.getTime() }).changes,
  };
}

/** Lanes in which something waits, except the busy ones. Steps from one to the next in the index, so that the cost grows with the
 *  lanes, not with what waits in them. */
function selectLanes(table: string, lane: string): string {
  return `
  WITH RECURSIVE every (name) AS (
    SELECT min(${lane}) FROM ${table} WHERE state = 'waiting'
    UNION ALL
    SELECT (SELECT min(${lane}) FROM ${table} WHERE state = 'waiting' AND ${lane} > name)
    FROM every WHERE name IS NOT NULL),
  lane (name) AS (SELECT name FROM every WHERE name NOT IN (SELECT value FROM json_each(:busy)))`;
}

function selectFirstDue(table: string, lane: string): string {
  return `${selectLanes(table, lane)}
  SELECT first.id FROM lane JOIN ${table} AS first ON first.id = (
    SELECT id FROM ${table} WHERE state = 'waiting' AND ${lane} = lane.name AND due_at <= :now AND ${isFree}
    ORDER BY due_at, id LIMIT 1)
  ORDER BY first.due_at, first.id LIMIT 1`;
}

function selectNextDue(table: string, lane: string): string {
  return `${selectLanes(table, lane)}
  SELECT min(due_at) AS due FROM (
    SELECT (SELECT due_at FROM ${table} WHERE state = 'waiting' AND ${lane} = lane.name AND leased_until IS NULL
            ORDER BY due_at LIMIT 1) AS due_at FROM lane)`;
}
