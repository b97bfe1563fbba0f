import type { Connection, Model } from 'mongoose';
import { toRecordKey } from '../../../../domain/record-key.ts';
import type {
  ActivityCounts,
  ActivityKey,
  ActivityRecord,
  ActivityRepository,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { writeUnlessTaken } from '../failures.ts';
import { instant, text } from '../fields.ts';
import { countListValues, listPage, orderListBy } from '../list-page.ts';

const keyOf = ({ tenantId, linkId, userId }: ActivityKey) => toRecordKey([tenantId, linkId, userId]);

export const activity = defineCollection<ActivityRecord>('activity', {
  fields: {
    tenantId: text,
    linkId: text,
    userId: text,
    firstOpenedAt: instant,
    lastOpenedAt: instant,
    completedAt: instant,
    verdict: text,
    verdictPlacementId: text,
  },
  key: keyOf,
  indexes: [{ key: { tenantId: 1, linkId: 1, lastOpenedAt: -1, _id: 1 } }],
});

export function createActivityRepository(connection: Connection): ActivityRepository {
  const model = openCollection(connection, activity);
  return {
    async noteOpened(key, at) {
      const { _id, lastOpenedAt, ...rest } = activity.toDocument(openedFirst(key, at));
      // By `_id` alone: servers repeat such an upsert themselves where two hosts add it at once.
      await model.updateOne({ _id }, { $max: { lastOpenedAt }, $setOnInsert: rest }, { upsert: true });
    },
    noteCompleted: (key, at) => noteCompleted(model, key, at),
    async noteVerdict(key, verdict, placementId) {
      const change = { $set: { verdict, verdictPlacementId: placementId } };
      return (await model.updateOne({ _id: keyOf(key) }, change)).matchedCount === 1;
    },
    async countVerdicts(tenantId, linkId, placementId) {
      const given = { tenantId, linkId, verdictPlacementId: placementId };
      const countOf = await countListValues(model, given, 'verdict');
      return { useful: countOf('useful'), notUseful: countOf('not-useful'), broken: countOf('broken') };
    },
    findActivity: async (key) =>
      activity.toRecordOrNull(await model.findOne({ _id: keyOf(key) }).lean<Document | null>()),
    async countActivity(tenantId, linkId) {
      const isCompleted = { $cond: [{ $ne: ['$completedAt', null] }, 1, 0] };
      const [counts] = await model.aggregate<ActivityCounts>([
        { $match: { tenantId, linkId } },
        { $group: { _id: null, opened: { $sum: 1 }, completed: { $sum: isCompleted } } },
        { $project: { _id: 0 } },
      ]);
      return counts ?? { opened: 0, completed: 0 };
    },
    listActivity: (tenantId, linkId, page) =>
      listPage(model, activity, {
        conditions: [{ tenantId, linkId }],
        order: orderListBy(['lastOpenedAt'], true),
        page,
      }),
  };
}

function openedFirst({ tenantId, linkId, userId }: ActivityKey, at: Date): ActivityRecord {
  const rest = { completedAt: null, verdict: null, verdictPlacementId: null };
  return { tenantId, linkId, userId, firstOpenedAt: at, lastOpenedAt: at, ...rest };
}

/** Only one call can do each step, so exactly one of several gets true. */
async function noteCompleted(model: Model<Document>, key: ActivityKey, at: Date): Promise<boolean> {
  const complete = async () => {
    const open = { _id: keyOf(key), completedAt: null };
    return (await model.updateOne(open, { $set: { completedAt: at } })).matchedCount === 1;
  };
  if (await complete()) return true;
  const isAdded = await writeUnlessTaken(async () => {
    await model.insertOne(activity.toDocument({ ...openedFirst(key, at), completedAt: at }));
    return true;
  });
  // If it was not added, it was completed before, or opened in between.
  return isAdded || complete();
}
