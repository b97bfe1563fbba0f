import type Database from 'libsql';
import type { FeedbackRepository } from '../../ports/store.ts';

interface FeedbackRow {
  readonly id: string;
  readonly url: string;
  readonly comment: string | null;
  readonly request_id: string;
  readonly email: string;
  readonly source: string;
  readonly received_at: number;
}

const MAX_LISTED = 1_000;

export function createFeedbackRepository(database: Database.Database): FeedbackRepository {
  const insert = database.prepare(
    'INSERT INTO feedback (id, url, comment, request_id, email, source, received_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const newest = database.prepare('SELECT * FROM feedback ORDER BY received_at DESC, id LIMIT ?');
  return {
    async saveFeedback({ id, url, comment, requestId, email, source, receivedAt }) {
      insert.run(id, url, comment, requestId, email, source, receivedAt.getTime());
    },
    async listFeedback(limit) {
      return (newest.all(Math.min(Math.max(limit, 1), MAX_LISTED)) as FeedbackRow[]).map((row) => ({
        id: row.id,
        url: row.url,
        comment: row.comment,
        requestId: row.request_id,
        email: row.email,
        source: row.source,
        receivedAt: new Date(row.received_at),
      }));
    },
  };
}
