import type { Connection } from 'mongoose';
import type { UsageCount, UsageRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { integer, text } from '../fields.ts';
import { joinListConditions, matchListScope } from '../list-page.ts';
import { tenants } from './tenants.ts';

/** Tenant ids, days and metrics contain no blanks. */
const keyOf = ({ tenantId, day, metric }: Omit<UsageCount, 'count'>) => `${tenantId} ${day} ${metric}`;

export const usage = defineCollection<UsageCount>('usage', {
  fields: { tenantId: text, day: text, metric: text, count: integer },
  key: keyOf,
  indexes: [{ key: { tenantId: 1, day: 1 } }, { key: { day: 1 } }],
});

export function createUsageRepository(connection: Connection): UsageRepository {
  const model = openCollection(connection, usage);
  const known = openCollection(connection, tenants);
  return {
    async addUsage(counts) {
      const ids = [...new Set(counts.map(({ tenantId }) => tenantId))];
      const found = await known.find({ _id: { $in: ids } }, { _id: 1 }).lean<Document[]>();
      const standing = new Set(found.map(({ _id }) => _id));
      // Counts are collected before they are written. Counts of a tenant that was removed meanwhile must not come back.
      const additions = counts.filter(({ tenantId }) => standing.has(tenantId)).map(toAddition);
      if (additions.length > 0)
        await model.bulkWrite(additions, { ordered: false, throwOnValidationError: true });
    },
    async sumUsage(scope, firstDay, lastDay) {
      const sums = await model.aggregate<{ _id: Omit<UsageCount, 'tenantId' | 'count'>; count: number }>([
        {
          $match: joinListConditions([{ day: { $gte: firstDay, $lte: lastDay } }, ...matchListScope(scope)]),
        },
        { $group: { _id: { day: '$day', metric: '$metric' }, count: { $sum: '$count' } } },
        { $sort: { '_id.day': 1, '_id.metric': 1 } },
      ]);
      return sums.map(({ _id: { day, metric }, count }) => ({ day, metric, count }));
    },
  };
}

/** By `_id` alone: servers repeat such an upsert themselves where two hosts count something for the first time at once. */
function toAddition({ count, ...counted }: UsageCount) {
  const update = { $inc: { count }, $setOnInsert: counted };
  return { updateOne: { filter: { _id: keyOf(counted) }, update, upsert: true } };
}
