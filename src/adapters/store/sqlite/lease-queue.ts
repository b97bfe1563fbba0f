import type Database from 'libsql';
import type { Delivery, DeliveryQueue, RecordDescription } from '#ports/store/store';
import { prepareLater } from './database.ts';
import { tableOf } from './table.ts';

/** Claims due records of a table one by one, each under a lease, by the index `deliveryIndexes`. */
export function createLeaseQueue<R extends Delivery>(
  database: Database.Database,
  description: RecordDescription<R>,
  lane: keyof R & string,
): DeliveryQueue<R> {
  const table = tableOf(description);
  const column = table.columnOf(lane);
  const claim = prepareLater(
    database,
    `UPDATE ${table.name} SET leased_until = :lease, attempts = attempts + 1
     WHERE id = (${selectFirstDueInQueue(table.name, column)}) RETURNING ${table.fields}`,
  );
  const findNext = prepareLater(database, selectNextDueInQueue(table.name, column));
  const correct = prepareLater(
    database,
    `UPDATE ${table.name} SET due_at = min(due_at, :now), leased_until = NULL
     WHERE state = 'waiting' AND (due_at > :due OR leased_until > :lease)`,
  );
  return {
    claimDue: async (now, leasedUntil, busy = []) =>
      table.toRecordOrNull(claim.get({ now: now.getTime(), lease: leasedUntil.getTime(), busy: JSON.stringify(busy) })),
    async findNextDue(busy = []) {
      const { due } = findNext.get({ busy: JSON.stringify(busy) }) as { due: number | null };
      return due === null ? null : new Date(due);
    },
    correctTimes: async (now, { latestDue, latestLease }) =>
      correct.run({ now: now.getTime(), due: latestDue.getTime(), lease: latestLease.getTime() }).changes,
  };
}

/** Selects free lanes by steps in the index, so that the cost grows with the number of lanes. */
function selectQueueLanes(table: string, lane: string): string {
  return `
  WITH RECURSIVE every (name) AS (
    SELECT min(${lane}) FROM ${table} WHERE state = 'waiting'
    UNION ALL
    SELECT (SELECT min(${lane}) FROM ${table} WHERE state = 'waiting' AND ${lane} > name)
    FROM every WHERE name IS NOT NULL),
  lane (name) AS (SELECT name FROM every WHERE name NOT IN (SELECT value FROM json_each(:busy)))`;
}

function selectFirstDueInQueue(table: string, lane: string): string {
  return `${selectQueueLanes(table, lane)}
  SELECT first.id FROM lane JOIN ${table} AS first ON first.id = (
    SELECT id FROM ${table} WHERE state = 'waiting' AND ${lane} = lane.name AND due_at <= :now
      AND (leased_until IS NULL OR leased_until <= :now)
    ORDER BY due_at, id LIMIT 1)
  ORDER BY first.due_at, first.id LIMIT 1`;
}

function selectNextDueInQueue(table: string, lane: string): string {
  return `${selectQueueLanes(table, lane)}
  SELECT min(due_at) AS due FROM (
    SELECT (SELECT due_at FROM ${table} WHERE state = 'waiting' AND ${lane} = lane.name AND leased_until IS NULL
            ORDER BY due_at LIMIT 1) AS due_at FROM lane)`;
}
