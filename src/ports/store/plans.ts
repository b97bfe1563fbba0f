import type { PlanSection } from '#domain/plan';
import { describeRecord, field, is, KEY, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';
import type { ShelfOwner } from './shelf.ts';

export const planRecords = describeRecord('plans', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    /** Person who made the plan; people who share a shelf with them may change it, too. */
    person: field.text(),
    name: field.text(),
    /** Null if nobody has decided. */
    expectedHours: field.nullable(field.integer),
    /** Two-letter code; null where unknown. */
    lang: field.nullable(field.text()),
    /** Sections in the order of the course. */
    sections: field.json<readonly PlanSection[]>(),
    /** Part of the address by which colleagues read it; null if the plan is not shared. */
    shareToken: field.nullable(field.text()),
    createdAt: field.instant,
    changedAt: field.instant,
    version: field.integer,
  },
  personal: { account: 'person', secret: 'shareToken', about: 'name expectedHours lang sections createdAt changedAt' },
  impersonal: 'id tenantId version',
  privacy: { seenBy: ['person', 'link'], kept: 'person', erasure: 'remove' },
  // The token of a plan that is not shared is null, so it cannot be unique in both stores.
  indexes: [['tenantId', 'person', '-changedAt', KEY], ['shareToken']],
});

export type PlanRecord = RecordOf<typeof planRecords>;
export type PlanRepository = ReturnType<typeof createPlanRepository>;

export function createPlanRepository(open: OpenRecords) {
  const records = open(planRecords);
  return {
    findPlan: (tenantId: string, id: string) => records.get({ tenantId, id }),
    findSharedPlan: (shareToken: string) => records.get({ shareToken }),
    /** Lists the plans of these people, the last changed first, ties by id. */
    listPlans: (tenantId: string, people: readonly string[], page: PageRequest) =>
      records.page({ where: { tenantId, person: is.oneOf(people) }, order: ['-changedAt'] }, page),
    countPlans: ({ tenantId, person }: ShelfOwner) => records.count({ tenantId, person }),
    /** Adds version 1, or replaces the previous version. Returns false if another one is stored. */
    savePlan: (record: PlanRecord) =>
      records.putIf(record, record.version === 1 ? null : { tenantId: record.tenantId, version: record.version - 1 }),
    removePlan: async (tenantId: string, id: string) => (await records.remove({ tenantId, id })) === 1,
    /** Removes plans of people with this prefix. @returns their number */
    removePlansOf: (tenantId: string, prefix: string) => records.remove({ tenantId, person: is.beginningWith(prefix) }),
  };
}
