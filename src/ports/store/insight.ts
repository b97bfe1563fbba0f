import type { TenantScope } from '#domain/admin';
import { describeRecord, type Field, field, type RecordOf } from './record.ts';

/** Searches made, without good results, without any, and without one that was opened. */
export const searchCounters = ['asked', 'poor', 'empty', 'unopened'] as const;
/** Also objects opened, placed in a course, and finished. */
export const insightCounters = [...searchCounters, 'opened', 'placed', 'finished'] as const;
type SearchCounter = (typeof searchCounters)[number];
export type InsightCounter = (typeof insightCounters)[number];
export type InsightCounts = Readonly<Record<InsightCounter, number>>;

/** What is counted: searches, objects, or where they are used (courses, platforms, API keys). */
export type InsightKind = 'object' | 'search' | 'course' | 'platform' | 'key';

const countFields = <C extends string>(counters: readonly C[]) =>
  Object.fromEntries(counters.map((counter) => [counter, field.integer])) as Record<C, Field<number>>;

export const insightRecords = describeRecord('insight', {
  fields: {
    tenantId: field.ofTenant,
    /** `YYYY-MM-DD` in UTC. */
    day: field.text(),
    kind: field.text<InsightKind>(),
    /** Of a search its folded words, of an object its address, else an id. */
    name: field.text(),
    title: field.text(),
    ...countFields(insightCounters),
  },
  key: ['tenantId', 'day', 'kind', 'name'],
  indexes: [['tenantId', 'kind', 'name'], ['day'], { fields: ['tenantId', 'day', 'kind'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

/** What a day has of one search, object or place; says nothing of who asked. */
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
  /** Maximum number of pending searches of a tenant; more are dropped. */
  readonly most: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

export interface InsightQuery {
  readonly scope: TenantScope;
  readonly kind: InsightKind;
  /** Only rows where this counter is above 0, the highest first; ties by name and tenant. */
  readonly by: InsightCounter;
  /** Any name when absent. */
  readonly name?: string;
  /** Inclusive, as `lastDay`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** 1 to 1,000. */
  readonly limit: number;
}

export interface InsightRepository {
  /** Adds to the stored counts. A tenant has at most `mostADay` records of a kind and day (a few
   *  more with simultaneous hosts); new ones beyond that, and those of no tenant, are dropped. */
  addInsight(records: readonly InsightRecord[], mostADay: number): Promise<void>;
  /** Searches with a record of any day. @param names at most 1,000 */
  findExistingSearches(tenantId: string, names: readonly string[]): Promise<readonly string[]>;
  /** Adds a person and counts. Once enough people have made the search, removes it and returns its
   *  counts, in one step; else null, also where the tenant was removed. */
  addPendingSearch(search: PendingSearch, limits: PendingLimits): Promise<PendingCounts | null>;
  /** Summed for each tenant and name. */
  listTopInsight(query: InsightQuery): Promise<readonly InsightSum[]>;
  /** Removes at most `limit` records of earlier days, and all pending searches that have expired.
   *  @returns whether there may be more */
  removeOldInsight(day: string, now: Date, limit: number): Promise<boolean>;
}

export const pendingSearchRecords = describeRecord('insightWaiting', {
  fields: {
    tenantId: field.ofTenant,
    mark: field.text(),
    people: field.texts(),
    ...countFields(searchCounters),
    expiresAt: field.instant,
  },
  key: ['tenantId', 'mark'],
  expiry: 'expiresAt',
  loss: 'moments',
  hasShortRows: true,
});
