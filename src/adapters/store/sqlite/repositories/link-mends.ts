import type Database from 'libsql';
import type { LinkMend, LinkMendRepository } from '../../../../ports/store/store.ts';
import { instant, json, nullable, text } from '../columns.ts';
import { defineTable } from '../table.ts';

export const linkMends = defineTable<LinkMend>('link_mends', {
  columns: {
    id: text(),
    tenantId: text(),
    url: text(),
    kind: text(),
    madeBy: text(),
    madeAt: instant,
    undoneAt: nullable(instant),
    reason: nullable(text()),
    since: instant,
    object: nullable(json()),
    changes: json(),
  },
  derived: { by_url: ({ object }) => object?.url ?? null },
});

const MOST_REPLACEMENTS = 100;

export function createLinkMendRepository(database: Database.Database): LinkMendRepository {
  const insert = database.prepare(linkMends.insert);
  const one = database.prepare(linkMends.select('WHERE tenant_id = ? AND id = ?'));
  const ofUrls = database.prepare(
    linkMends.select(`WHERE url IN (SELECT value FROM json_each(:urls))
      AND (:scope IS NULL OR tenant_id IN (SELECT value FROM json_each(:scope)))
      ORDER BY made_at DESC, id LIMIT :limit`),
  );
  const byUrl = database.prepare(
    linkMends.select(
      `WHERE tenant_id = ? AND by_url = ? ORDER BY made_at DESC, id LIMIT ${MOST_REPLACEMENTS}`,
    ),
  );
  const undo = database.prepare(
    'UPDATE link_mends SET undone_at = ? WHERE tenant_id = ? AND id = ? AND undone_at IS NULL',
  );
  return {
    async addLinkMend(record) {
      insert.run(linkMends.toValues(record));
    },
    findLinkMend: async (tenantId, id) => linkMends.toRecordOrNull(one.get(tenantId, id)),
    listLinkMends: async (scope, urls, limit) =>
      ofUrls
        .all({ scope: scope && JSON.stringify(scope), urls: JSON.stringify(urls), limit })
        .map(linkMends.toRecord),
    listReplacements: async (tenantId, url) => byUrl.all(tenantId, url).map(linkMends.toRecord),
    markMendUndone: async (tenantId, id, undoneAt) =>
      undo.run(undoneAt.getTime(), tenantId, id).changes === 1,
  };
}
