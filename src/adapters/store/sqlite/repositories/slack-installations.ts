import type Database from 'libsql';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type { SlackInstallationRecord, SlackInstallationRepository } from '../../../../ports/store/store.ts';
import { instant, json, nullable, text } from '../columns.ts';
import { listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';
import { defineTable } from '../table.ts';

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
  const upsert = database.prepare(slackInstallations.upsert);
  const byId = database.prepare(slackInstallations.select('WHERE id = ?'));
  const { toValues, toRecordOrNull, fields } = slackInstallations;
  const remove = database.prepare(
    `DELETE FROM slack_installations WHERE id = ? AND installed_at <= coalesce(?, installed_at) RETURNING ${fields}`,
  );
  const put = database.transaction((record: SlackInstallationRecord) => {
    const before = toRecordOrNull(byId.get(record.id));
    if (before !== null && before.tenantId !== record.tenantId) return 'taken';
    upsert.run(toValues(record));
    return before;
  });
  return {
    putInstallation: async (record) => put.immediate(record),
    findInstallation: async (id) => toRecordOrNull(byId.get(id)),
    listInstallations: async (request) =>
      listPage(database, slackInstallations, {
        conditions: [...matchListScope(request.scope), ...matchListText('search_text', request.search)],
        order: orderListBy('name_folded', false),
        page: request,
      }),
    removeInstallation: async (id, installedUntil) =>
      toRecordOrNull(remove.get(id, installedUntil?.getTime() ?? null)),
  };
}
