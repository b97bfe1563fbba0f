import type Database from 'libsql';
import { foldText } from '../../../../domain/text.ts';
import type { LinkCheck, LinkCheckRepository, LinkState } from '../../../../ports/store/store.ts';
import { instant, integer, nullable, text } from '../columns.ts';
import { listPage, matchListText } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const linkChecks = defineTable<LinkCheck>('link_checks', {
  columns: {
    url: text(),
    state: text(),
    checkedAt: instant,
    since: instant,
    status: nullable(integer),
    reason: nullable(text()),
    failures: integer,
    movedTo: nullable(text()),
    etag: nullable(text()),
    lastModified: nullable(text()),
  },
  key: ['url'],
  derived: { search_text: ({ url }) => foldText(url) },
});

/** Passed as a JSON list, as there may be any number. */
const OF_URLS = 'WHERE url IN (SELECT value FROM json_each(?))';

export function createLinkCheckRepository(database: Database.Database): LinkCheckRepository {
  const upsert = database.prepare(linkChecks.upsert);
  const of = database.prepare(linkChecks.select(`${OF_URLS} ORDER BY url`));
  const ofState = database.prepare(linkChecks.select('WHERE state = ? AND url > ? ORDER BY url LIMIT ?'));
  const counts = database.prepare('SELECT state, COUNT(*) AS total FROM link_checks GROUP BY state');
  const dead = database.prepare(
    "SELECT COUNT(*) AS total, MAX(since) AS newest FROM link_checks WHERE state = 'dead'",
  );
  const remove = database.prepare(`DELETE FROM link_checks ${OF_URLS}`);
  const save = database.transaction((checks: readonly LinkCheck[]) => {
    for (const check of checks) upsert.run(linkChecks.toValues(check));
  });
  return {
    saveLinkChecks: async (checks) => save.immediate(checks),
    findLinkChecks: async (urls) => of.all(JSON.stringify(urls)).map(linkChecks.toRecord),
    // No address is the empty text.
    readLinkChecks: async ({ state, after, limit }) =>
      ofState.all(state, after ?? '', limit).map(linkChecks.toRecord),
    listBrokenLinks: async (request) =>
      listPage(database, linkChecks, {
        conditions: [
          { sql: "state IN ('dead', 'unsure')", values: [] },
          ...matchListText('search_text', request.search),
        ],
        // `dead` comes before `unsure` in the alphabet, too.
        order: 'ORDER BY state, since, url',
        page: request,
      }),
    async countLinkChecks() {
      const rows = counts.all() as { state: LinkState; total: number }[];
      return {
        alive: 0,
        dead: 0,
        unsure: 0,
        ...Object.fromEntries(rows.map((row) => [row.state, row.total])),
      };
    },
    async deadLinksVersion() {
      const { total, newest } = dead.get() as { total: number; newest: number | null };
      return newest === null ? '' : `${total}-${newest}`;
    },
    removeLinkChecks: async (urls) => remove.run(JSON.stringify(urls)).changes,
  };
}
