import type Database from 'libsql';
import type {
  ActivityCounts,
  ActivityKey,
  ActivityRecord,
  ActivityRepository,
  VerdictCounts,
} from '../../../../ports/store/store.ts';
import { instant, nullable, text } from '../columns.ts';
import { countRow } from '../database.ts';
import { listPage } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const activity = defineTable<ActivityRecord>('activity', {
  columns: {
    tenantId: text(),
    linkId: text(),
    userId: text(),
    firstOpenedAt: instant,
    lastOpenedAt: instant,
    completedAt: nullable(instant),
    verdict: nullable(text()),
    verdictPlacementId: nullable(text()),
  },
  key: ['tenantId', 'linkId', 'userId'],
});

const ofLink = 'tenant_id = ? AND link_id = ?';

export function createActivityRepository(database: Database.Database): ActivityRepository {
  const open = database.prepare(
    `${activity.insert} ON CONFLICT DO UPDATE SET last_opened_at = max(last_opened_at, excluded.last_opened_at)`,
  );
  const complete = database.prepare(
    `${activity.insert} ON CONFLICT DO UPDATE SET completed_at = excluded.completed_at WHERE completed_at IS NULL`,
  );
  const one = database.prepare(activity.select(`WHERE ${ofLink} AND user_id = ?`));
  const count = database.prepare(
    `SELECT count(*) AS opened, count(completed_at) AS completed FROM activity WHERE ${ofLink}`,
  );
  const judge = database.prepare(
    `UPDATE activity SET verdict = ?, verdict_placement_id = ? WHERE ${ofLink} AND user_id = ?`,
  );
  const countVerdicts = database.prepare(
    `SELECT count(*) FILTER (WHERE verdict = 'useful') AS useful, count(*) FILTER (WHERE verdict = 'not-useful') AS notUseful,
       count(*) FILTER (WHERE verdict = 'broken') AS broken FROM activity WHERE ${ofLink} AND verdict_placement_id = ?`,
  );
  return {
    async noteOpened(key, at) {
      open.run(activity.toValues(openedFirst(key, at)));
    },
    noteCompleted: async (key, at) =>
      complete.run(activity.toValues({ ...openedFirst(key, at), completedAt: at })).changes === 1,
    noteVerdict: async ({ tenantId, linkId, userId }, verdict, placementId) =>
      judge.run(verdict, placementId, tenantId, linkId, userId).changes === 1,
    countVerdicts: async (tenantId, linkId, placementId) =>
      countRow<VerdictCounts>(countVerdicts, tenantId, linkId, placementId),
    findActivity: async ({ tenantId, linkId, userId }) =>
      activity.toRecordOrNull(one.get(tenantId, linkId, userId)),
    countActivity: async (tenantId, linkId) => countRow<ActivityCounts>(count, tenantId, linkId),
    listActivity: async (tenantId, linkId, page) =>
      listPage(database, activity, {
        conditions: [{ sql: ofLink, values: [tenantId, linkId] }],
        order: 'ORDER BY last_opened_at DESC, user_id',
        page,
      }),
  };
}

function openedFirst({ tenantId, linkId, userId }: ActivityKey, at: Date): ActivityRecord {
  const rest = { completedAt: null, verdict: null, verdictPlacementId: null };
  return { tenantId, linkId, userId, firstOpenedAt: at, lastOpenedAt: at, ...rest };
}
