import type Database from 'libsql';
import type { FeedbackRepository } from '../../../../ports/store/store.ts';
import { createLeaseQueue, isFree, lease } from '../lease-queue.ts';
import { joinListConditions, matchListScope, matchListValue } from '../list-page.ts';
import { countFeedbackTableRows, feedback, undelivered } from './feedback-table.ts';

type FeedbackQueue = Pick<
  FeedbackRepository,
  | 'claimDueFeedback'
  | 'claimFeedback'
  | 'settleFeedback'
  | 'requeueParked'
  | 'mendFeedbackTimes'
  | 'findNextDue'
>;

export function createFeedbackQueue(database: Database.Database): FeedbackQueue {
  const queue = createLeaseQueue(database, feedback, 'tenant_id');
  const claimOne = database.prepare(
    `UPDATE feedback ${lease}, state = 'waiting', failures = 0 WHERE id = :id AND state <> 'delivered' AND ${isFree}
     RETURNING ${feedback.fields}`,
  );
  const settle = database.prepare(
    `UPDATE feedback SET state = ?, failures = ?, due_at = ?, last_error = ?, leased_until = NULL
     WHERE state = 'waiting' AND id = ? AND attempts = ?`,
  );
  return {
    claimDueFeedback: async (now, leasedUntil, busy = []) => queue.claimDue(now, leasedUntil, busy),
    claimFeedback: async (id, now, leasedUntil) =>
      feedback.toRecordOrNull(claimOne.get({ id, now: now.getTime(), lease: leasedUntil.getTime() })),
    settleFeedback: async (id, attempts, { state, failures, dueAt, lastError }) =>
      settle.run([state, failures, dueAt.getTime(), lastError, id, attempts]).changes > 0,
    async requeueParked(scope, now) {
      const { sql, values } = joinListConditions([
        ...matchListValue('state', 'parked'),
        undelivered,
        ...matchListScope(scope),
      ]);
      const requeue = `UPDATE feedback SET state = 'waiting', due_at = ?, failures = 0 ${sql} RETURNING tenant_id`;
      return countFeedbackTableRows(database.prepare(requeue).all([now.getTime(), ...values]));
    },
    mendFeedbackTimes: async (now, latest) => queue.mendTimes(now, latest),
    findNextDue: async (busy = []) => queue.findNextDue(busy),
  };
}
