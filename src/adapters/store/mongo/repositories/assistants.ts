import type { Connection } from 'mongoose';
import { foldText } from '../../../../domain/text.ts';
import type {
  AssistantClientRecord,
  AssistantGrantRecord,
  AssistantRepository,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { flag, instant, text, texts } from '../fields.ts';
import {
  listOrderIndexes,
  listPage,
  matchListScope,
  matchListText,
  matchListValue,
  orderListBy,
} from '../list-page.ts';

export const assistantClients = defineCollection<AssistantClientRecord>('assistantClients', {
  fields: { name: text, redirectUris: texts, createdAt: instant, lastUsedAt: instant },
  indexes: [],
});

const sorts = {
  createdAt: ['createdAt'],
  clientName: ['derived.clientName'],
  lastUsedAt: ['derived.unused', 'lastUsedAt'],
} as const;

export const assistantGrants = defineCollection<AssistantGrantRecord>('assistantGrants', {
  fields: {
    tenantId: text,
    adminId: text,
    clientId: text,
    clientName: text,
    resource: text,
    accessHash: text,
    accessExpiresAt: instant,
    refreshHash: text,
    familyHash: text,
    createdAt: instant,
    lastUsedAt: instant,
    expiresAt: instant,
  },
  derived: {
    clientName: { field: text, of: ({ clientName }) => foldText(clientName) },
    unused: { field: flag, of: ({ lastUsedAt }) => lastUsedAt === null },
  },
  indexes: [
    { key: { accessHash: 1 }, unique: true },
    { key: { refreshHash: 1 }, unique: true },
    { key: { familyHash: 1 }, unique: true },
    { key: { tenantId: 1 } },
    { key: { adminId: 1 } },
    { key: { expiresAt: 1 } },
    ...listOrderIndexes(sorts),
  ],
});

export function createAssistantRepository(connection: Connection): AssistantRepository {
  return { ...createClients(connection), ...createGrants(connection) };
}

type Clients = Pick<
  AssistantRepository,
  | 'addAssistantClient'
  | 'findAssistantClient'
  | 'noteAssistantClientUse'
  | 'countAssistantClients'
  | 'removeIdleAssistantClients'
>;

const usedBefore = (at: Date) => ({ $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: at } }] });

function createClients(connection: Connection): Clients {
  const model = openCollection(connection, assistantClients);
  const grants = openCollection(connection, assistantGrants);
  return {
    async addAssistantClient(record) {
      await model.insertOne(assistantClients.toDocument(record));
    },
    findAssistantClient: async (id) =>
      assistantClients.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    async noteAssistantClientUse(id, usedAt) {
      await model.updateOne({ _id: id, ...usedBefore(usedAt) }, { $set: { lastUsedAt: usedAt } });
    },
    countAssistantClients: () => model.countDocuments({}),
    async removeIdleAssistantClients(before) {
      // One that is let in meanwhile was used just now.
      const idle = { createdAt: { $lt: before }, ...usedBefore(before) };
      const inUse = await grants.distinct('clientId');
      return (await model.deleteMany({ _id: { $nin: inUse }, ...idle })).deletedCount;
    },
  };
}

function createGrants(connection: Connection): Omit<AssistantRepository, keyof Clients> {
  const model = openCollection(connection, assistantGrants);
  const find = async (wanted: object) =>
    assistantGrants.toRecordOrNull(await model.findOne(wanted).lean<Document | null>());
  return {
    async addAssistantGrant(record) {
      await model.insertOne(assistantGrants.toDocument(record));
    },
    findAssistantGrant: (id) => find({ _id: id }),
    findAssistantGrantByAccess: (accessHash) => find({ accessHash }),
    findAssistantGrantByFamily: (familyHash) => find({ familyHash }),
    async renewAssistantGrant(record, refreshHash) {
      const before = { _id: record.id, refreshHash };
      return (await model.replaceOne(before, assistantGrants.toDocument(record))).matchedCount === 1;
    },
    listAssistantGrants: (request) =>
      listPage(model, assistantGrants, {
        conditions: [
          ...matchListScope(request.scope),
          ...matchListValue('adminId', request.adminId),
          ...matchListText('derived.clientName', request.search),
        ],
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    async noteAssistantGrantUse(id, usedAt) {
      await model.updateOne(
        { _id: id, $or: [{ 'derived.unused': true }, { lastUsedAt: { $lt: usedAt } }] },
        { $set: { lastUsedAt: usedAt, 'derived.unused': false } },
      );
    },
    removeAssistantGrant: async (id) => (await model.deleteOne({ _id: id })).deletedCount === 1,
    removeEndedAssistantGrants: async (now) =>
      (await model.deleteMany({ expiresAt: { $lte: now } })).deletedCount,
  };
}
