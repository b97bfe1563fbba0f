import type { Connection } from 'mongoose';
import {
  type Branding,
  type FeedbackSettings,
  initialFeedbackSettings,
  type SearchDefaults,
  type SuggestionMode,
  type Upstream,
} from '../../../../domain/tenant.ts';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type { TenantRecord, TenantRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { flag, instant, integer, object, text, texts } from '../fields.ts';
import { listOrderIndexes, listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';

const sorts = { name: ['derived.name'], createdAt: ['createdAt'] } as const;

export const tenants = defineCollection<TenantRecord>('tenants', {
  fields: {
    name: text,
    status: text,
    upstream: object<Upstream>({ kind: text, url: text, marketplaceUrl: text, isEnteredByOwner: flag }),
    defaults: object<SearchDefaults>({
      providers: texts,
      lang: text,
      prefer: text,
      model: text,
      match: text,
      itemsPerPage: integer,
      freeOnly: flag,
    }),
    branding: object<Branding>({ title: text, accent: text }),
    feedback: {
      ...object<FeedbackSettings>({ sharedEmail: text, sharedEmailFor: text, retentionDays: integer }),
      // A host of the first version that is still running writes tenants without it.
      fromStored: (stored?: FeedbackSettings) => stored ?? initialFeedbackSettings,
    },
    suggestions: {
      ...text,
      // Of versions before it there was.
      fromStored: (stored?: SuggestionMode) => stored ?? 'approval',
    },
    hasAssistants: {
      ...flag,
      // Of versions before it there were none to keep out.
      fromStored: (stored?: boolean) => stored ?? true,
    },
    createdAt: instant,
    updatedAt: instant,
    version: integer,
  },
  derived: {
    name: { field: text, of: ({ name }) => foldText(name) },
    search: { field: text, of: ({ name, id }) => foldTexts(name, id) },
  },
  indexes: [...listOrderIndexes(sorts), { key: { status: 1, _id: 1 } }],
});

/** Everything except the removal, which concerns every collection: `remove-tenant.ts`. */
export function createTenantRepository(connection: Connection): Omit<TenantRepository, 'removeTenant'> {
  const model = openCollection(connection, tenants);
  return {
    addTenant: (record) =>
      writeUnlessTaken(async () => {
        await model.insertOne(tenants.toDocument(record));
        return true;
      }),
    findTenant: async (id) =>
      tenants.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    async replaceTenant(record) {
      const before = { _id: record.id, version: record.version - 1 };
      const { matchedCount } = await model.replaceOne(before, tenants.toDocument(record));
      return matchedCount === 1;
    },
    listTenants: (request) =>
      listPage(model, tenants, {
        conditions: [
          ...matchListScope(request.scope, '_id'),
          ...matchListText('derived.search', request.search),
        ],
        order: orderListBy(sorts[request.sort], request.descending),
        page: request,
      }),
    async listTenantIds(status) {
      const found = await model.find({ status }, { _id: 1 }).sort({ _id: 1 }).lean<Document[]>();
      return found.map(({ _id }) => _id);
    },
  };
}
