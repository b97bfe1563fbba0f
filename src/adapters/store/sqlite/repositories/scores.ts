import type Database from 'libsql';
import type { ScoreCounts, ScoreRecord, ScoreRepository } from '../../../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from '../columns.ts';
import { countRow } from '../database.ts';
import { createLeaseQueue } from '../lease-queue.ts';
import { defineTable } from '../table.ts';

export const scores = defineTable<ScoreRecord>('scores', {
  columns: {
    id: text(),
    tenantId: text(),
    registrationId: text(),
    linkId: text(),
    userId: text(),
    lineItem: text(),
    newLineItem: nullable(json()),
    points: integer,
    earnedAt: instant,
    state: text(),
    attempts: integer,
    failures: integer,
    dueAt: instant,
    leasedUntil: nullable(instant),
    lastError: nullable(text()),
  },
});

const countStates = `
  SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'parked') AS parked,
         count(*) FILTER (WHERE state = 'refused') AS refused
  FROM scores WHERE state <> 'delivered'`;

export function createScoreRepository(database: Database.Database): ScoreRepository {
  const queue = createLeaseQueue(database, scores, 'registration_id');
  // One attempt more than the replaced score had, so that a delivery of that one that is under way settles nothing. Of two
  // assignments to a column the last one counts.
  const put = database.prepare(`${scores.upsert}, attempts = scores.attempts + 1`);
  const one = database.prepare(scores.select('WHERE tenant_id = ? AND id = ?'));
  const settle = database.prepare(
    `UPDATE scores SET state = ?, failures = ?, due_at = ?, last_error = ?, earned_at = ?, leased_until = NULL
     WHERE state = 'waiting' AND id = ? AND attempts = ?`,
  );
  const count = database.prepare(`${countStates} AND tenant_id = ? AND registration_id = ?`);
  const countOfLink = database.prepare(`${countStates} AND tenant_id = ? AND link_id = ?`);
  const requeue = database.prepare(
    `UPDATE scores SET state = 'waiting', due_at = ?, failures = 0
     WHERE tenant_id = ? AND registration_id = ? AND state IN ('parked', 'refused') AND state <> 'delivered'`,
  );
  return {
    async putScore(record) {
      put.run(scores.toValues(record));
    },
    findScore: async (tenantId, id) => scores.toRecordOrNull(one.get(tenantId, id)),
    claimDueScore: async (now, leasedUntil, busy = []) => queue.claimDue(now, leasedUntil, busy),
    settleScore: async (id, attempts, { state, failures, dueAt, lastError, earnedAt }) =>
      settle.run([state, failures, dueAt.getTime(), lastError, earnedAt.getTime(), id, attempts]).changes > 0,
    findNextDueScore: async (busy = []) => queue.findNextDue(busy),
    mendScoreTimes: async (now, latest) => queue.mendTimes(now, latest),
    countUnsentScores: async (tenantId, registrationId) =>
      countRow<ScoreCounts>(count, tenantId, registrationId),
    countUnsentScoresOfLink: async (tenantId, linkId) => countRow<ScoreCounts>(countOfLink, tenantId, linkId),
    requeueScores: async (tenantId, registrationId, now) =>
      requeue.run(now.getTime(), tenantId, registrationId).changes,
  };
}
