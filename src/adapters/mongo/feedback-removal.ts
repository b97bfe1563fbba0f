import type { Expression, Model } from 'mongoose';
import type { TenantScope } from '../../domain/admin.ts';
import type { AuthorCount, FeedbackRepository } from '../../ports/store/store.ts';
import type { Document } from './collection.ts';
import { type Condition, equalTo, inScope, where } from './list-page.ts';
import { changeOfTenants } from './tenant-counts.ts';

type FeedbackRemoval = Pick<
  FeedbackRepository,
  'countFeedbackOf' | 'eraseFeedbackOf' | 'removeFeedbackBefore'
>;

const unsent = ['waiting', 'parked'];

/** What was given under an address, and what is old. */
export function createFeedbackRemoval(model: Model<Document>): FeedbackRemoval {
  return {
    async countFeedbackOf(scope, email) {
      const counts = await model.aggregate<{ readonly _id: string } & Omit<AuthorCount, 'tenantId'>>([
        { $match: ofPerson(scope, email) },
        {
          $group: {
            _id: '$tenantId',
            count: { $sum: 1 },
            unsent: countOf(isUnsent),
            elsewhere: countOf(isElsewhere),
          },
        },
        { $sort: { _id: 1 } },
      ]);
      return counts.map(({ _id: tenantId, ...count }) => ({ tenantId, ...count }));
    },
    eraseFeedbackOf: (scope, email) =>
      changeOfTenants(model, ofPerson(scope, email), async (ofTenant) => {
        return (await model.deleteMany(ofTenant)).deletedCount;
      }),
    async removeFeedbackBefore(tenantId, before, limit) {
      const old = { tenantId, receivedAt: { $lt: before }, state: { $nin: unsent } };
      const found = await model.find(old, { _id: 1 }).limit(limit).lean<Document[]>();
      // The state once more: a refused one may have been made to wait again in between.
      await model.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, state: { $nin: unsent } });
      return found.length === limit;
    },
  };
}

const isUnsent: Expression = { $in: ['$state', unsent] };
const isElsewhere: Expression = { $and: [{ $eq: ['$state', 'delivered'] }, { $ne: ['$destination', null] }] };

function countOf(condition: Expression) {
  return { $sum: { $cond: [condition, 1, 0] } };
}

function ofPerson(scope: TenantScope, email: string): Condition {
  return where([...equalTo('derived.email', email.toLowerCase()), ...inScope(scope)]);
}
