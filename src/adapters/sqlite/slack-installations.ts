import type Database from 'libsql';
import { foldText, foldTexts } from '../../domain/search-text.ts';
import type { SlackInstallationRecord, SlackInstallationRepository } from '../../ports/store.ts';
import { instant, json, nullable, text } from './columns.ts';
import { containing, inScope, listPage, orderBy } from './list-page.ts';
import { defineTable } from './table.ts';

export const slackInstallations = defineTable<SlackInstallationRecord>('slack_installations', {
  columns: {
    id: text(),
    tenantId: text(),
    kind: text(),
    name: text(),
    enterpriseId: nullable(text()),
    appId: text(),
    botId: text(),
    botUserId: text(),
    scopes: json(),
    installedBy: text(),
    installedAt: instant,
  },
  derived: {
    name_folded: ({ name }) => foldText(name),
    search_text: ({ name, id }) => foldTexts(name, id),
  },
});

export function createSlackInstallationRepository(database: Database.Database): SlackInstallationRepository {
  const put = database.prepare(
    `${slackInstallations.upsert} WHERE slack_installations.tenant_id = excluded.tenant_id`,
  );
  const byId = database.prepare(slackInstallations.select('WHERE id = ?'));
  const remove = database.prepare('DELETE FROM slack_installations WHERE id = ?');
  const removeOlder = database.prepare('DELETE FROM slack_installations WHERE id = ? AND installed_at <= ?');
  const { toValues, toRecordOrNull } = slackInstallations;
  return {
    putInstallation: async (record) => put.run(toValues(record)).changes === 1,
    findInstallation: async (id) => toRecordOrNull(byId.get(id)),
    listInstallations: async (request) =>
      listPage(database, slackInstallations, {
        conditions: [...inScope(request.scope), ...containing('search_text', request.search)],
        order: orderBy('name_folded', false),
        page: request,
      }),
    async removeInstallation(id, installedUntil) {
      const removed =
        installedUntil === null ? remove.run(id) : removeOlder.run(id, installedUntil.getTime());
      return removed.changes === 1;
    },
  };
}
