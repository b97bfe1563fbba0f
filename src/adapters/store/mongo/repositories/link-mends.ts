import type { Connection } from 'mongoose';
import type { LinkMend, LinkMendRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { instant, json, text } from '../fields.ts';
import { orderListBy } from '../list-page.ts';

export const linkMends = defineCollection<LinkMend>('linkMends', {
  fields: {
    tenantId: text,
    url: text,
    kind: text,
    madeBy: text,
    madeAt: instant,
    undoneAt: instant,
    reason: text,
    since: instant,
    object: json,
    changes: json,
  },
  derived: { byUrl: { field: text, of: ({ object }) => object?.url ?? null } },
  indexes: [
    { key: { url: 1, madeAt: -1, _id: 1 } },
    { key: { tenantId: 1, 'derived.byUrl': 1, madeAt: -1, _id: 1 } },
  ],
});

const MOST_REPLACEMENTS = 100;

export function createLinkMendRepository(connection: Connection): LinkMendRepository {
  const model = openCollection(connection, linkMends);
  return {
    async addLinkMend(record) {
      await model.create(linkMends.toDocument(record));
    },
    findLinkMend: async (tenantId, id) =>
      linkMends.toRecordOrNull(await model.findOne({ _id: id, tenantId }).lean<Document | null>()),
    async listLinkMends(scope, urls, limit) {
      const found = model
        .find({ url: { $in: [...urls] }, ...(scope !== null && { tenantId: { $in: [...scope] } }) })
        .sort(orderListBy(['madeAt'], true))
        .limit(limit);
      return (await found.lean<Document[]>()).map(linkMends.toRecord);
    },
    async listReplacements(tenantId, url) {
      const found = model
        .find({ tenantId, 'derived.byUrl': url })
        .sort(orderListBy(['madeAt'], true))
        .limit(MOST_REPLACEMENTS);
      return (await found.lean<Document[]>()).map(linkMends.toRecord);
    },
    async markMendUndone(tenantId, id, undoneAt) {
      const standing = { _id: id, tenantId, undoneAt: null };
      return (await model.updateOne(standing, { $set: { undoneAt } })).matchedCount === 1;
    },
  };
}
