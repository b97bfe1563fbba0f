import type Database from 'libsql';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type { TenantListRequest, TenantRecord, TenantRepository } from '../../../../ports/store/store.ts';
import { flag, instant, integer, json, text } from '../columns.ts';
import { writeUnlessTaken } from '../database.ts';
import { listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';
import { createTenantRemoval } from '../remove-tenant.ts';
import { defineTable } from '../table.ts';

export const tenants = defineTable<TenantRecord>('tenants', {
  columns: {
    id: text(),
    name: text(),
    status: text(),
    upstream: json(),
    defaults: json(),
    branding: json(),
    feedback: json(),
    suggestions: text(),
    hasAssistants: flag,
    createdAt: instant,
    updatedAt: instant,
    version: integer,
  },
  derived: {
    name_folded: ({ name }) => foldText(name),
    search_text: ({ name, id }) => foldTexts(name, id),
  },
});

const sortColumns = { name: 'name_folded', createdAt: 'created_at' } as const;

export function createTenantRepository(database: Database.Database): TenantRepository {
  const insert = database.prepare(tenants.insert);
  const byId = database.prepare(tenants.select('WHERE id = ?'));
  const replace = database.prepare(`${tenants.update} WHERE id = ? AND version = ?`);
  const idsOfStatus = database.prepare('SELECT id FROM tenants WHERE status = ? ORDER BY id');
  const removeTenant = createTenantRemoval(database);
  return {
    addTenant: async (record) => writeUnlessTaken(() => insert.run(tenants.toValues(record)).changes === 1),
    findTenant: async (id) => tenants.toRecordOrNull(byId.get(id)),
    replaceTenant: async (record) =>
      replace.run([...tenants.toChanges(record), record.id, record.version - 1]).changes === 1,
    listTenants: async (request) => listTenants(database, request),
    listTenantIds: async (status) => (idsOfStatus.all(status) as { id: string }[]).map(({ id }) => id),
    removeTenant: async (id) => removeTenant(id),
  };
}

function listTenants(database: Database.Database, request: TenantListRequest) {
  return listPage(database, tenants, {
    conditions: [...matchListScope(request.scope, 'id'), ...matchListText('search_text', request.search)],
    order: orderListBy(sortColumns[request.sort], request.descending),
    page: request,
  });
}
