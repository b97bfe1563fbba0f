import type Database from 'libsql';
import type { TenantScope } from '../../../../domain/admin.ts';
import type {
  AuthorCount,
  FeedbackFilter,
  FeedbackRecord,
  FeedbackRepository,
} from '../../../../ports/store/store.ts';
import { writeUnlessTaken } from '../database.ts';
import {
  type Condition,
  joinListConditions,
  listPage,
  matchListPeriod,
  matchListScope,
  matchListText,
  matchListValue,
  orderListBy,
} from '../list-page.ts';
import { createFeedbackQueue } from './feedback-queue.ts';
import { countFeedbackTableRows, feedback, undelivered } from './feedback-table.ts';

const sortColumns = { receivedAt: 'received_at', url: 'url_folded' } as const;

export function createFeedbackRepository(database: Database.Database): FeedbackRepository {
  const insert = database.prepare(feedback.insert);
  const byId = database.prepare(feedback.select('WHERE id = ?'));
  return {
    ...createFeedbackQueue(database),
    ...createFeedbackRemoval(database),
    saveFeedback: async (record) =>
      writeUnlessTaken(() => insert.run(feedback.toValues(record)).changes === 1),
    findFeedback: async (id) => feedback.toRecordOrNull(byId.get(id)),
    listFeedback: async (request) =>
      listPage(database, feedback, {
        conditions: filterConditions(request),
        order: orderListBy(sortColumns[request.sort], request.descending),
        page: request,
      }),
    async readFeedback(filter, after, limit) {
      const { sql, values } = joinListConditions([
        ...filterConditions(filter),
        ...(after === null ? [] : earlierThan(after)),
      ]);
      const rows = database.prepare(feedback.select(`${sql} ${orderListBy('received_at', true)} LIMIT ?`));
      return rows.all([...values, limit]).map(feedback.toRecord);
    },
    listFeedbackProviders: async (scope) => listProviders(database, scope),
  };
}

function filterConditions({ scope, state, provider, received, search }: FeedbackFilter): Condition[] {
  return [
    ...matchListScope(scope),
    ...matchListValue('state', state),
    ...(state === null || state === 'delivered' ? [] : [undelivered]),
    ...matchListValue('provider', provider),
    ...matchListPeriod('received_at', received),
    ...matchListText('search_text', search),
  ];
}

/** The first condition is redundant, but lets the search begin at the right place in the index. */
function earlierThan({ receivedAt, id }: Pick<FeedbackRecord, 'receivedAt' | 'id'>): Condition[] {
  const at = receivedAt.getTime();
  return [
    { sql: 'received_at <= ?', values: [at] },
    { sql: '(received_at < ? OR id > ?)', values: [at, id] },
  ];
}

/** Steps from one provider to the next in the index, so that the cost grows with providers, not with feedback. */
function listProviders(database: Database.Database, scope: TenantScope): string[] {
  const { sql, values } = joinListConditions([
    { sql: 'provider = name', values: [] },
    ...matchListScope(scope),
  ]);
  const rows = database.prepare(
    `WITH RECURSIVE providers (name) AS (
       SELECT min(provider) FROM feedback
       UNION ALL
       SELECT (SELECT min(provider) FROM feedback WHERE provider > name) FROM providers WHERE name IS NOT NULL)
     SELECT name FROM providers WHERE EXISTS (SELECT 1 FROM feedback ${sql}) ORDER BY name`,
  );
  return (rows.all([...values]) as { name: string }[]).map(({ name }) => name);
}

type FeedbackRemoval = Pick<
  FeedbackRepository,
  'countFeedbackOf' | 'eraseFeedbackOf' | 'removeFeedbackBefore'
>;

/** Finds feedback by address, and old feedback. */
function createFeedbackRemoval(database: Database.Database): FeedbackRemoval {
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
      return countFeedbackTableRows(
        database.prepare(`DELETE FROM feedback ${sql} RETURNING tenant_id`).all([...values]),
      );
    },
    removeFeedbackBefore: async (tenantId, before, limit) =>
      removeBefore.run(tenantId, before.getTime(), limit).changes === limit,
  };
}

function ofPerson(scope: TenantScope, email: string) {
  return joinListConditions([
    ...matchListValue('email_folded', email.toLowerCase()),
    ...matchListScope(scope),
  ]);
}
