import type { Model } from 'mongoose';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import type { FeedbackRecord, TenantCount } from '../../../../ports/store/store.ts';
import { type Document, defineCollection } from '../collection.ts';
import { instant, integer, text } from '../fields.ts';
import { type Condition, listOrderIndexes } from '../list-page.ts';

export const sorts = { receivedAt: ['receivedAt'], url: ['derived.url'] } as const;

/** A host of an earlier version, which may still run beside this one, does not write every field. */
const orNull = (stored: unknown = null) => stored;

export const feedback = defineCollection<FeedbackRecord>('feedback', {
  fields: {
    tenantId: text,
    url: text,
    comment: text,
    requestId: text,
    email: text,
    source: text,
    provider: text,
    receivedAt: instant,
    state: text,
    attempts: integer,
    failures: { ...integer, fromStored: (failures = 0) => failures },
    dueAt: instant,
    leasedUntil: { ...instant, fromStored: orNull },
    lastError: text,
    destination: text,
    giverHash: { ...text, fromStored: orNull },
  },
  derived: {
    url: { field: text, of: ({ url }) => foldText(url) },
    search: { field: text, of: ({ url, comment, email }) => foldTexts(url, comment, email) },
    email: { field: text, of: ({ email }) => email.toLowerCase() },
  },
  indexes: [
    ...listOrderIndexes(sorts),
    // The feedback of one tenant, newest first as the page shows it.
    { key: { tenantId: 1, receivedAt: -1, _id: 1 } },
    { key: { tenantId: 1, provider: 1 } },
    { key: { provider: 1 } },
    { key: { state: 1, dueAt: 1, _id: 1 } },
    // The same for some tenants, and which tenants have any.
    { key: { state: 1, tenantId: 1, dueAt: 1, _id: 1 } },
    { key: { 'derived.email': 1 } },
  ],
});

/** Applies `change` to the documents of one tenant after the other; returns their numbers, in the order of the tenants' ids. */
export async function changeFeedbackCollection(
  model: Model<Document>,
  wanted: Condition,
  change: (ofTenant: Condition) => Promise<number>,
): Promise<readonly TenantCount[]> {
  const tenants = ((await model.distinct('tenantId', wanted)) as string[]).sort();
  const counts: TenantCount[] = [];
  for (const tenantId of tenants)
    counts.push({ tenantId, count: await change({ $and: [wanted, { tenantId }] }) });
  // Documents that somebody else changed meanwhile are not counted.
  return counts.filter(({ count }) => count > 0);
}
