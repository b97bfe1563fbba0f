import type Database from 'libsql';
import type { FeedbackRepository } from '../../ports/store.ts';
import { feedback, undelivered } from './feedback-table.ts';
import { equalTo, inScope, where } from './list-page.ts';
import { countTenants } from './tenant-counts.ts';

type FeedbackQueue = Pick<
  FeedbackRepository,
  | 'claimDueFeedback'
  | 'claimFeedback'
  | 'settleFeedback'
  | 'requeueParked'
  | 'mendFeedbackTimes'
  | 'findNextDue'
>;

/** Tenants with waiting feedback: steps from one to the next in the index, so that it costs what the tenants are, not what
 *  the feedback is, however much of it waits for one slow service. */
const waitingTenants = `
  WITH RECURSIVE every (name) AS (
    SELECT min(tenant_id) FROM feedback WHERE state = 'waiting'
    UNION ALL
    SELECT (SELECT min(tenant_id) FROM feedback WHERE state = 'waiting' AND tenant_id > name)
    FROM every WHERE name IS NOT NULL),
  tenant (name) AS (SELECT name FROM every WHERE name NOT IN (SELECT value FROM json_each(:busy)))`;

const free = '(leased_until IS NULL OR leased_until <= :now)';

const firstDue = `${waitingTenants}
  SELECT first.id FROM tenant JOIN feedback AS first ON first.id = (
    SELECT id FROM feedback WHERE state = 'waiting' AND tenant_id = tenant.name AND due_at <= :now AND ${free}
    ORDER BY due_at, id LIMIT 1)
  ORDER BY first.due_at, first.id LIMIT 1`;

const nextDue = `${waitingTenants}
  SELECT min(due_at) AS due FROM (
    SELECT (SELECT due_at FROM feedback WHERE state = 'waiting' AND tenant_id = tenant.name AND leased_until IS NULL
            ORDER BY due_at LIMIT 1) AS due_at FROM tenant)`;

export function createFeedbackQueue(database: Database.Database): FeedbackQueue {
  const claim = 'UPDATE feedback SET leased_until = :lease, attempts = attempts + 1';
  const claimDue = database.prepare(`${claim} WHERE id = (${firstDue}) RETURNING ${feedback.fields}`);
  const claimOne = database.prepare(
    `${claim}, state = 'waiting', failures = 0 WHERE id = :id AND state <> 'delivered' AND ${free}
     RETURNING ${feedback.fields}`,
  );
  const settle = database.prepare(
    `UPDATE feedback SET state = ?, failures = ?, due_at = ?, last_error = ?, leased_until = NULL
     WHERE state = 'waiting' AND id = ? AND attempts = ?`,
  );
  const mend = database.prepare(
    `UPDATE feedback SET due_at = min(due_at, :now), leased_until = NULL
     WHERE state = 'waiting' AND (due_at > :due OR leased_until > :lease)`,
  );
  const findNext = database.prepare(nextDue);
  return {
    claimDueFeedback: async (now, leasedUntil, busy = []) =>
      feedback.toRecordOrNull(
        claimDue.get({ now: now.getTime(), lease: leasedUntil.getTime(), busy: JSON.stringify(busy) }),
      ),
    claimFeedback: async (id, now, leasedUntil) =>
      feedback.toRecordOrNull(claimOne.get({ id, now: now.getTime(), lease: leasedUntil.getTime() })),
    settleFeedback: async (id, attempts, { state, failures, dueAt, lastError }) =>
      settle.run([state, failures, dueAt.getTime(), lastError, id, attempts]).changes > 0,
    async requeueParked(scope, now) {
      const { sql, values } = where([...equalTo('state', 'parked'), undelivered, ...inScope(scope)]);
      const requeue = `UPDATE feedback SET state = 'waiting', due_at = ?, failures = 0 ${sql} RETURNING tenant_id`;
      return countTenants(database.prepare(requeue).all([now.getTime(), ...values]));
    },
    mendFeedbackTimes: async (now, { latestDue, latestLease }) =>
      mend.run({ now: now.getTime(), due: latestDue.getTime(), lease: latestLease.getTime() }).changes,
    async findNextDue(busy = []) {
      const { due } = findNext.get({ busy: JSON.stringify(busy) }) as { due: number | null };
      return due === null ? null : new Date(due);
    },
  };
}
