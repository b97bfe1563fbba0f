import type Database from 'libsql';
import { foldText } from '../../../../domain/text.ts';
import { tables } from './0002-tenants-and-admins-tables.ts';

/** Everything that existed before belongs to the default tenant, which is made only where there was something. */
const carryOver = `
  INSERT INTO tenants (id, name, status, upstream, defaults, branding, created_at, updated_at, version, name_folded, search_text)
  SELECT 'default', 'Default institution', 'active', '{"kind":"local"}',
         '{"providers":[],"lang":null,"model":"extended","match":"best-effort","itemsPerPage":10,"freeOnly":false}',
         '{"title":null,"accent":null}', oldest, oldest, 1,
         'default institution', 'default institution' || char(31) || 'default'
    FROM (SELECT min(at) AS oldest
            FROM (SELECT received_at AS at FROM old_feedback UNION ALL SELECT created_at FROM old_api_keys))
   WHERE oldest IS NOT NULL;
  INSERT INTO api_keys (id, tenant_id, name, key_hash, scopes, per_second, per_day, created_at, expires_at, revoked_at, name_folded)
  SELECT id, 'default', name, key_hash,
         iif(scopes = '', '[]', '["' || replace(scopes, ' ', '","') || '"]'), per_second, per_day,
         created_at, expires_at, revoked_at, ''
    FROM old_api_keys;
  INSERT INTO feedback (id, tenant_id, url, comment, request_id, email, source, received_at, state, attempts, due_at, url_folded, search_text)
  SELECT id, 'default', url, comment, request_id, email, source, received_at, 'delivered', 0, received_at, '', ''
    FROM old_feedback;`;

/** Tenants, administrators and what belongs to them. */
export function tenantsAndAdmins(database: Database.Database): void {
  database.exec(`DROP INDEX feedback_by_time;
    ALTER TABLE feedback RENAME TO old_feedback;
    ALTER TABLE api_keys RENAME TO old_api_keys;`);
  database.exec(tables);
  database.exec(carryOver);
  foldKeys(database);
  foldFeedback(database);
  database.exec('DROP TABLE old_feedback; DROP TABLE old_api_keys;');
}

function foldKeys(database: Database.Database): void {
  const update = database.prepare('UPDATE api_keys SET name_folded = ? WHERE id = ?');
  const rows = database.prepare('SELECT id, name FROM old_api_keys').all() as { id: string; name: string }[];
  for (const { id, name } of rows) update.run([foldText(name), id]);
}

interface OldFeedback {
  readonly id: string;
  readonly url: string;
  readonly comment: string | null;
  readonly email: string;
}

function foldFeedback(database: Database.Database): void {
  const update = database.prepare('UPDATE feedback SET url_folded = ?, search_text = ? WHERE id = ?');
  const rows = database.prepare('SELECT id, url, comment, email FROM old_feedback').all() as OldFeedback[];
  for (const { id, url, comment, email } of rows) {
    const folded = [url, comment ?? '', email].map(foldText);
    update.run([folded[0], folded.join('\u001f'), id]);
  }
}
