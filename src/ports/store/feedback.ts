import type { TenantScope } from '#domain/admin';
import { foldText, foldTexts } from '#domain/text';
import { deliveryIndexes, type LatestTimes, type OpenQueue, settleDelivery } from './deliveries.ts';
import {
  atMost,
  below,
  type Change,
  containing,
  describeRecord,
  inScope,
  instant,
  integer,
  noneOf,
  not,
  nullable,
  type OpenRecords,
  ofTenant,
  orNull,
  type Page,
  type PageRequest,
  type Period,
  plus,
  type Records,
  sortBy,
  text,
  type Where,
  within,
} from './record.ts';

/** `waiting` for the upstream to take it, `delivered`, `refused` by it for good, or `parked` after too many failures until
 *  an administrator tries again. Feedback for our own engine is delivered as soon as it is stored. */
export type FeedbackState = 'waiting' | 'delivered' | 'refused' | 'parked';

export interface FeedbackRecord {
  readonly id: string;
  readonly tenantId: string;
  /** Address of the learning object. */
  readonly url: string;
  readonly comment: string | null;
  readonly requestId: string;
  readonly email: string;
  /** Address of the page or application it was sent from. */
  readonly source: string;
  /** Provider id of the learning object; null where it is not known. */
  readonly provider: string | null;
  readonly receivedAt: Date;
  readonly state: FeedbackState;
  /** Deliveries begun so far; the number of the last one. */
  readonly attempts: number;
  /** Deliveries that failed since it was given, or since an administrator tried again: what the next wait depends on. */
  readonly failures: number;
  /** When it may be tried next; meaningless unless waiting. */
  readonly dueAt: Date;
  /** While a delivery is under way: until when it is nobody else's. Null when none is. */
  readonly leasedUntil: Date | null;
  /** Why the last delivery failed, in words for an administrator; null when none did. */
  readonly lastError: string | null;
  /** Origin of the upstream it is meant for: it goes nowhere else. Null for our own engine. */
  readonly destination: string | null;
  /** Tells whether it was given under the same address before, which may not be the one that is kept. Null where it came
   *  without an idempotency key. */
  readonly giverHash: string | null;
}

export type FeedbackOutcome = Pick<FeedbackRecord, 'state' | 'failures' | 'dueAt' | 'lastError'>;

/** How many there were of one tenant; never 0. */
export interface TenantCount {
  readonly tenantId: string;
  readonly count: number;
}

export interface AuthorCount extends TenantCount {
  /** Of the count, what waits or is parked. */
  readonly unsent: number;
  /** Of the count, what an upstream took. */
  readonly elsewhere: number;
}

export interface FeedbackFilter {
  readonly scope: TenantScope;
  /** Null means all of them. */
  readonly state: FeedbackState | null;
  readonly provider: string | null;
  readonly received: Period;
  /** Part of the address, comment or e-mail, in any case; empty finds all. */
  readonly search: string;
}

export interface FeedbackListRequest extends FeedbackFilter, PageRequest {
  readonly sort: 'receivedAt' | 'url';
  readonly descending: boolean;
}

export interface FeedbackRepository {
  /** False when there is one with this id already, which stays as it is. */
  saveFeedback(record: FeedbackRecord): Promise<boolean>;
  findFeedback(id: string): Promise<FeedbackRecord | null>;
  /** Ties are in the order of the ids. */
  listFeedback(request: FeedbackListRequest): Promise<Page<FeedbackRecord>>;
  /** Newest first, ties in the order of the ids; those that come after `after` then, at most `limit` (1 to 1,000): for
   *  exports of any length, whatever happens to the feedback meanwhile. */
  readFeedback(
    filter: FeedbackFilter,
    after: Pick<FeedbackRecord, 'receivedAt' | 'id'> | null,
    limit: number,
  ): Promise<readonly FeedbackRecord[]>;
  /** Provider ids that appear, in order. */
  listFeedbackProviders(scope: TenantScope): Promise<readonly string[]>;
  /** Takes one waiting record whose `dueAt` is not after `now`, the longest due first: leases it and counts the attempt in
   *  the same step, so that nobody else takes it before the lease is over. Gives the record as it is then.
   *  @param busy tenants whose feedback is left
   *  @returns null when none is due */
  claimDueFeedback(now: Date, leasedUntil: Date, busy?: readonly string[]): Promise<FeedbackRecord | null>;
  /** The same for one record, due or not, with no failures from here on. A parked or refused one waits again. Null when it
   *  is delivered, or leased at this moment. */
  claimFeedback(id: string, now: Date, leasedUntil: Date): Promise<FeedbackRecord | null>;
  /** Notes the outcome of the delivery that was claimed as attempt number `attempts`; its lease ends. Changes nothing when the
   *  record is no longer waiting, or was claimed again meanwhile.
   *  @returns whether it was changed */
  settleFeedback(id: string, attempts: number, outcome: FeedbackOutcome): Promise<boolean>;
  /** Makes everything that is parked wait again, due now and without failures, in one step.
   *  @returns in the order of the tenants' ids */
  requeueParked(scope: TenantScope, now: Date): Promise<readonly TenantCount[]>;
  /** What waits until later than `latestDue` is due now, and what is leased until later than `latestLease` is free: hosts set
   *  no such times, unless a clock was wrong.
   *  @returns how many records were changed */
  mendFeedbackTimes(now: Date, latest: LatestTimes): Promise<number>;
  /** When the next waiting record is due, of those that are not leased; null when there is none.
   *  @param busy tenants whose feedback is left */
  findNextDue(busy?: readonly string[]): Promise<Date | null>;
  /** What this person gave; e-mail addresses are compared in any case.
   *  @returns in the order of the tenants' ids */
  countFeedbackOf(scope: TenantScope, email: string): Promise<readonly AuthorCount[]>;
  /** Removes what this person gave, whatever its state; e-mail addresses are compared in any case.
   *  @returns in the order of the tenants' ids */
  eraseFeedbackOf(scope: TenantScope, email: string): Promise<readonly TenantCount[]>;
  /** Removes what was received before, but for what waits or is parked and was never delivered, at most `limit` (1 to 1,000).
   *  @returns whether there may be more */
  removeFeedbackBefore(tenantId: string, before: Date, limit: number): Promise<boolean>;
}

export const feedbackRecords = describeRecord<FeedbackRecord>('feedback', {
  fields: {
    id: text(),
    tenantId: ofTenant,
    url: text(),
    comment: nullable(text()),
    requestId: text(),
    email: text(),
    source: text(),
    provider: nullable(text()),
    receivedAt: instant,
    state: text(),
    attempts: integer,
    failures: integer,
    dueAt: instant,
    leasedUntil: nullable(instant),
    lastError: nullable(text()),
    destination: nullable(text()),
    giverHash: nullable(text()),
  },
  derived: {
    url: { of: ({ url }) => foldText(url) },
    search: { of: ({ url, comment, email }) => foldTexts(url, comment, email) },
    email: { of: ({ email }) => email.toLowerCase() },
  },
  indexes: [
    ['receivedAt', 'id'],
    // The feedback of one tenant, newest first as the page shows it.
    ['tenantId', '-receivedAt', 'id'],
    ['provider', 'tenantId'],
    ['derived.email'],
    ...deliveryIndexes<FeedbackRecord>('tenantId'),
    // Most feedback is delivered, and nobody looks for that by its state.
    {
      fields: ['state', 'receivedAt', 'id', 'tenantId'],
      only: { field: 'state', isNot: 'delivered' },
      in: 'sqlite',
    },
  ],
  sorts: { receivedAt: 'receivedAt', url: 'derived.url' },
});

export function createFeedbackRepository(open: OpenRecords, openQueue: OpenQueue): FeedbackRepository {
  const records = open(feedbackRecords);
  const queue = openQueue(feedbackRecords, 'tenantId');
  const count = async (where: Where<FeedbackRecord>, change: Change<FeedbackRecord> | null) =>
    (await records.changeCounting('tenantId', where, change)).map(({ value: tenantId, count }) => ({
      tenantId,
      count,
    }));
  return {
    ...createFeedbackLists(records),
    saveFeedback: (record) => records.putIf(record, null),
    findFeedback: (id) => records.get({ id }),
    claimDueFeedback: queue.claimDue,
    async claimFeedback(id, now, leasedUntil) {
      const free = { id, state: not('delivered'), leasedUntil: orNull(atMost(now)) };
      const claimed = { leasedUntil, attempts: plus(1), state: 'waiting', failures: 0 } as const;
      // Nobody else changes it before the lease is over.
      return (await records.changeIf(free, claimed)) === 1 ? records.get({ id }) : null;
    },
    settleFeedback: (id, attempts, { state, failures, dueAt, lastError }) =>
      settleDelivery(records, { id, attempts }, { state, failures, dueAt, lastError }),
    requeueParked: (scope, now) =>
      count({ state: 'parked', tenantId: inScope(scope) }, { state: 'waiting', dueAt: now, failures: 0 }),
    mendFeedbackTimes: queue.mendTimes,
    findNextDue: queue.findNextDue,
    eraseFeedbackOf: (scope, email) => count(ofPerson(scope, email), null),
    removeFeedbackBefore: async (tenantId, before, limit) =>
      (await records.remove({ tenantId, receivedAt: below(before), state: noneOf(unsent) }, limit)) === limit,
  };
}

const unsent: readonly string[] = ['waiting', 'parked'] satisfies FeedbackState[];

function ofPerson(scope: TenantScope, email: string): Where<FeedbackRecord> {
  return { 'derived.email': email.toLowerCase(), tenantId: inScope(scope) };
}

type FeedbackLists = Pick<
  FeedbackRepository,
  'listFeedback' | 'readFeedback' | 'listFeedbackProviders' | 'countFeedbackOf'
>;

function createFeedbackLists(records: Records<FeedbackRecord>): FeedbackLists {
  return {
    listFeedback: (request) =>
      records.page({ where: fitting(request), order: sortBy(feedbackRecords, request) }, request),
    readFeedback: (filter, after, limit) =>
      records.find({ where: fitting(filter), order: ['-receivedAt'], after, limit }),
    listFeedbackProviders: (scope) => records.distinct('provider', { tenantId: inScope(scope) }),
    async countFeedbackOf(scope, email) {
      const sums = await records.summarize(['tenantId', 'state', 'destination'], ofPerson(scope, email));
      const counts = new Map<string, AuthorCount>();
      for (const { tenantId, state, destination, count } of sums) {
        const before = counts.get(tenantId) ?? { tenantId, count: 0, unsent: 0, elsewhere: 0 };
        counts.set(tenantId, {
          tenantId,
          count: before.count + count,
          unsent: before.unsent + (unsent.includes(state) ? count : 0),
          elsewhere: before.elsewhere + (state === 'delivered' && destination !== null ? count : 0),
        });
      }
      return [...counts.values()];
    },
  };
}

function fitting({ scope, state, provider, received, search }: FeedbackFilter): Where<FeedbackRecord> {
  return {
    tenantId: inScope(scope),
    state: state ?? undefined,
    provider: provider ?? undefined,
    receivedAt: within(received),
    'derived.search': containing(search),
  };
}
