import type { Connection } from 'mongoose';
import type { Actor } from '../../../../domain/admin.ts';
import { foldTexts } from '../../../../domain/text.ts';
import type { AuditEntry, AuditFilter, AuditRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { instant, namedTexts, object, text } from '../fields.ts';
import {
  type Condition,
  joinListConditions,
  listOrderIndexes,
  listPage,
  matchListPeriod,
  matchListScope,
  matchListText,
  matchListValue,
  orderListBy,
} from '../list-page.ts';

export const audit = defineCollection<AuditEntry>('audit', {
  fields: {
    at: instant,
    actor: object<Actor>({ kind: text, id: text, name: text, address: text }),
    tenantId: text,
    action: text,
    target: text,
    details: namedTexts,
  },
  derived: {
    search: { field: text, of: ({ actor, target }) => foldTexts(actor.name, target, actor.address) },
  },
  indexes: [
    ...listOrderIndexes({ at: ['at'] }),
    { key: { tenantId: 1, at: 1, _id: 1 } },
    { key: { tenantId: 1, at: -1, _id: 1 } },
  ],
});

export function createAuditRepository(connection: Connection): AuditRepository {
  const model = openCollection(connection, audit);
  return {
    async addAuditEntry(entry) {
      await model.insertOne(audit.toDocument(entry));
    },
    listAuditEntries: (request) =>
      listPage(model, audit, {
        conditions: filterConditions(request),
        order: orderListBy(['at'], !request.ascending),
        page: request,
      }),
    async readAuditEntries(filter, after, limit) {
      const wanted = joinListConditions([
        ...filterConditions(filter),
        ...(after === null ? [] : laterThan(after)),
      ]);
      const found = await model.find(wanted).sort({ at: 1, _id: 1 }).limit(limit).lean<Document[]>();
      return found.map(audit.toRecord);
    },
  };
}

/** A list of tenants leaves out entries without one. */
function filterConditions({ scope, action, period, search }: AuditFilter): Condition[] {
  return [
    ...matchListScope(scope),
    ...matchListValue('action', action),
    ...matchListPeriod('at', period),
    ...matchListText('derived.search', search),
  ];
}

/** The first condition is redundant, but lets the server begin at the right place in its index. */
function laterThan({ at, id }: Pick<AuditEntry, 'at' | 'id'>): Condition[] {
  return [{ at: { $gte: at } }, { $or: [{ at: { $gt: at } }, { _id: { $gt: id } }] }];
}
