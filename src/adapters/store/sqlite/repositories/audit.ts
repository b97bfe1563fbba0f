import type Database from 'libsql';
import { foldTexts } from '../../../../domain/text.ts';
import type { AuditEntry, AuditFilter, AuditRepository } from '../../../../ports/store/store.ts';
import { instant, json, nullable, text } from '../columns.ts';
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
import { defineTable } from '../table.ts';

export const audit = defineTable<AuditEntry>('audit_entries', {
  columns: {
    id: text(),
    at: instant,
    actor: json(),
    tenantId: nullable(text()),
    action: text(),
    target: text(),
    details: json(),
  },
  derived: { search_text: ({ actor, target }) => foldTexts(actor.name, target, actor.address) },
});

export function createAuditRepository(database: Database.Database): AuditRepository {
  const insert = database.prepare(audit.insert);
  return {
    async addAuditEntry(entry) {
      insert.run(audit.toValues(entry));
    },
    listAuditEntries: async (request) =>
      listPage(database, audit, {
        conditions: filterConditions(request),
        order: orderListBy('at', !request.ascending),
        page: request,
      }),
    async readAuditEntries(filter, after, limit) {
      const later =
        after === null ? [] : [{ sql: '(at, id) > (?, ?)', values: [after.at.getTime(), after.id] }];
      const { sql, values } = joinListConditions([...filterConditions(filter), ...later]);
      const rows = database.prepare(audit.select(`${sql} ORDER BY at, id LIMIT ?`));
      return rows.all([...values, limit]).map(audit.toRecord);
    },
  };
}

/** A list of tenants leaves out entries without one, as NULL is in no list. */
function filterConditions({ scope, action, period, search }: AuditFilter): Condition[] {
  return [
    ...matchListScope(scope),
    ...matchListValue('action', action),
    ...matchListPeriod('at', period),
    ...matchListText('search_text', search),
  ];
}
