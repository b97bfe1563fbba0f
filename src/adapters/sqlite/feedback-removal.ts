import type Database from 'libsql';
import type { TenantScope } from '../../domain/admin.ts';
import type { AuthorCount, FeedbackRepository } from '../../ports/store/store.ts';
import { equalTo, inScope, where } from './list-page.ts';
import { countTenants } from './tenant-counts.ts';

type FeedbackRemoval = Pick<
  FeedbackRepository,
  'countFeedbackOf' | 'eraseFeedbackOf' | 'removeFeedbackBefore'
>;

/** What was given under an address, and what is old. */
export function createFeedbackRemoval(database: Database.Database): FeedbackRemoval {
  const removeBefore = database.prepare(
    `DELETE FROM feedback WHERE id IN (
       SELECT id FROM feedback WHERE tenant_id = ? AND received_at < ? AND state NOT IN ('waiting', 'parked') LIMIT ?)`,
  );
  return {
    async countFeedbackOf(scope, email) {
      const { sql, values } = ofPerson(scope, email);
      const counts = database.prepare(
        `SELECT tenant_id AS tenantId, count(*) AS count, sum(state IN ('waiting', 'parked')) AS unsent,
           sum(state = 'delivered' AND destination IS NOT NULL) AS elsewhere
         FROM feedback ${sql} GROUP BY tenant_id ORDER BY tenant_id`,
      );
      return counts.all([...values]) as AuthorCount[];
    },
    async eraseFeedbackOf(scope, email) {
      const { sql, values } = ofPerson(scope, email);
      return countTenants(
        database.prepare(`DELETE FROM feedback ${sql} RETURNING tenant_id`).all([...values]),
      );
    },
    removeFeedbackBefore: async (tenantId, before, limit) =>
      removeBefore.run(tenantId, before.getTime(), limit).changes === limit,
  };
}

function ofPerson(scope: TenantScope, email: string) {
  return where([...equalTo('email_folded', email.toLowerCase()), ...inScope(scope)]);
}
