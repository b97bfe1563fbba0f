import type Database from 'libsql';
import type { TenantScope } from '../../domain/admin.ts';
import { foldText, foldTexts } from '../../domain/search-text.ts';
import type { FeedbackFilter, FeedbackRecord, FeedbackRepository } from '../../ports/store.ts';
import { instant, integer, nullable, text } from './columns.ts';
import { unlessTaken } from './database.ts';
import {
  type Condition,
  containing,
  equalTo,
  inPeriod,
  inScope,
  listPage,
  orderBy,
  where,
} from './list-page.ts';
import { defineTable } from './table.ts';

export const feedback = defineTable<FeedbackRecord>('feedback', {
  columns: {
    id: text(),
    tenantId: text(),
    url: text(),
    comment: nullable(text()),
    requestId: text(),
    email: text(),
    source: text(),
    provider: nullable(text()),
    receivedAt: instant,
    state: text(),
    attempts: integer,
    dueAt: instant,
    lastError: nullable(text()),
    destination: nullable(text()),
  },
  derived: {
    url_folded: ({ url }) => foldText(url),
    search_text: ({ url, comment, email }) => foldTexts(url, comment, email),
    email_folded: ({ email }) => email.toLowerCase(),
  },
});

const sortColumns = { receivedAt: 'received_at', url: 'url_folded' } as const;

export function createFeedbackRepository(database: Database.Database): FeedbackRepository {
  const insert = database.prepare(feedback.insert);
  const byId = database.prepare(feedback.select('WHERE id = ?'));
  const claim = `UPDATE feedback SET state = 'waiting', due_at = :lease, attempts = attempts + 1 WHERE id =`;
  const claimOne = database.prepare(
    `${claim} :id AND state IN ('waiting', 'parked') RETURNING ${feedback.fields}`,
  );
  const claimDue = database.prepare(
    `${claim} (SELECT id FROM feedback WHERE state = 'waiting' AND due_at <= :now ORDER BY due_at, id LIMIT 1)
     RETURNING ${feedback.fields}`,
  );
  const settle = database.prepare(
    `UPDATE feedback SET state = ?, due_at = ?, last_error = ? WHERE state = 'waiting' AND id = ? AND attempts = ?`,
  );
  const nextDue = database.prepare(`SELECT min(due_at) AS due FROM feedback WHERE state = 'waiting'`);
  const removeBefore = database.prepare(
    `DELETE FROM feedback WHERE id IN (
       SELECT id FROM feedback WHERE tenant_id = ? AND received_at < ? AND state <> 'waiting' LIMIT ?)`,
  );
  return {
    saveFeedback: async (record) => unlessTaken(() => insert.run(feedback.toValues(record)).changes === 1),
    findFeedback: async (id) => feedback.toRecordOrNull(byId.get(id)),
    listFeedback: async (request) =>
      listPage(database, feedback, {
        conditions: filterConditions(request),
        order: orderBy(sortColumns[request.sort], request.descending),
        page: request,
      }),
    async readFeedback(filter, after, limit) {
      const { sql, values } = where([
        ...filterConditions(filter),
        ...(after === null ? [] : earlierThan(after)),
      ]);
      const rows = database.prepare(feedback.select(`${sql} ${orderBy('received_at', true)} LIMIT ?`));
      return rows.all([...values, limit]).map(feedback.toRecord);
    },
    listFeedbackProviders: async (scope) => listProviders(database, scope),
    claimDueFeedback: async (now, leaseUntil) =>
      feedback.toRecordOrNull(claimDue.get({ now: now.getTime(), lease: leaseUntil.getTime() })),
    claimFeedback: async (id, leaseUntil) =>
      feedback.toRecordOrNull(claimOne.get({ id, lease: leaseUntil.getTime() })),
    settleFeedback: async (id, attempts, { state, dueAt, lastError }) =>
      settle.run([state, dueAt.getTime(), lastError, id, attempts]).changes > 0,
    async findNextDue() {
      const { due } = nextDue.get() as { due: number | null };
      return due === null ? null : new Date(due);
    },
    async eraseFeedbackOf(scope, email) {
      const { sql, values } = where([...equalTo('email_folded', email.toLowerCase()), ...inScope(scope)]);
      return database.prepare(`DELETE FROM feedback ${sql}`).run([...values]).changes;
    },
    removeFeedbackBefore: async (tenantId, before, limit) =>
      removeBefore.run(tenantId, before.getTime(), limit).changes,
  };
}

function filterConditions({ scope, state, provider, received, search }: FeedbackFilter): Condition[] {
  return [
    ...inScope(scope),
    ...equalTo('state', state),
    ...equalTo('provider', provider),
    ...inPeriod('received_at', received),
    ...containing('search_text', search),
  ];
}

/** The first condition says nothing new, but lets the search begin at the right place of the index. */
function earlierThan({ receivedAt, id }: Pick<FeedbackRecord, 'receivedAt' | 'id'>): Condition[] {
  const at = receivedAt.getTime();
  return [
    { sql: 'received_at <= ?', values: [at] },
    { sql: '(received_at < ? OR id > ?)', values: [at, id] },
  ];
}

/** Steps from one provider to the next in the index, so that it costs what the providers are, not what the feedback is. */
function listProviders(database: Database.Database, scope: TenantScope): string[] {
  const { sql, values } = where([{ sql: 'provider = name', values: [] }, ...inScope(scope)]);
  const rows = database.prepare(
    `WITH RECURSIVE providers (name) AS (
       SELECT min(provider) FROM feedback
       UNION ALL
       SELECT (SELECT min(provider) FROM feedback WHERE provider > name) FROM providers WHERE name IS NOT NULL)
     SELECT name FROM providers WHERE EXISTS (SELECT 1 FROM feedback ${sql}) ORDER BY name`,
  );
  return (rows.all([...values]) as { name: string }[]).map(({ name }) => name);
}
