import type { TenantScope } from '#domain/admin';
import { describeRecord, type Field, field, is, type OpenRecords, plus, type RecordOf } from './record.ts';
import { tenantRecords } from './tenants.ts';

/** Counters of searches: all, without good results, without any, and without an opened one. */
export const searchCounters = ['asked', 'poor', 'empty', 'unopened'] as const;
/** All counters: also of objects that were opened, placed in a course, and finished. */
export const insightCounters = [...searchCounters, 'opened', 'placed', 'finished'] as const;
type SearchCounter = (typeof searchCounters)[number];
export type InsightCounter = (typeof insightCounters)[number];
export type InsightCounts = Readonly<Record<InsightCounter, number>>;
/** What is counted: searches, objects, or where they are used (courses, platforms, API keys). */
export type InsightKind = 'object' | 'search' | 'course' | 'platform' | 'key';

const insightCountFields = <C extends string>(counters: readonly C[]) =>
  Object.fromEntries(counters.map((counter) => [counter, field.integer])) as Record<C, Field<number>>;

export const insightRecords = describeRecord('insight', {
  fields: {
    tenantId: field.ofTenant,
    /** `YYYY-MM-DD` in UTC. */
    day: field.text(),
    kind: field.text<InsightKind>(),
    /** The folded words of a search, the address of an object, or an id. */
    name: field.text(),
    title: field.text(),
    ...insightCountFields(insightCounters),
  },
  impersonal: 'tenantId day kind name title asked poor empty unopened opened placed finished',
  key: ['tenantId', 'day', 'kind', 'name'],
  indexes: [['tenantId', 'kind', 'name'], ['day'], { fields: ['tenantId', 'day', 'kind'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

/** The counts of one search, object or place on a day. They do not show who searched. */
export type InsightRecord = RecordOf<typeof insightRecords>;
export type InsightSum = Omit<InsightRecord, 'day' | 'kind'>;

/** A search whose words are stored only once enough people have made it (k-anonymity). Until then,
 *  neither the words nor the people can be read from the store. */
export interface PendingSearch extends Pick<InsightCounts, SearchCounter> {
  readonly tenantId: string;
  /** Hash of the words. */
  readonly mark: string;
  /** Hash of the person, different for other words. */
  readonly person: string;
}

export type PendingCounts = Pick<InsightCounts, SearchCounter>;

export interface PendingLimits {
  /** Number of people from which on the words are stored. */
  readonly people: number;
  /** Limit of the pending searches of a tenant; more are dropped. */
  readonly maxPending: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

export interface InsightQuery {
  readonly scope: TenantScope;
  readonly kind: InsightKind;
  /** Only rows where this counter is above 0, the highest first; ties by name and tenant. */
  readonly by: InsightCounter;
  /** Name of the counted thing; any when absent. */
  readonly name?: string;
  /** First day; both days are inclusive. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** 1 to 1,000. */
  readonly limit: number;
}

export const pendingSearchRecords = describeRecord('insightWaiting', {
  fields: {
    tenantId: field.ofTenant,
    mark: field.text(),
    people: field.texts(),
    ...insightCountFields(searchCounters),
    expiresAt: field.instant,
  },
  personal: { mark: 'people' },
  impersonal: 'tenantId mark asked poor empty unopened expiresAt',
  privacy: { seenBy: ['nobody'], kept: 'week', erasure: 'expire' },
  key: ['tenantId', 'mark'],
  expiry: 'expiresAt',
  loss: 'moments',
  hasShortRows: true,
});

/** Lists counts that are summed for each tenant and name. Each store implements it. */
export type ListTopInsight = (query: InsightQuery) => Promise<readonly InsightSum[]>;
export function createInsightRepository(open: OpenRecords, listTopInsight: ListTopInsight) {
  const records = open(insightRecords);
  const pending = open(pendingSearchRecords);
  const tenants = open(tenantRecords);
  return {
    /** Adds to the stored counts. A tenant has at most `mostADay` records of a kind and day (a few
     *  more with simultaneous hosts); new ones beyond that, and those of no tenant, are dropped. */
    async addInsight(added: readonly InsightRecord[], mostADay: number): Promise<void> {
      const ids = [...new Set(added.map(({ tenantId }) => tenantId))];
      const existing = new Set((await tenants.summarize(['id'], { id: is.oneOf(ids) })).map(({ id }) => id));
      for (const record of added.filter(({ tenantId }) => existing.has(tenantId))) {
        const { tenantId, day, kind, name, title } = record;
        const counts = Object.fromEntries(insightCounters.map((counter) => [counter, plus(record[counter])]));
        const isChanged = (await records.changeIf({ tenantId, day, kind, name }, { ...counts, title })) > 0;
        if (!isChanged && (await records.count({ tenantId, day, kind })) < mostADay)
          await records.addOrChange(record, { ...counts, title });
      }
    },
    /** Returns those of at most 1,000 names of searches that have a record of any day. */
    async findExistingSearches(tenantId: string, names: readonly string[]): Promise<readonly string[]> {
      const sums = await records.summarize(['name'], { tenantId, kind: 'search', name: is.oneOf(names) });
      return sums.map(({ name }) => name);
    },
    /** Adds a person and counts to a pending search. Once enough people have made the search,
     *  removes it and returns its counts, in one step; else returns null. */
    async addPendingSearch(search: PendingSearch, limits: PendingLimits): Promise<PendingCounts | null> {
      const { tenantId, mark } = search;
      if ((await tenants.count({ id: tenantId })) === 0) return null;
      for (;;) {
        const stored = await pending.get({ tenantId, mark });
        const { people, expiresAt, ...counts } = addToPendingInsight(stored, search, limits);
        if (people.length >= limits.people) {
          if (stored === null || (await pending.take(stored)) !== null) return counts;
        } else {
          if (stored === null && (await pending.count({ tenantId })) >= limits.maxPending) return null;
          if (await pending.putIf({ tenantId, mark, people, expiresAt, ...counts }, stored)) return null;
        }
        // Another call has changed the search, so try again.
      }
    },
    listTopInsight,
    /** Removes at most `limit` records of earlier days, and all pending searches that have expired.
     *  @returns whether there may be more */
    async removeOldInsight(day: string, now: Date, limit: number): Promise<boolean> {
      await pending.remove({ expiresAt: is.atMost(now) });
      return (await records.remove({ day: is.below(day) }, limit)) === limit;
    },
  };
}

/** Returns the sums for a pending search. An expired one begins anew. */
function addToPendingInsight(
  stored: RecordOf<typeof pendingSearchRecords> | null,
  { person, asked, poor, empty, unopened }: PendingSearch,
  { now, expiresAt }: PendingLimits,
) {
  const before = stored !== null && stored.expiresAt > now ? stored : null;
  return {
    asked: asked + (before?.asked ?? 0),
    poor: poor + (before?.poor ?? 0),
    empty: empty + (before?.empty ?? 0),
    unopened: unopened + (before?.unopened ?? 0),
    people: [...new Set([...(before?.people ?? []), person])],
    expiresAt: before?.expiresAt ?? expiresAt,
  };
}
