import type Database from 'libsql';
import { foldText } from '../../../../domain/text.ts';
import type {
  AssistantClientRecord,
  AssistantGrantListRequest,
  AssistantGrantRecord,
  AssistantRepository,
} from '../../../../ports/store/store.ts';
import { instant, json, nullable, text } from '../columns.ts';
import { listPage, matchListScope, matchListText, matchListValue, orderListBy } from '../list-page.ts';
import { defineTable } from '../table.ts';

export const assistantClients = defineTable<AssistantClientRecord>('assistant_clients', {
  columns: {
    id: text(),
    name: text(),
    redirectUris: json(),
    createdAt: instant,
    lastUsedAt: nullable(instant),
  },
});

export const assistantGrants = defineTable<AssistantGrantRecord>('assistant_grants', {
  columns: {
    id: text(),
    tenantId: text(),
    adminId: text(),
    clientId: text(),
    clientName: text(),
    resource: text(),
    accessHash: text(),
    accessExpiresAt: instant,
    refreshHash: text(),
    familyHash: text(),
    createdAt: instant,
    lastUsedAt: nullable(instant),
    expiresAt: instant,
  },
  derived: { client_name_folded: ({ clientName }) => foldText(clientName) },
});

const sortColumns = {
  createdAt: 'created_at',
  clientName: 'client_name_folded',
  lastUsedAt: 'last_used_at',
} as const;

export function createAssistantRepository(database: Database.Database): AssistantRepository {
  return { ...createClients(database), ...createGrants(database) };
}

type Clients = Pick<
  AssistantRepository,
  | 'addAssistantClient'
  | 'findAssistantClient'
  | 'noteAssistantClientUse'
  | 'countAssistantClients'
  | 'removeIdleAssistantClients'
>;

const LATER = 'last_used_at IS NULL OR last_used_at < :at';

function createClients(database: Database.Database): Clients {
  const insert = database.prepare(assistantClients.insert);
  const byId = database.prepare(assistantClients.select('WHERE id = ?'));
  const noteUse = database.prepare(
    `UPDATE assistant_clients SET last_used_at = :at WHERE id = :id AND (${LATER})`,
  );
  const count = database.prepare('SELECT COUNT(*) AS total FROM assistant_clients');
  const removeIdle = database.prepare(
    `DELETE FROM assistant_clients WHERE created_at < :at AND (${LATER})
     AND id NOT IN (SELECT client_id FROM assistant_grants)`,
  );
  return {
    async addAssistantClient(record) {
      insert.run(assistantClients.toValues(record));
    },
    findAssistantClient: async (id) => assistantClients.toRecordOrNull(byId.get(id)),
    async noteAssistantClientUse(id, usedAt) {
      noteUse.run({ id, at: usedAt.getTime() });
    },
    countAssistantClients: async () => (count.get() as { total: number }).total,
    removeIdleAssistantClients: async (before) => removeIdle.run({ at: before.getTime() }).changes,
  };
}

function createGrants(database: Database.Database): Omit<AssistantRepository, keyof Clients> {
  const insert = database.prepare(assistantGrants.insert);
  const byId = database.prepare(assistantGrants.select('WHERE id = ?'));
  const byAccess = database.prepare(assistantGrants.select('WHERE access_hash = ?'));
  const byFamily = database.prepare(assistantGrants.select('WHERE family_hash = ?'));
  const renew = database.prepare(`${assistantGrants.update} WHERE id = ? AND refresh_hash = ?`);
  const noteUse = database.prepare(
    `UPDATE assistant_grants SET last_used_at = :at WHERE id = :id AND (${LATER})`,
  );
  const remove = database.prepare('DELETE FROM assistant_grants WHERE id = ?');
  const removeEnded = database.prepare('DELETE FROM assistant_grants WHERE expires_at <= ?');
  return {
    async addAssistantGrant(record) {
      insert.run(assistantGrants.toValues(record));
    },
    findAssistantGrant: async (id) => assistantGrants.toRecordOrNull(byId.get(id)),
    findAssistantGrantByAccess: async (hash) => assistantGrants.toRecordOrNull(byAccess.get(hash)),
    findAssistantGrantByFamily: async (hash) => assistantGrants.toRecordOrNull(byFamily.get(hash)),
    renewAssistantGrant: async (record, refreshHash) =>
      renew.run([...assistantGrants.toChanges(record), record.id, refreshHash]).changes === 1,
    listAssistantGrants: async (request) => listGrants(database, request),
    async noteAssistantGrantUse(id, usedAt) {
      noteUse.run({ id, at: usedAt.getTime() });
    },
    removeAssistantGrant: async (id) => remove.run(id).changes === 1,
    removeEndedAssistantGrants: async (now) => removeEnded.run(now.getTime()).changes,
  };
}

function listGrants(database: Database.Database, request: AssistantGrantListRequest) {
  return listPage(database, assistantGrants, {
    conditions: [
      ...matchListScope(request.scope),
      ...matchListValue('admin_id', request.adminId),
      ...matchListText('client_name_folded', request.search),
    ],
    order: orderListBy(sortColumns[request.sort], request.descending),
    page: request,
  });
}
