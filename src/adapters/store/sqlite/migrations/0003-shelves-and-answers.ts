import type Database from 'libsql';

/** `answers.id` is the key that an answer is kept under; `email_folded` is the address in lower case. Most feedback is delivered,
 *  and nobody looks for that by its state. */
const tables = `
  ALTER TABLE tenants ADD COLUMN
    feedback TEXT NOT NULL DEFAULT '{"sharedEmail":null,"sharedEmailFor":"learners","retentionDays":null}';

  ALTER TABLE feedback ADD COLUMN email_folded TEXT NOT NULL DEFAULT '';
  CREATE INDEX feedback_by_email ON feedback (email_folded);
  ALTER TABLE feedback ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE feedback ADD COLUMN leased_until INTEGER;
  ALTER TABLE feedback ADD COLUMN giver_hash TEXT;
  DROP INDEX feedback_due;
  CREATE INDEX feedback_due ON feedback (tenant_id, due_at, id, leased_until) WHERE state = 'waiting';
  CREATE INDEX feedback_undelivered ON feedback (state, received_at, id, tenant_id) WHERE state <> 'delivered';

  CREATE TABLE shelf (
    tenant_id TEXT NOT NULL REFERENCES tenants,
    person TEXT NOT NULL,
    address TEXT NOT NULL,
    object TEXT NOT NULL,
    request_id TEXT,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, person, address)
  ) STRICT;
  CREATE INDEX shelf_by_time ON shelf (tenant_id, person, saved_at DESC, address);

  CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    answered_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX answers_by_end ON answers (expires_at);`;

/** Shelves, shared answers, and what a tenant decides about feedback. */
export function shelvesAndAnswers(database: Database.Database): void {
  database.exec(tables);
  const update = database.prepare('UPDATE feedback SET email_folded = ? WHERE id = ?');
  const rows = database.prepare('SELECT id, email FROM feedback').all() as { id: string; email: string }[];
  for (const { id, email } of rows) update.run([email.toLowerCase(), id]);
}
