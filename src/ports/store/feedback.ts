import type { TenantScope } from '#domain/admin';
import { foldText, foldTexts } from '#domain/text';
import { deliveryFields, deliveryIndexes, type OpenQueue, settleDelivery } from './deliveries.ts';
import type { Change, ListRequest, OpenRecords, Period, RecordOf, Records, Where } from './record.ts';
import { describeRecord, field, is, pageSorted, plus } from './record.ts';

/** `waiting` for the upstream, `delivered`, `refused` for good, or `parked` after too many
 *  failures. Feedback for the embedded engine is delivered at once. */
export type FeedbackState = 'waiting' | 'delivered' | 'refused' | 'parked';

export const feedbackRecords = describeRecord('feedback', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    url: field.text(),
    comment: field.nullable(field.text()),
    requestId: field.text(),
    email: field.text(),
    source: field.text(),
    /** Provider of the learning object; null where unknown. */
    provider: field.nullable(field.text()),
    receivedAt: field.instant,
    state: field.text<FeedbackState>(),
    ...deliveryFields,
    /** Origin of the only upstream to send it to; null for the embedded engine. */
    destination: field.nullable(field.text()),
    /** Hash of the sender's e-mail address. Null without an idempotency key. */
    giverHash: field.nullable(field.text()),
  },
  personal: {
    email: 'email',
    mark: 'giverHash',
    about: 'url comment requestId source provider receivedAt lastError destination',
  },
  impersonal: 'id tenantId state attempts failures dueAt leasedUntil',
  privacy: { seenBy: ['admins'], kept: 'feedback', leaves: 'upstream', erasure: 'remove' },
  retention: { kind: 'feedback', since: 'receivedAt', unless: ['waiting', 'parked'] },
  derived: {
    url: { of: ({ url }) => foldText(url) },
    search: { of: ({ url, comment, email }) => foldTexts(url, comment, email) },
    email: { of: ({ email }) => email.toLowerCase() },
  },
  indexes: [
    ['receivedAt', 'id'],
    ['tenantId', '-receivedAt', 'id'],
    ['provider', 'tenantId'],
    ['derived.email'],
    ...deliveryIndexes('tenantId'),
    // Most feedback is delivered, and no query asks for that by its state.
    {
      fields: ['state', 'receivedAt', 'id', 'tenantId'],
      only: { field: 'state', isNot: 'delivered' },
      in: 'sqlite',
    },
  ],
  sorts: { receivedAt: 'receivedAt', url: 'derived.url' },
});

export type FeedbackRecord = RecordOf<typeof feedbackRecords>;
export type FeedbackOutcome = Pick<FeedbackRecord, 'state' | 'failures' | 'dueAt' | 'lastError'>;

export interface FeedbackFilter {
  readonly scope: TenantScope;
  readonly state: FeedbackState | null;
  readonly provider: string | null;
  readonly received: Period;
  /** Part of the address, comment or e-mail, ignoring case; empty matches all. */
  readonly search: string;
}

export type FeedbackListRequest = FeedbackFilter & ListRequest<'receivedAt' | 'url'>;
export type FeedbackRepository = ReturnType<typeof createFeedbackRepository>;

export function createFeedbackRepository(open: OpenRecords, openQueue: OpenQueue) {
  const records = open(feedbackRecords);
  const countChangedFeedback = async (where: Where<FeedbackRecord>, change: Change<FeedbackRecord> | null) =>
    (await records.changeCounting('tenantId', where, change)).map(({ value: tenantId, count }) => ({
      tenantId,
      count,
    }));
  return {
    /** The lanes are tenants. */
    ...openQueue(feedbackRecords, 'tenantId'),
    ...createFeedbackLists(records),
    /** Returns false when the id exists. */
    saveFeedback: (record: FeedbackRecord) => records.putIf(record, null),
    findFeedback: (id: string) => records.get({ id }),
    /** Claims a record, due or not, and resets its failures; a parked or refused one waits again.
     *  Returns null when it is delivered or leased. */
    async claimFeedback(id: string, now: Date, leasedUntil: Date): Promise<FeedbackRecord | null> {
      const free = { id, state: is.not('delivered'), leasedUntil: is.orNull(is.atMost(now)) };
      const claimed = { leasedUntil, attempts: plus(1), state: 'waiting', failures: 0 } as const;
      // The lease keeps other hosts from changing the record.
      return (await records.changeIf(free, claimed)) === 1 ? records.get({ id }) : null;
    },
    settleFeedback: (id: string, attempts: number, { state, failures, dueAt, lastError }: FeedbackOutcome) =>
      settleDelivery(records, { id, attempts }, { state, failures, dueAt, lastError }),
    /** Removes feedback received after `since`, unless its delivery to an upstream has begun.
     *  @returns whether it was removed */
    async withdrawFeedback(tenantId: string, id: string, { now, since }: { now: Date; since: Date }): Promise<boolean> {
      const condition = { tenantId, id, receivedAt: is.above(since) };
      const unsentFeedback = {
        ...condition,
        state: 'waiting',
        lastError: null,
        leasedUntil: null,
        dueAt: is.above(now),
      } as const;
      // Feedback for the embedded engine is never sent, so it can be removed as well.
      const embedded = { ...condition, state: 'delivered', destination: null } as const;
      return (await records.remove(unsentFeedback)) + (await records.remove(embedded)) > 0;
    },
    /** Makes all parked records wait again, due now and without failures, in one step.
     *  @returns their numbers in the order of the tenant ids */
    requeueParked: (scope: TenantScope, now: Date) =>
      countChangedFeedback(
        { state: 'parked', tenantId: is.inScope(scope) },
        { state: 'waiting', dueAt: now, failures: 0 },
      ),
  };
}

function createFeedbackLists(records: Records<FeedbackRecord>) {
  return {
    listFeedback: (request: FeedbackListRequest) =>
      pageSorted(records, feedbackRecords, toFeedbackCondition(request), request),
    /** Reads records after `after`, newest first, ties by id, at most `limit` (1 to 1,000). */
    readFeedback: (filter: FeedbackFilter, after: Pick<FeedbackRecord, 'receivedAt' | 'id'> | null, limit: number) =>
      records.find({ where: toFeedbackCondition(filter), order: ['-receivedAt'], after, limit }),
    listFeedbackProviders: (scope: TenantScope) => records.distinct('provider', { tenantId: is.inScope(scope) }),
  };
}

function toFeedbackCondition({ scope, state, provider, received, search }: FeedbackFilter): Where<FeedbackRecord> {
  return {
    tenantId: is.inScope(scope),
    state: state ?? undefined,
    provider: provider ?? undefined,
    receivedAt: is.within(received),
    'derived.search': is.containing(search),
  };
}
